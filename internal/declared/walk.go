package declared

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// A walk collects the declarations that the contract of a server depends on.
type walk struct {
	*module
	seen map[ref]bool
	all  []Declaration
}

// declarations returns the declarations that the generated code of the server depends on: the server, its error
// codes, and each tool, followed by the types that no earlier tool uses.
func (p *pkg) declarations() []Declaration {
	w := &walk{module: p.module, seen: map[ref]bool{}}
	for _, server := range p.servers() {
		w.visit(ref{"", server.name})
	}
	return w.all
}

// add adds a declaration and returns the names that it refers to.
func (w *walk) add(d *decl) []ref {
	t := &text{of: d}
	t.declaration()
	w.all = append(w.all, Declaration{d.kind, d.path, d.name, sum(t.String()), d.position()})
	return t.refs
}

func (d *decl) position() token.Position { return d.fset.PositionFor(d.ident.Pos(), false) }

// codes is the type of error codes. encoders are the methods that define the JSON form of a type.
var (
	codes    = ref{runtime + "fault", "Code"}
	encoders = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "IsZero"}
)

// visit adds constants, types and what belongs to the types: constants, tools, methods that define the JSON form, and
// the types that implement a sealed interface. It then visits the names that these declarations refer to.
func (w *walk) visit(refs ...ref) {
	for _, r := range refs {
		p := w.find(r.path)
		if p == nil || w.seen[r] || len(p.byName[r.name]) == 0 {
			continue
		}
		w.seen[r] = true
		var next []ref
		for _, d := range p.byName[r.name] {
			next = append(next, w.add(d)...)
		}
		if d := p.byName[r.name][0]; d.kind != Constant {
			w.visit(p.constantsOf(r)...)
			if d.kind == Server {
				w.visit(p.constantsOf(codes)...)
			}
			next = append(next, d.implementers()...)
			for _, m := range d.methods() {
				if isServed(m.docs) || slices.Contains(encoders, m.ident.Name) {
					w.visit(w.add(m)...)
				}
			}
		}
		w.visit(next...)
	}
}

// methods returns the methods of a type, sorted by name.
func (d *decl) methods() (all []*decl) {
	for _, m := range d.all {
		if m.kind == Method && strings.HasPrefix(m.name, d.name+".") {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(x, y *decl) int { return strings.Compare(x.name, y.name) })
	return all
}

// implementers returns the types of the package that have the unexported methods of an interface.
func (d *decl) implementers() (all []ref) {
	i, ok := d.spec.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	for _, m := range d.all {
		of, name, _ := strings.Cut(m.name, ".")
		sealed := func(f *ast.Field) bool { return len(f.Names) > 0 && f.Names[0].Name == name }
		if m.kind == Method && !token.IsExported(name) && slices.ContainsFunc(i.Methods.List, sealed) {
			all = append(all, ref{d.path, of})
		}
	}
	return all
}

// constantsOf returns the constants of a type that users of the package can refer to, in source order.
func (p *pkg) constantsOf(of ref) (all []ref) {
	for _, d := range p.all {
		if d.kind == Constant && d.name != "_" && (p.path == "" || token.IsExported(d.name)) {
			if t, ok := d.typeOf(d.typeOrValue(), maxFollowed); ok && t == of {
				all = append(all, ref{p.path, d.name})
			}
		}
	}
	return all
}

func (d *decl) typeOrValue() ast.Expr {
	if d.typ != nil {
		return d.typ
	}
	return d.value
}

// maxFollowed is the maximum number of declarations to follow. Without a maximum, recursive declarations would be
// followed forever.
const maxFollowed = 20

// typeOf returns the type that an expression names, through aliases, or the type of a constant expression. ok is
// false if the type has no name.
func (d *decl) typeOf(expr ast.Expr, depth int) (t ref, ok bool) {
	switch e := ast.Unparen(expr).(type) {
	case *ast.CallExpr:
		return d.typeOf(e.Fun, depth)
	case *ast.UnaryExpr:
		return d.typeOf(e.X, depth)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return ref{}, false
		}
		if t, ok = d.typeOf(e.X, depth); !ok && e.Op != token.SHL && e.Op != token.SHR {
			t, ok = d.typeOf(e.Y, depth)
		}
		return t, ok
	}
	r, ok := d.resolve(expr)
	p := d.find(r.path)
	if p == nil || !ok || depth == 0 {
		return r, ok
	}
	for _, of := range p.byName[r.name] {
		switch {
		case of.kind == Constant:
			return of.typeOf(of.typeOrValue(), depth-1)
		case of.spec.Assign.IsValid():
			return of.typeOf(of.spec.Type, depth-1)
		default:
			return r, true
		}
	}
	return ref{}, false
}
