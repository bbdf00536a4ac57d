package declared

import (
	"cmp"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// walk collects the declarations that the contract of a server depends on.
type walk struct {
	seen map[ref]bool
	next []typeUse
	all  []Declaration
}

// A typeUse is a reference to a type, with the package that contains the reference.
type typeUse struct {
	ref
	from *pkg
}

// declarations returns the declarations that the generated code of a server depends on: the server, its error
// codes, and each tool. They are sorted by name, and each tool is followed by the types that no earlier tool uses.
func (p *pkg) declarations() []Declaration {
	w := &walk{seen: map[ref]bool{}}
	for _, server := range p.servers {
		w.add(server.in, Server, server.spec.Name, server.spec.Name.Name, func(pr *printer) {
			pr.describe(server.docs)
			pr.write("constraint %s", server.in.constraint)
			pr.includes(server)
		})
	}
	w.constants(p.constantsOf(ref{runtime + "fault", "Code"}))
	for _, server := range p.servers {
		w.tools(server)
	}
	return w.all
}

// tools adds the tools of a type and of the types that the type includes.
func (w *walk) tools(of *typeDecl) {
	p, name := of.in.pkg, of.spec.Name.Name
	methods := slices.Clone(p.methods[name])
	slices.SortStableFunc(methods, func(x, y *method) int { return strings.Compare(x.decl.Name.Name, y.decl.Name.Name) })
	for _, m := range methods {
		if docs := []*ast.CommentGroup{m.decl.Doc}; has(docs, "tool") {
			w.method(name, m, docs)
			w.follow()
		}
	}
	for _, f := range of.includes() {
		typ := f.Type
		if pointer, ok := typ.(*ast.StarExpr); ok {
			typ = pointer.X
		}
		r, ok := of.in.typeOf(typ)
		at := p.at(r.path)
		if !ok || at == nil || w.seen[r] {
			continue
		}
		w.seen[r] = true
		if at.path != "" {
			w.constants(at.constantsOf(ref{runtime + "fault", "Code"}))
		}
		for _, t := range at.types[r.name] {
			w.add(t.in, Server, t.spec.Name, r.name, func(pr *printer) { pr.includes(t) })
			w.tools(t)
		}
	}
}

// includes returns the fields of a struct with a //jp:include line.
func (t *typeDecl) includes() []*ast.Field {
	st, ok := t.spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(st.Fields.List), func(f *ast.Field) bool { return !has([]*ast.CommentGroup{f.Doc}, "include") })
}

// includes writes the included fields of a struct. Unlike the types of other fields, their types are not
// followed.
func (p *printer) includes(t *typeDecl) {
	for _, f := range t.includes() {
		for _, name := range f.Names {
			p.write("field %s", name.Name)
		}
		p.expr(f.Type)
		for _, d := range directives(f.Doc) {
			p.write("directive %s %q", d.Name, d.Args)
		}
	}
	p.named = nil
}

// follow adds the types that the collected declarations refer to.
func (w *walk) follow() {
	for len(w.next) > 0 {
		n := w.next[0]
		w.next = w.next[1:]
		if at := n.from.at(n.path); at != nil && !w.seen[n.ref] {
			w.seen[n.ref] = true
			w.types(at, n.ref)
		}
	}
}

// add adds a declaration with the digest of the text that print writes.
func (w *walk) add(f *file, kind Kind, at *ast.Ident, name string, print func(*printer)) {
	p := &printer{place: place{in: f}}
	print(p)
	w.all = append(w.all, Declaration{
		Kind: kind, Package: f.pkg.path, Name: name, Digest: sum(p.text.String()), Pos: f.position(at.Pos()), Constraint: f.constraint,
	})
	for _, r := range p.named {
		w.next = append(w.next, typeUse{r, f.pkg})
	}
}

// method adds a method of a type.
func (w *walk) method(of string, m *method, docs []*ast.CommentGroup) {
	w.add(m.in, Method, m.decl.Name, of+"."+m.decl.Name.Name, func(p *printer) {
		p.describe(docs)
		if _, pointer := m.decl.Recv.List[0].Type.(*ast.StarExpr); pointer {
			p.write("pointer")
		}
		p.signature(m.decl.Type)
		p.schemas(m)
	})
}

// schemas writes the digest of the file with the exact schemas of a tool. The file is named after the tool,
// whose name is either an argument of the directive or the method's name with underscores.
func (p *printer) schemas(m *method) {
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	for _, d := range directives(m.decl.Doc) {
		if d.Name != "tool" || !strings.Contains(d.Args, "exact") {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(m.in.position(m.decl.Pos()).Filename), "*"+schemaSuffix)) // cannot fail: the pattern is valid
		for _, file := range files {
			tool := strings.TrimSuffix(filepath.Base(file), schemaSuffix)
			if data, err := os.ReadFile(file); err == nil && (strings.Contains(d.Args, tool) || plain(tool) == plain(m.decl.Name.Name)) {
				p.write("schema %s", sum(string(data)))
			}
		}
	}
}

const schemaSuffix = ".schema.json"

// encoders are the methods that define the JSON form of a type.
var encoders = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "IsZero"}

// types adds the declarations of a type, its encoders and its constants.
func (w *walk) types(p *pkg, r ref) {
	constants := p.constantsOf(r)
	var values []string // the order of constants is part of the contract
	for _, c := range constants {
		values = append(values, c.name.Name)
	}
	for _, t := range p.types[r.name] {
		w.add(t.in, Type, t.spec.Name, r.name, func(pr *printer) {
			pr.describe(t.docs)
			if t.spec.Assign.IsValid() {
				pr.write("alias")
			}
			if t.spec.TypeParams != nil {
				for _, param := range t.spec.TypeParams.List {
					for _, name := range param.Names {
						pr.write("parameter %s", name.Name)
					}
					pr.expr(param.Type)
				}
			}
			pr.expr(t.spec.Type)
			pr.write("values %q", values)
			if sealed := p.implementers(t.spec.Type); len(sealed) > 0 {
				pr.write("implemented by %q", sealed)
				for _, name := range sealed {
					pr.named = append(pr.named, ref{r.path, name})
				}
			}
		})
	}
	if len(p.types[r.name]) == 0 {
		return // the name is a constant, a type parameter, or predeclared
	}
	for _, m := range p.methods[r.name] {
		if slices.Contains(encoders, m.decl.Name.Name) {
			w.method(r.name, m, nil)
		}
	}
	w.constants(constants)
}

// implementers returns the types of the package that have the unexported methods of an interface.
func (p *pkg) implementers(t ast.Expr) (names []string) {
	i, ok := t.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	for _, m := range i.Methods.List {
		for _, name := range m.Names {
			for of, methods := range p.methods {
				if !name.IsExported() && slices.ContainsFunc(methods, func(m *method) bool { return m.decl.Name.Name == name.Name }) {
					names = append(names, of)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (w *walk) constants(all []*constant) {
	for _, c := range all {
		w.add(c.in, Constant, c.name, c.name.Name, func(p *printer) {
			p.describe(c.docs)
			p.value(c)
			p.named = nil // the constants of a type are added with the type
		})
	}
}

// constantsOf returns the constants of a type that users of the package can refer to, in source order.
func (p *pkg) constantsOf(of ref) []*constant {
	var all []*constant
	for name, decls := range p.consts {
		if name == "_" || p.path != "" && !token.IsExported(name) {
			continue
		}
		for _, c := range decls {
			if t, ok := c.typeOf(); ok && t == of {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(x, y *constant) int {
		a, b := x.in.position(x.name.Pos()), y.in.position(y.name.Pos())
		return cmp.Or(strings.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset))
	})
	return all
}

func (f *file) position(pos token.Pos) token.Position { return f.fset.PositionFor(pos, false) }

// unusedDeclaration returns a Declaration for a name that the contract no longer depends on. Its position is
// the position of the declaration if it still exists, and otherwise the position of the server.
func (p *pkg) unusedDeclaration(name string, server token.Position) Declaration {
	kind, name, _ := strings.Cut(name, " ")
	d := Declaration{Kind: Kind(kind), Name: name, Pos: server}
	of, method, isMethod := strings.Cut(name, ".")
	switch {
	case d.Kind == Method && isMethod:
		for _, m := range p.methods[of] {
			if m.decl.Name.Name == method {
				d.Pos = m.in.position(m.decl.Name.Pos())
			}
		}
	case d.Kind == Constant:
		for _, c := range p.consts[name] {
			d.Pos = c.in.position(c.name.Pos())
		}
	case d.Kind == Type, d.Kind == Server:
		for _, t := range p.types[name] {
			d.Pos = t.in.position(t.spec.Name.Pos())
		}
	}
	return d
}
