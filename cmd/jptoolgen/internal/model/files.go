package model

import (
	"go/ast"
	"go/types"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// usesFiles reports whether a method, or a function of its package that it refers to, calls the Files or the
// Root method of a tool.Call.
func (b *builder) usesFiles(method *types.Func) bool {
	if b.bodies == nil {
		b.bodies = b.functions()
	}
	seen := map[*types.Func]bool{method: true}
	for next := []*types.Func{method}; len(next) > 0; {
		f := next[0]
		next = next[1:]
		for _, used := range b.mentioned(b.bodies[f]) {
			if isFiles(used) {
				return true
			}
			if _, own := b.bodies[used]; own && !seen[used] {
				seen[used] = true
				next = append(next, used)
			}
		}
	}
	return false
}

// functions returns the bodies of the package's functions and methods.
func (b *builder) functions() map[*types.Func]*ast.BlockStmt {
	all := map[*types.Func]*ast.BlockStmt{}
	for _, file := range b.pkg.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
				if f, ok := b.pkg.Info.Defs[decl.Name].(*types.Func); ok {
					all[f] = decl.Body
				}
			}
		}
	}
	return all
}

// mentioned returns the functions that a body refers to, in source order.
func (b *builder) mentioned(body *ast.BlockStmt) []*types.Func {
	var all []*types.Func
	if body == nil {
		return nil
	}
	for node := range ast.Preorder(body) {
		if id, ok := node.(*ast.Ident); ok {
			if f, ok := b.pkg.Info.Uses[id].(*types.Func); ok {
				all = append(all, f.Origin())
			}
		}
	}
	return all
}

// isFiles reports whether a function is (*tool.Call).Files or (*tool.Call).Root.
func isFiles(f *types.Func) bool {
	recv := f.Signature().Recv()
	if recv == nil || f.Name() != "Files" && f.Name() != "Root" {
		return false
	}
	pointer, ok := types.Unalias(recv.Type()).(*types.Pointer)
	return ok && sdktypes.Is(pointer.Elem(), sdktypes.Tool, "Call")
}
