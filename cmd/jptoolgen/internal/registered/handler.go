package registered

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// handler finds the function that a handler expression refers to.
func (r *reader) handler(h *Handler, e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		if name := r.capturedName(e); name != "" {
			h.Reason = "it is a function literal that captures " + name + " from the enclosing function; make it a method of a type that has " + name + " as a field"
			return
		}
		h.Literal = e
		h.Plain, h.Session = onlyValue(e.Body), r.session(e.Body)
		return
	case *ast.Ident, *ast.SelectorExpr:
		if r.function(h, e) {
			return
		}
		if name, ok := e.(*ast.Ident); ok {
			if value := r.single(name); value != nil {
				r.handler(h, value)
				return
			}
		}
	case *ast.CallExpr:
		if f, path := r.callee(e); path == MCPGo && len(e.Args) == 1 {
			h.Wrap = f
			r.handler(h, e.Args[0])
			return
		}
		h.Reason = "it is the result of a call; make it a method of a type with the parameters of the call as fields"
		return
	}
	if h.Reason == "" {
		h.Reason = "it is not a function or a method"
	}
}

// function stores a function, or a method of a value, as the handler. It reports whether e is one.
func (r *reader) function(h *Handler, e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	if s, is := e.(*ast.SelectorExpr); is {
		name, ok = s.Sel, true
	}
	f, is := r.info.Uses[name].(*types.Func)
	if !ok || !is {
		return false
	}
	h.Func = f
	if d := r.funcs[f]; d != nil && d.Body != nil {
		h.Plain, h.Session = onlyValue(d.Body), r.session(d.Body)
	}
	s, is := e.(*ast.SelectorExpr)
	if !is || r.info.Selections[s] == nil {
		return true
	}
	switch x := ast.Unparen(s.X).(type) {
	case *ast.CompositeLit, *ast.UnaryExpr, *ast.Ident, *ast.SelectorExpr, *ast.CallExpr:
		h.Recv = r.info.TypeOf(x)
	}
	if h.Recv == nil {
		h.Reason = "it is a method of a value that is not a variable"
	}
	return true
}

// capturedName returns the name of a variable that a function literal uses but does not declare, or "" if there is
// none.
func (r *reader) capturedName(literal *ast.FuncLit) string {
	for n := range ast.Preorder(literal) {
		id, ok := n.(*ast.Ident)
		if !ok {
			continue
		}
		object := r.info.Uses[id]
		if object == nil || object.Pkg() != r.pkg.Types || object.Parent() == r.pkg.Types.Scope() || object.Parent() == nil {
			continue // the name is not a local variable
		}
		if _, is := object.(*types.PkgName); !is && (object.Pos() < literal.Pos() || object.Pos() >= literal.End()) {
			return id.Name
		}
	}
	return ""
}

// session returns the position where a handler uses the session of its request, or [token.NoPos].
func (r *reader) session(body *ast.BlockStmt) token.Pos {
	for n := range ast.Preorder(body) {
		e, ok := n.(*ast.SelectorExpr)
		if !ok || r.info.Uses[e.Sel] == nil || r.info.Uses[e.Sel].Pkg() == nil {
			continue
		}
		path, name := r.info.Uses[e.Sel].Pkg().Path(), e.Sel.Name
		if path == GoSDK && (name == "Session" || name == "GetSession") || path == mcpGoRun && strings.HasSuffix(name, "FromContext") {
			return e.Pos()
		}
	}
	return token.NoPos
}

// returns lists the return statements of a function, except those of function literals in it.
func returns(body *ast.BlockStmt) []*ast.ReturnStmt {
	var all []*ast.ReturnStmt
	ast.Inspect(body, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok {
			all = append(all, ret)
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	return all
}

// onlyValue reports whether a function with three results returns nil as the first result in every return statement.
func onlyValue(body *ast.BlockStmt) bool {
	return !slices.ContainsFunc(returns(body), func(ret *ast.ReturnStmt) bool {
		if len(ret.Results) != 3 {
			return true
		}
		id, ok := ret.Results[0].(*ast.Ident)
		return !ok || id.Name != "nil"
	})
}
