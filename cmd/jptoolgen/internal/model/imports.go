package model

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// makers are the modules whose handwritten code may also import packages for generated code.
var makers = []string{sdktypes.SDK, sdktypes.Module + "/cmd"}

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
			if name, err := strconv.Unquote(spec.Path.Value); err == nil && strings.HasPrefix(name, sdktypes.Gen+"/") {
				list.Add(spec.Path.Pos(), diag.ReservedImport, "package %s is reserved for generated code", name).
					Suggest("declare questions as fields of a struct that the tool takes, and use packages elicit and tool")
			}
		}
	}
}
