package model

import (
	"go/ast"
	"go/types"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// usesFiles reports whether a method, or a function of its package that it refers to, calls the Files or the
// Root method of a tool.Call. seen holds the functions that were already searched.
func (b *builder) usesFiles(f *types.Func, seen map[*types.Func]bool) bool {
	body := b.functions()[f]
	if body == nil || seen[f] {
		return false
	}
	seen[f] = true
	for node := range ast.Preorder(body) {
		id, _ := node.(*ast.Ident)
		used, ok := b.pkg.Info.Uses[id].(*types.Func)
		if ok && (filesCalls[used.FullName()] || b.usesFiles(used.Origin(), seen)) {
			return true
		}
	}
	return false
}

// filesCalls holds the methods of a tool.Call with which a tool uses files.
var filesCalls = map[string]bool{"(*" + sdktypes.Tool + ".Call).Files": true, "(*" + sdktypes.Tool + ".Call).Root": true}

// functions returns the bodies of the package's functions and methods.
func (b *builder) functions() map[*types.Func]*ast.BlockStmt {
	if b.bodies != nil {
		return b.bodies
	}
	b.bodies = map[*types.Func]*ast.BlockStmt{}
	for _, file := range b.pkg.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				f, _ := b.pkg.Info.Defs[decl.Name].(*types.Func)
				b.bodies[f] = decl.Body
			}
		}
	}
	return b.bodies
}
