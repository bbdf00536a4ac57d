package load

import (
	"go/ast"

	"github.com/jptool/jptool/internal/declared"
)

// A question is a field of a type of package elicit.
type question struct {
	field string
	// kind is the name of its type, arg the type argument as file in has it.
	kind string
	arg  ast.Expr
	in   *file
}

// questionsIn returns the questions of the struct that a type is, nil if it is no
// struct of questions.
func questionsIn(expr ast.Expr, f *file) []question {
	expr, f = underlying(expr, f, false)
	st, ok := expr.(*ast.StructType)
	if !ok {
		return nil
	}
	var all []question
	for _, field := range st.Fields.List {
		kind, arg, in := questionType(field.Type, f)
		if kind == "" {
			continue
		}
		for _, name := range field.Names {
			all = append(all, question{name.Name, kind, arg, in})
		}
	}
	return all
}

// questionType returns the name of a type of package elicit and its argument, ""
// for any other type.
func questionType(expr ast.Expr, f *file) (kind string, arg ast.Expr, in *file) {
	expr, f = underlying(expr, f, true)
	if generic, ok := expr.(*ast.IndexExpr); ok {
		expr, arg = generic.X, generic.Index
	}
	selector, ok := expr.(*ast.SelectorExpr)
	if !ok {
		return "", nil, nil
	}
	id, ok := selector.X.(*ast.Ident)
	if !ok {
		return "", nil, nil
	}
	if path, _ := declared.Imported(f.syntax, id.Name); path != elicitPath {
		return "", nil, nil
	}
	return selector.Sel.Name, arg, f
}

// most is how many declarations are followed: a type may be declared as itself.
const most = 20

// underlying follows the declarations of a type within the module, of aliases
// only if so asked, to what is written there.
func underlying(expr ast.Expr, f *file, aliases bool) (ast.Expr, *file) {
	for range most {
		spec, at := declarationOf(expr, f)
		if spec == nil || spec.TypeParams != nil || aliases && !spec.Assign.IsValid() {
			break
		}
		expr, f = spec.Type, at
	}
	return expr, f
}

// declarationOf returns the declaration that a type's name leads to, nil for what
// is no name or stands in another module.
func declarationOf(expr ast.Expr, f *file) (*ast.TypeSpec, *file) {
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return declarationOf(expr.X, f)
	case *ast.Ident:
		return f.pkg.declared(expr.Name)
	case *ast.SelectorExpr:
		id, ok := expr.X.(*ast.Ident)
		if !ok {
			break
		}
		path, ok := declared.Imported(f.syntax, id.Name)
		if !ok {
			break
		}
		if pkg := f.pkg.module.find(path); pkg != nil {
			return pkg.declared(expr.Sel.Name)
		}
	}
	return nil, nil
}

// isOptions reports whether a type is declared with //jp:options.
func isOptions(expr ast.Expr, f *file) bool {
	for range most {
		spec, at := declarationOf(expr, f)
		if spec == nil || !spec.Assign.IsValid() {
			break
		}
		expr, f = spec.Type, at // an alias stands for another
	}
	spec, at := declarationOf(expr, f)
	if spec == nil {
		return false
	}
	_, ok := at.sites.Get(spec.Name.Pos(), "options")
	return ok
}

// parameters returns the type of each parameter of a function.
func parameters(f *ast.FuncDecl) []ast.Expr {
	var all []ast.Expr
	for _, field := range f.Type.Params.List {
		for range max(len(field.Names), 1) {
			all = append(all, field.Type)
		}
	}
	return all
}

// receiver returns the name of the type that a method belongs to.
func receiver(method *ast.FuncDecl) string {
	if len(method.Recv.List) == 0 {
		return ""
	}
	expr := method.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if id, ok := expr.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
