package model

import (
	"fmt"
	"go/ast"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/cost"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// Check finds conflicts between servers, and tool lists that exceed their budget. It counts tokens only if list
// is empty.
func Check(servers []*Server, list *diag.List) {
	sound := list.Len() == 0
	first := map[string]*Server{}
	for _, s := range servers {
		if other, taken := first[s.Name]; taken {
			list.Add(s.Pos, diag.DuplicateName, "server name %s is already used at %s", s.Name, list.Place(other.Pos)).
				Suggest("add name= to //jp:server")
			continue
		}
		first[s.Name] = s
		if sound {
			checkListBudget(s, list)
		}
	}
}

// maxListBudget is the maximum value of list-budget. A longer tool list fills the context of many models.
const maxListBudget = 100000

// checkListBudget reports a tool list that has more tokens than the budget of its server. The tokenizer is
// loaded only for servers with a budget.
func checkListBudget(s *Server, list *diag.List) {
	if s.ListBudget == 0 {
		return
	}
	c, err := s.Contract()
	if err != nil {
		return // generating the files reports the error
	}
	report, err := cost.Of(c, nil)
	if err != nil {
		list.Add(s.budgetPos, diag.LongList, "cannot count the tokens of the list of tools: %v", err)
		return
	}
	n := report.Most()
	if n <= s.ListBudget {
		return
	}
	var largest []string
	for _, t := range report.Tools[:min(3, len(report.Tools))] {
		largest = append(largest, fmt.Sprintf("%s (%d)", t.Name, t.Most()))
	}
	list.Add(s.budgetPos, diag.LongList, "the list of tools has %d tokens, %d more than its budget; the largest tools are %s", n, n-s.ListBudget, strings.Join(largest, ", ")).
		Suggest("shorten their comments (jptoolgen cost counts each part), or write list-budget=%d", n)
}

// makers are the packages whose handwritten code may also import packages for generated code.
var makers = []string{sdktypes.SDK, sdktypes.Module + "/cmd", sdktypes.Module + "/internal/face"}

// CheckImports reports handwritten files that import packages for generated code. For example, only generated
// code may create questions, because the contract lists them.
func CheckImports(path string, files []*ast.File, list *diag.List) {
	for _, maker := range makers {
		if path == maker || strings.HasPrefix(path, maker+"/") {
			return
		}
	}
	for _, f := range files {
		if ast.IsGenerated(f) {
			continue
		}
		for _, spec := range f.Imports {
			if name, err := strconv.Unquote(spec.Path.Value); err == nil && sdktypes.IsReserved(name) {
				list.Add(spec.Path.Pos(), diag.ReservedImport, "package %s is reserved for generated code", name).
					Suggest("declare questions in a struct parameter of the tool, and import packages elicit and tool instead")
			}
		}
	}
}
