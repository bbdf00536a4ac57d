package directive

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// Sites maps positions to directives. The key for the directives of a declaration is the position of the
// declared name. The key for a directive that applies to a line is its own position.
type Sites map[token.Pos]Lines

// Lines are the directives of one declaration.
type Lines []Directive

// Get returns the directive with the given name on the declaration whose name is at pos.
func (s Sites) Get(pos token.Pos, name string) (Directive, bool) { return s[pos].Get(name) }

// Get returns the directive with the given name.
func (l Lines) Get(name string) (Directive, bool) {
	return first(l, func(d Directive) bool { return d.Name == name })
}

// Read returns the directives of a file that was parsed with comments. It adds findings about invalid, repeated
// and misplaced directives to list.
func Read(file *ast.File, list *diag.List) Sites {
	sites := Sites{}
	declared := declarations(file)
	for _, group := range file.Comments {
		on, attached := declared[group]
		for _, c := range group.List {
			d, ok := Parse(c, list)
			if !ok {
				continue
			}
			spec, _ := find(d.Name)
			_, repeated := sites.Get(on.pos, d.Name)
			switch {
			case spec.Place == OnLine:
				d.Behind = Behind(file, list, d.Pos)
				sites[d.Pos] = []Directive{d}
			case !attached || !slices.Contains(on.places, spec.Place):
				fault := "has no effect on " + on.name
				if !attached || slices.Contains(on.places, OnField) {
					fault = "is not above a declaration"
				}
				list.Add(d.Pos, diag.MisplacedLine, "//jp:%s %s", d.Name, fault).Suggest("it belongs %s", spec.Place)
			case repeated && !spec.Many:
				advice := "delete one"
				if spec.Words != "" && spec.Count == 0 {
					advice = "write all its words on one line"
				}
				list.Add(d.Pos, diag.Repeated, "duplicate //jp:%s on %s", d.Name, on.name).Suggest("%s", advice)
			default:
				sites[on.pos] = append(sites[on.pos], d)
			}
		}
	}
	return sites
}

// Behind reports whether pos follows code on its line.
func Behind(file *ast.File, list *diag.List, pos token.Pos) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		found = found || n.Pos() < pos && list.SameLine(n.Pos(), pos) || n.End() <= pos && list.SameLine(n.End()-1, pos)
		return !found
	})
	return found
}

// A declaration is a node that a comment can be attached to.
type declaration struct {
	name   string
	pos    token.Pos
	places []Place
}

func declarations(file *ast.File) map[*ast.CommentGroup]declaration {
	declared := map[*ast.CommentGroup]declaration{}
	add := func(group *ast.CommentGroup, d declaration) {
		if group != nil {
			declared[group] = d
		}
	}
	add(file.Doc, declaration{name: "a package"})
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d := declaration{name: decl.Name.Name, pos: decl.Name.Pos()}
			if decl.Recv != nil {
				d.places = []Place{OnMethod}
			}
			add(decl.Doc, d)
		case *ast.GenDecl:
			add(decl.Doc, declaration{name: "a declaration of several names"})
			for _, spec := range decl.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok {
					add(decl.Doc, declaration{name: "a " + decl.Tok.String()})
					continue
				}
				add(t.Doc, onType(t))
				if st, ok := t.Type.(*ast.StructType); ok {
					for _, f := range st.Fields.List {
						add(f.Doc, onField(f))
					}
				}
				if !decl.Lparen.IsValid() {
					add(decl.Doc, onType(t))
				}
			}
		}
	}
	return declared
}

func onField(f *ast.Field) declaration {
	if names := FieldNames(f); len(names) == 1 {
		return declaration{name: names[0].Name, pos: names[0].Pos(), places: []Place{OnField}}
	}
	return declaration{name: "several fields"}
}

// FieldNames returns the names of a field. For an embedded field, this is the name of its type.
func FieldNames(f *ast.Field) []*ast.Ident {
	if len(f.Names) > 0 {
		return f.Names
	}
	for expr := f.Type; ; {
		switch e := expr.(type) {
		case *ast.Ident:
			return []*ast.Ident{e}
		case *ast.StarExpr:
			expr = e.X
		case *ast.SelectorExpr:
			return []*ast.Ident{e.Sel}
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		default:
			return nil
		}
	}
}

func onType(t *ast.TypeSpec) declaration {
	if t.Assign.IsValid() {
		return declaration{name: "the alias " + t.Name.Name, pos: t.Name.Pos()}
	}
	d := declaration{name: t.Name.Name, pos: t.Name.Pos(), places: []Place{OnType}}
	if _, ok := t.Type.(*ast.StructType); ok {
		d.places = append(d.places, OnStruct)
	}
	return d
}
