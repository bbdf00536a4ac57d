package model

import (
	"fmt"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/cost"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// maxListBudget is the maximum value of list-budget. A longer list of tools fills the context of many models.
const maxListBudget = 100000

// checkListBudget reports a list of tools that has more tokens than the budget of its server. The tokenizer is
// loaded only for servers with a budget.
func checkListBudget(s *Server, list *diag.List) {
	if s.ListBudget == 0 {
		return
	}
	c, err := s.Contract()
	if err != nil {
		return // the generation of the files reports the error
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
	var most []string
	for _, t := range report.Tools[:min(3, len(report.Tools))] {
		most = append(most, fmt.Sprintf("%s %d", t.Name, t.Most()))
	}
	list.Add(s.budgetPos, diag.LongList, "the list of tools has %d tokens, %d more than its budget; the largest tools are %s", n, n-s.ListBudget, strings.Join(most, ", ")).
		Suggest("shorten their comments (jptoolgen cost counts each part), or write list-budget=%d", n)
}
