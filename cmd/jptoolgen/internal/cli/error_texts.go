package cli

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/smell"
	"github.com/jptool/jptool/sdk/fault"
)

// errorTexts returns the constant messages that are passed to fault.New and fault.Wrap, with a code that lets a
// model correct its call. It leaves out messages such as "%s", which only repeat another error.
func errorTexts(p *model.Package, dir string) (all []smell.Text) {
	for call := range inspector.All[*ast.CallExpr](inspector.New(p.Files)) {
		made := newFault(p.Info, call)
		if made < 0 || len(call.Args) < made+2 {
			continue
		}
		code, text := constantOf(p.Info, call.Args[made]), constantOf(p.Info, call.Args[made+1])
		//jp:allow JP721 reason="the error is only made to know what its code means"
		if fault.New(fault.Code(code), "").Recoverable && strings.ContainsFunc(strings.ReplaceAll(text, "%s", ""), unicode.IsLetter) {
			at := p.Fset.Position(call.Pos())
			all = append(all, smell.Text{At: fmt.Sprintf("%s:%d", diag.Rel(dir, at.Filename), at.Line), Text: text})
		}
	}
	return all
}

// newFault returns the index of the code among the arguments of fault.New or fault.Wrap, or -1 for other calls.
func newFault(info *types.Info, call *ast.CallExpr) int {
	f, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != sdktypes.Fault {
		return -1
	}
	return slices.Index([]string{"New", "Wrap"}, f.Name())
}

// constantOf returns the value of a constant string, or "" for other expressions.
func constantOf(info *types.Info, e ast.Expr) string {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}
