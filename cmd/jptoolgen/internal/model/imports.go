package model

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// reserved is the path of the packages for generated code. makers are the modules whose own code may import
// them.
const reserved = "github.com/jptool/jptool/sdk/gen/"

var makers = []string{"github.com/jptool/jptool/sdk", "github.com/jptool/jptool/cmd"}

// CheckImports finds handwritten files that import packages for generated code. For example, only generated code
// may create questions, because the contract lists them.
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
			if name, err := strconv.Unquote(spec.Path.Value); err == nil && strings.HasPrefix(name, reserved) {
				list.Add(spec.Path.Pos(), diag.ReservedImport, "package %s is for generated code", name).
					Suggest("declare questions as fields of a struct that the tool takes, and use packages elicit and tool")
			}
		}
	}
}
