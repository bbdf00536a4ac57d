package cli

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/smell"
	"github.com/jptool/jptool/sdk/fault"
)

// errorTexts returns the constant texts in calls of fault.New and fault.Wrap with codes that a model may correct. The
// text of another error, which "%s" stands for, is not constant.
func errorTexts(p *model.Package, dir string) (all []smell.Text) {
	for _, file := range p.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			made := newFault(p.Info, call)
			if made < 0 || len(call.Args) < made+2 {
				return true
			}
			code, text := constantOf(p.Info, call.Args[made]), constantOf(p.Info, call.Args[made+1])
			//jp:allow JP721 reason="the error is only made to know what its code means"
			if fault.New(fault.Code(code), "").Recoverable && strings.ContainsFunc(strings.ReplaceAll(text, "%s", ""), unicode.IsLetter) {
				at := p.Fset.Position(call.Pos())
				all = append(all, smell.Text{At: fmt.Sprintf("%s:%d", diag.Rel(dir, at.Filename), at.Line), Text: text})
			}
			return true
		})
	}
	return all
}

// newFault returns the index of the code among the arguments of fault.New or fault.Wrap, -1 for other calls.
func newFault(info *types.Info, call *ast.CallExpr) int {
	selected, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return -1
	}
	f, ok := info.Uses[selected.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != sdktypes.Fault {
		return -1
	}
	switch f.Name() {
	case "New":
		return 0
	case "Wrap":
		return 1
	}
	return -1
}

// constantOf returns the value of a constant string, "" for others.
func constantOf(info *types.Info, e ast.Expr) string {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}
