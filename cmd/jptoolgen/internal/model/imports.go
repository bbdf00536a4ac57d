package model

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// reserved is where the packages are that generated code alone imports, and makers are
// those whose own code does as well.
const reserved = "github.com/jptool/jptool/sdk/gen/"

var makers = []string{"github.com/jptool/jptool/sdk", "github.com/jptool/jptool/cmd"}

// CheckImports finds handwritten files of a package that import what generated code alone
// may. Questions, for one, are made by generated code: a contract names all of them.
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
