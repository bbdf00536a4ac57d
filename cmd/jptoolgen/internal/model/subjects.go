package model

import (
	"go/ast"
	"go/types"
	"slices"
)

// perSubject reports whether the package asks a question only about subjects, as far as its source shows: each use of
// its field leads to a call of For, directly or through variables.
func (b *builder) perSubject(v *types.Var) bool {
	if b.parents == nil {
		b.readParents()
	}
	seen := map[*types.Var]bool{}
	var only func(v *types.Var) bool
	only = func(v *types.Var) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		return len(b.reads[v]) > 0 && !slices.ContainsFunc(b.reads[v], func(read ast.Expr) bool {
			variable, subject := b.leadsTo(read)
			return !subject && (variable == nil || !only(variable))
		})
	}
	return only(v)
}

// leadsTo reports whether a method call on an expression is For, possibly after other methods of a question. If the
// expression is passed to a function or assigned, it returns the variable instead.
func (b *builder) leadsTo(e ast.Expr) (variable *types.Var, subject bool) {
	for {
		method, ok := b.parents[e].(*ast.SelectorExpr)
		if !ok {
			break
		}
		call, ok := b.parents[method].(*ast.CallExpr)
		if !ok || call.Fun != method {
			return nil, false
		}
		if method.Sel.Name == "For" {
			return nil, true
		}
		e = call
	}
	switch parent := b.parents[e].(type) {
	case *ast.CallExpr:
		f, _ := b.pkg.Info.TypeOf(parent.Fun).(*types.Signature)
		if i := slices.Index(parent.Args, e); f != nil && i >= 0 && i < f.Params().Len() {
			return f.Params().At(i), false
		}
	case *ast.AssignStmt:
		if i := slices.Index(parent.Rhs, e); i >= 0 && len(parent.Lhs) == len(parent.Rhs) {
			if name, ok := parent.Lhs[i].(*ast.Ident); ok {
				v, _ := b.pkg.Info.ObjectOf(name).(*types.Var)
				return v, false
			}
		}
	}
	return nil, false
}

// readParents finds the expressions that read a question, by its field or variable, and the node around each expression.
func (b *builder) readParents() {
	b.parents, b.reads = map[ast.Node]ast.Node{}, map[*types.Var][]ast.Expr{}
	for _, file := range b.pkg.Files {
		var around []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			if e, ok := n.(ast.Expr); ok && len(around) > 0 {
				b.parents[e] = around[len(around)-1]
				if v := b.readBy(e); v != nil {
					b.reads[v] = append(b.reads[v], e)
				}
			}
			around = append(around, n)
			return true
		})
	}
}

// readBy returns the field or variable of a question that an expression reads, nil for another expression.
func (b *builder) readBy(e ast.Expr) *types.Var {
	var v *types.Var
	switch e := e.(type) {
	case *ast.SelectorExpr:
		v, _ = b.pkg.Info.Uses[e.Sel].(*types.Var)
	case *ast.Ident:
		v, _ = b.pkg.Info.Uses[e].(*types.Var)
		if v != nil && v.IsField() {
			return nil // read as a part of a selector
		}
	}
	if v == nil {
		return nil
	}
	if _, _, ok := questionType(v.Type()); !ok {
		return nil
	}
	return v.Origin()
}
