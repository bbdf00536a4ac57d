package model

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// isAskedPerSubject reports whether the package asks a question only about subjects. In this case, every
// use of the question's field leads to a call to For, directly or through variables.
func (b *builder) isAskedPerSubject(v *types.Var) bool {
	if b.reads == nil {
		b.reads = b.readings()
	}
	seen := map[*types.Var]bool{}
	var only func(v *types.Var) bool
	only = func(v *types.Var) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		return len(b.reads[v]) > 0 && !slices.ContainsFunc(b.reads[v], func(read inspector.Cursor) bool {
			variable, subject := b.leadsTo(read)
			return !subject && (variable == nil || !only(variable))
		})
	}
	return only(v)
}

// leadsTo reports whether For is called on an expression, possibly after other methods of a
// question. If the expression is assigned or passed to a function, leadsTo returns the variable or
// parameter instead.
func (b *builder) leadsTo(e inspector.Cursor) (variable *types.Var, subject bool) {
	for {
		method, ok := e.Parent().Node().(*ast.SelectorExpr)
		if !ok {
			break
		}
		if kind, _ := e.Parent().ParentEdge(); kind != edge.CallExpr_Fun {
			return nil, false
		}
		if method.Sel.Name == "For" {
			return nil, true
		}
		e = e.Parent().Parent()
	}
	switch kind, i := e.ParentEdge(); kind {
	case edge.CallExpr_Args:
		f, _ := b.pkg.Info.TypeOf(e.Parent().Node().(*ast.CallExpr).Fun).(*types.Signature)
		if f != nil && i < f.Params().Len() {
			return f.Params().At(i), false
		}
	case edge.AssignStmt_Rhs:
		assign := e.Parent().Node().(*ast.AssignStmt)
		if name, ok := assign.Lhs[i].(*ast.Ident); ok && len(assign.Lhs) == len(assign.Rhs) {
			v, _ := b.pkg.Info.ObjectOf(name).(*types.Var)
			return v, false
		}
	}
	return nil, false
}

// readings returns the expressions that read questions, keyed by the field or variable of the question.
func (b *builder) readings() map[*types.Var][]inspector.Cursor {
	all := map[*types.Var][]inspector.Cursor{}
	for at := range inspector.New(b.pkg.Files).Root().Preorder((*ast.SelectorExpr)(nil), (*ast.Ident)(nil)) {
		if v := b.questionRead(at.Node()); v != nil {
			all[v] = append(all[v], at)
		}
	}
	return all
}

// questionRead returns the field or variable of a question that an expression reads, or nil for other expressions.
func (b *builder) questionRead(e ast.Node) *types.Var {
	var v *types.Var
	switch e := e.(type) {
	case *ast.SelectorExpr:
		v, _ = b.pkg.Info.Uses[e.Sel].(*types.Var)
	case *ast.Ident:
		v, _ = b.pkg.Info.Uses[e].(*types.Var)
		if v != nil && v.IsField() {
			return nil // the enclosing selector reads the field
		}
	}
	if v == nil {
		return nil
	}
	if kind, _, _ := questionType(v.Type()); kind == "" {
		return nil
	}
	return v.Origin()
}
