package jpvet

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
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
// choice, or an argument with an enum type. It also finds conversions to such a type of a value that no code checks,
// which can produce a value that fails the call as a result.
func unknownWords(c *checker) {
	w := words{checker: c, seen: map[*schema.Object]bool{}}
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
		w.conversions(f)
	}
}

// words holds the types whose values are limited to their constants.
type words struct {
	*checker
	closed typeutil.Map
	// enums holds the types of arguments, options and results whose schemas list their constants, and open those that
	// may have other values. Types of other modules are often in both: results may have other values, arguments may not.
	enums, open typeutil.Map
	seen        map[*schema.Object]bool
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
			w.object(o)
		}
		w.shape(t.Result.Shape)
	})
	for _, t := range w.open.Keys() {
		w.closed.Delete(t)
		w.enums.Delete(t)
	}
}

// object adds the types of the fields of an object.
func (w *words) object(o *schema.Object) {
	if w.seen[o] {
		return
	}
	w.seen[o] = true
	for _, f := range o.Fields() {
		w.shape(f.Shape)
	}
}

// shape adds the types of a shape that is limited to constants.
func (w *words) shape(s *schema.Shape) {
	if s == nil {
		return
	}
	switch s.Set {
	case schema.ClosedSet:
		w.enums.Set(s.Type, true)
		w.add(s.Type)
	case schema.OpenSet:
		w.open.Set(s.Type, true)
	}
	w.shape(s.Elem)
	if s.Object != nil {
		w.object(s.Object)
	}
	for _, c := range s.Cases {
		w.shape(c.Shape)
	}
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

// conversions finds conversions of values that are not constants to a type that is limited to its constants, unless
// the result is checked: compared, or used as the key of a map, the value of a switch, an argument or a receiver.
func (w *words) conversions(file *ast.File) {
	for cursor := range inspector.New([]*ast.File{file}).Root().Preorder((*ast.CallExpr)(nil)) {
		call := cursor.Node().(*ast.CallExpr)
		info := w.pass.TypesInfo
		if len(call.Args) != 1 || !info.Types[call.Fun].IsType() || info.Types[call.Args[0]].Value != nil {
			continue
		}
		typ, from := info.TypeOf(call.Fun), info.TypeOf(call.Args[0])
		if isEnum, _ := w.enums.At(typ).(bool); !isEnum || types.Identical(typ, from) || w.isClosed(from) || w.isChecked(cursor) {
			continue
		}
		name := types.TypeString(typ, types.RelativeTo(w.pass.Pkg))
		w.report.at(call.Pos(), "%s(%s) can be a value that is not a constant of type %[1]s", name, types.ExprString(call.Args[0])).
			suggest("check it, for example with a switch, or write //jp:enum open above the type")
	}
}

// isClosed reports whether a type is limited to its constants, whose values the author may convert.
func (w *words) isClosed(t types.Type) bool {
	isEnum, _ := w.enums.At(t).(bool)
	return isEnum
}

// isChecked reports whether code looks at the value of an expression, or at the variable that it is assigned to.
func (w *words) isChecked(at inspector.Cursor) bool {
	if isLooked(at) {
		return true
	}
	var id *ast.Ident
	switch parent := at.Parent().Node().(type) {
	case *ast.AssignStmt:
		if i := slices.Index(parent.Rhs, at.Node().(ast.Expr)); len(parent.Lhs) == len(parent.Rhs) {
			id, _ = parent.Lhs[i].(*ast.Ident)
		}
	case *ast.ValueSpec:
		if i := slices.Index(parent.Values, at.Node().(ast.Expr)); len(parent.Names) == len(parent.Values) {
			id = parent.Names[i]
		}
	}
	if id == nil {
		return false
	}
	variable := w.pass.TypesInfo.ObjectOf(id)
	for function := range at.Enclosing((*ast.FuncDecl)(nil)) {
		for use := range function.Preorder((*ast.Ident)(nil)) {
			if w.pass.TypesInfo.Uses[use.Node().(*ast.Ident)] == variable && isLooked(use) {
				return true
			}
		}
	}
	return false
}

// isLooked reports whether the code around an expression looks at its value.
func isLooked(at inspector.Cursor) bool {
	expr := at.Node()
	switch parent := at.Parent().Node().(type) {
	case *ast.ParenExpr:
		return isLooked(at.Parent())
	case *ast.BinaryExpr, *ast.SwitchStmt, *ast.SelectorExpr:
		return true
	case *ast.IndexExpr:
		return parent.Index == expr
	case *ast.CallExpr:
		return parent.Fun != expr
	}
	return false
}
