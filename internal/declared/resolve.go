package declared

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// A ref identifies a type by its package and name. The package is "" for the package of the server.
type ref struct{ path, name string }

// importPath returns the path that a file imports under a name, or false if the file has no such import. If the
// import has no name, it guesses the name from the path.
func importPath(f *ast.File, name string) (importPath string, ok bool) {
	guess := ""
	for _, spec := range f.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
		case spec.Name != nil && spec.Name.Name == name, spec.Name == nil && path.Base(importPath) == name:
			return importPath, true
		case spec.Name == nil && assumedName(importPath) == name:
			guess = importPath
		}
	}
	return guess, guess != ""
}

// assumedName returns the likely name of a package whose path ends in a version or is not an identifier.
func assumedName(importPath string) string {
	base := path.Base(importPath)
	if n, ok := strings.CutPrefix(base, "v"); ok && path.Dir(importPath) != "." {
		if _, err := strconv.Atoi(n); err == nil {
			base = path.Base(path.Dir(importPath))
		}
	}
	base = strings.TrimPrefix(base, "go-")
	if i := strings.IndexFunc(base, func(r rune) bool { return r == '-' || r == '.' }); i >= 0 {
		base = base[:i]
	}
	return base
}

// maxFollowed is the maximum number of declarations to follow. Without a maximum, recursive declarations would be
// followed forever.
const maxFollowed = 20

// name resolves an expression to a declaration of the file's package or of an imported package.
func (f *file) name(expr ast.Expr) (ref, bool) {
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return f.name(expr.X)
	case *ast.Ident:
		return ref{f.pkg.path, expr.Name}, true
	case *ast.SelectorExpr:
		if id, ok := expr.X.(*ast.Ident); ok {
			if path, ok := importPath(f.syntax, id.Name); ok {
				return ref{path, expr.Sel.Name}, true
			}
		}
	}
	return ref{}, false
}

// typeOf returns the type that an expression names, or false if it names no type. It resolves
// aliases.
func (f *file) typeOf(expr ast.Expr) (ref, bool) {
	for range maxFollowed {
		r, ok := f.name(expr)
		if !ok {
			break
		}
		p := f.pkg.at(r.path)
		if p == nil {
			return r, true
		}
		decls := p.types[r.name]
		if len(decls) == 0 {
			break
		}
		if !decls[0].spec.Assign.IsValid() {
			return r, true
		}
		expr, f = decls[0].spec.Type, decls[0].in
	}
	return ref{}, false
}

// at returns the package with the given import path, or nil if the package belongs to another module.
func (p *pkg) at(path string) *pkg {
	if path == p.path {
		return p
	}
	return p.module.find(path)
}

// constantsOf returns the declarations of the constant that an expression names.
func (f *file) constantsOf(expr ast.Expr) []*constant {
	r, ok := f.name(expr)
	if !ok {
		return nil
	}
	if p := f.pkg.at(r.path); p != nil {
		return p.consts[r.name]
	}
	return nil
}

// typeOf returns the type of a constant if the type has a name.
func (c *constant) typeOf() (ref, bool) { return c.valueType(c.value, maxFollowed) }

func (c *constant) valueType(value ast.Expr, depth int) (ref, bool) {
	if c.typ != nil {
		return c.in.typeOf(c.typ)
	}
	if depth == 0 {
		return ref{}, false
	}
	switch v := value.(type) {
	case *ast.ParenExpr:
		return c.valueType(v.X, depth-1)
	case *ast.UnaryExpr:
		return c.valueType(v.X, depth-1)
	case *ast.CallExpr:
		return c.in.typeOf(v.Fun)
	case *ast.BinaryExpr:
		switch v.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return ref{}, false
		}
		if t, ok := c.valueType(v.X, depth-1); ok || v.Op == token.SHL || v.Op == token.SHR {
			return t, ok
		}
		return c.valueType(v.Y, depth-1)
	}
	for _, other := range c.in.constantsOf(value) {
		if t, ok := other.valueType(other.value, depth-1); ok {
			return t, true
		}
	}
	return ref{}, false
}
