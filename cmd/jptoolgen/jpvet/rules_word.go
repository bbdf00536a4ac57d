package jpvet

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// closed is a fact about a string type: its values are limited to its constants.
type closed struct{}

// AFact marks closed as a fact.
func (*closed) AFact() {}

func (*closed) String() string { return "holds only its constants" }

// unknownWords finds constants that are compared with a value that can never be equal to them: the answer to a
// choice, or an argument with an enum type.
func unknownWords(c *checker) {
	w := words{checker: c}
	w.declare()
	for _, f := range c.files {
		for n := range ast.Preorder(f) {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					w.compare(n.X, n.Y)
					w.compare(n.Y, n.X)
				}
			case *ast.SwitchStmt:
				for _, clause := range n.Body.List {
					for _, e := range clause.(*ast.CaseClause).List {
						w.compare(n.Tag, e)
					}
				}
			case *ast.IndexExpr:
				if m, ok := w.typeOf(n.X).(*types.Map); ok {
					w.word(m.Key(), n.Index)
				}
			case *ast.CompositeLit:
				w.literal(n)
			}
		}
	}
}

// words holds the types whose values are limited to their constants.
type words struct {
	*checker
	closed typeutil.Map
}

// declare finds the types whose values are limited to their constants: the types of choices and of arguments.
func (w *words) declare() {
	for id, instance := range w.pass.TypesInfo.Instances {
		if obj := w.pass.TypesInfo.Uses[id]; obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == sdktypes.Elicit && obj.Name() == "Choice" && instance.TypeArgs.Len() == 1 {
			w.add(instance.TypeArgs.At(0))
		}
	}
	w.tools(func(t *model.Tool, _ *ssa.Function) {
		for _, o := range []*schema.Object{t.Input, t.Options} {
			if o == nil {
				continue
			}
			for _, part := range typesIn(o.Type) {
				w.add(part)
			}
		}
	})
}

func (w *words) add(t types.Type) {
	named := sdktypes.Named(t)
	if named == nil || len(constantsOf(named)) == 0 {
		return
	}
	w.closed.Set(named, true)
	if named.Obj().Pkg() == w.pass.Pkg {
		w.pass.ExportObjectFact(named.Obj(), new(closed))
	}
}

func (w *words) typeOf(e ast.Expr) types.Type {
	if t := w.pass.TypesInfo.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

// compare checks a constant that is compared with a value, or with the text of a value.
func (w *words) compare(value, constant ast.Expr) {
	if value == nil || w.pass.TypesInfo.Types[value].Value != nil {
		return
	}
	if call, ok := ast.Unparen(value).(*ast.CallExpr); ok && len(call.Args) == 1 && w.pass.TypesInfo.Types[call.Fun].IsType() {
		value = call.Args[0]
	}
	w.word(w.pass.TypesInfo.TypeOf(value), constant)
}

// literal checks the keys of a map and the elements of a list.
func (w *words) literal(lit *ast.CompositeLit) {
	t := w.typeOf(lit)
	m, isMap := t.(*types.Map)
	for _, e := range lit.Elts {
		if pair, keyed := e.(*ast.KeyValueExpr); keyed && isMap {
			w.word(m.Key(), pair.Key)
		} else if !keyed && (is[*types.Slice](t) || is[*types.Array](t)) {
			w.word(elemOf(t), e)
		}
	}
}

// word reports a constant that its type does not declare.
func (w *words) word(t types.Type, e ast.Expr) {
	named := sdktypes.Named(t)
	value := w.pass.TypesInfo.Types[e].Value
	if named == nil || value == nil {
		return
	}
	if w.closed.At(named) == nil && (named.Obj().Pkg() == w.pass.Pkg || !w.pass.ImportObjectFact(named.Obj(), new(closed))) {
		return
	}
	text, isText := stringOf(ssa.NewConst(value, named))
	known := constantsOf(named)
	if !isText || text == "" || known[text] {
		return
	}
	var quoted []string
	for _, word := range slices.Sorted(maps.Keys(known)) {
		quoted = append(quoted, strconv.Quote(word))
	}
	w.report.at(e.Pos(), "%q is not a constant of type %s", text, named.Obj().Name()).suggest("write one of %s", strings.Join(quoted, ", "))
}
