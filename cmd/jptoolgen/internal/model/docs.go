package model

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/internal/declared"
)

// docs provides the comments, tags and directives of declarations in this package and in the packages whose
// types it uses. It implements [schema.Source] for the model.
type docs struct {
	pkg   *Package
	list  *diag.List
	files map[string]*notes
	// overlays are the descriptions that replace comments.
	overlays map[types.Object]*overlay
	// enums are the //jp:enum lines above the server, by the type that they are about.
	enums map[types.Object]*enumLine
	// unbuilt holds the results of [docs.Unbuilt].
	unbuilt map[*types.TypeName][]string
	// constraint is the build constraint of the server.
	constraint string
	// foreign holds the //jp:foreign lines of the server.
	foreign []*foreignLine
}

// notes are the comments, tags and directives of one file.
type notes struct {
	names map[declPosition]note
	sites directive.Sites
	ours  bool // a file of the package itself
}

// A declPosition is a declared name and its line. Positions in compiled packages differ from positions in parsed files,
// but have the same lines.
type declPosition struct {
	file string // the file name without the directory
	line int
	name string
}

type note struct {
	text       string
	pos        token.Pos
	tag        token.Pos
	literal    string
	form       schema.ConstForm
	directives directive.Lines
}

func newDocs(pkg *Package, list *diag.List) *docs {
	d := &docs{
		pkg: pkg, list: list, files: map[string]*notes{}, overlays: map[types.Object]*overlay{},
		enums: map[types.Object]*enumLine{}, unbuilt: map[*types.TypeName][]string{},
	}
	for _, f := range pkg.Files {
		n := d.read(f, false, list)
		n.ours = true
		d.files[pkg.Fset.PositionFor(f.Package, false).Filename] = n
	}
	return d
}

// read indexes a file under its own name or, if said is set, under the names that its //line comments give. It
// adds invalid directives to list.
func (d *docs) read(file *ast.File, said bool, list *diag.List) *notes {
	n := &notes{names: map[declPosition]note{}, sites: directive.Read(file, list)}
	add := func(id *ast.Ident, at note, groups ...*ast.CommentGroup) {
		for _, g := range groups {
			if at.text == "" {
				at.text = declared.Comment(g)
			}
		}
		at.pos, at.directives = id.Pos(), n.sites[id.Pos()]
		n.names[declPosition{filepath.Base(d.pkg.Fset.PositionFor(id.Pos(), said).Filename), d.pkg.Fset.PositionFor(id.Pos(), false).Line, id.Name}] = at
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			add(node.Name, note{}, node.Doc)
		case *ast.GenDecl:
			whole := node.Doc
			if node.Lparen.IsValid() {
				whole = nil
			}
			var values []ast.Expr // of the last constant that has its own
			for _, spec := range node.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, note{}, spec.Doc, whole, spec.Comment)
				case *ast.ValueSpec:
					if len(spec.Values) > 0 {
						values = spec.Values
					}
					for i, id := range spec.Names {
						at := note{}
						at.form.Listed = node.Lparen.IsValid() && len(node.Specs) == 1
						if i < len(spec.Values) {
							_, at.form.Literal = ast.Unparen(spec.Values[i]).(*ast.BasicLit)
						}
						if i < len(values) {
							at.form.Shift = hasShift(values[i])
						}
						add(id, at, spec.Doc, whole, spec.Comment)
					}
				}
			}
		case *ast.StructType:
			for _, field := range node.Fields.List {
				at := note{}
				if field.Tag != nil {
					at.tag, at.literal = field.Tag.Pos(), field.Tag.Value
				}
				for _, id := range directive.FieldNames(field) {
					add(id, at, field.Doc, field.Comment)
				}
			}
		}
		return true
	})
	return n
}

// find returns the note about an object. It returns false if the file that declares the object cannot be read.
func (d *docs) find(obj types.Object) (note, bool) {
	pos := d.pkg.Fset.PositionFor(obj.Pos(), false) // the position without the effect of //line comments
	if pos.Filename == "" {
		return note{}, false
	}
	file, known := d.files[pos.Filename]
	if !known {
		list := d.list
		if !d.Ours(obj.Pkg()) {
			list = diag.NewList(d.pkg.Fset, "") // findings in other modules are dropped, because they cannot be fixed here
		}
		file = d.open(pos.Filename, obj.Pkg(), list)
		d.files[pos.Filename] = file
	}
	if file == nil {
		return note{}, false
	}
	return file.names[declPosition{filepath.Base(pos.Filename), pos.Line, obj.Name()}], true
}

// open indexes the file of a package that a position names. It returns nil if the file cannot be read. A
// position in a compiled package can have the file name of a //line comment but the line number of the file that
// contains the comment. open then indexes all Go files of the package.
func (d *docs) open(name string, pkg *types.Package, list *diag.List) *notes {
	if syntax, err := d.pkg.Parse(name); err == nil {
		return d.read(syntax, false, list)
	}
	if filepath.Ext(name) == ".go" || !d.Ours(pkg) {
		return nil
	}
	// The package directories of a module match the import paths.
	rel, err := filepath.Rel(d.pkg.Types.Path(), pkg.Path())
	if err != nil {
		return nil
	}
	dir := filepath.Join(d.pkg.Dir, rel)
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	all := &notes{names: map[declPosition]note{}}
	for _, f := range files {
		if filepath.Ext(f.Name()) != ".go" {
			continue
		}
		if syntax, err := d.pkg.Parse(filepath.Join(dir, f.Name())); err == nil {
			maps.Copy(all.names, d.read(syntax, true, diag.NewList(d.pkg.Fset, "")).names)
		}
	}
	return all
}

// Doc implements [schema.Source].
func (d *docs) Doc(obj types.Object) (string, bool) {
	if field, ok := obj.(*types.Var); ok {
		obj = field.Origin()
	}
	if o := d.overlays[obj]; o != nil {
		o.used = true
		return o.text, true
	}
	n, ok := d.find(obj)
	return Prose(obj.Name(), n.text), ok
}

// comment returns the comment on an object as written.
func (d *docs) comment(obj types.Object) string {
	n, _ := d.find(obj)
	return n.text
}

// Pos implements [schema.Source].
func (d *docs) Pos(obj types.Object) token.Pos {
	if n, ok := d.find(obj); ok && n.pos.IsValid() {
		return n.pos
	}
	return obj.Pos()
}

// Tag implements [schema.Source].
func (d *docs) Tag(field *types.Var) (token.Pos, string) {
	n, _ := d.find(field)
	return n.tag, n.literal
}

// Custom implements [schema.Source].
func (d *docs) Custom(t *types.TypeName) *schema.Custom {
	line, ok := d.directive(t, "schema")
	if !ok {
		return nil
	}
	return customOf(line)
}

// Form implements [schema.Source].
func (d *docs) Form(c *types.Const) schema.ConstForm {
	n, _ := d.find(c)
	return n.form
}

func hasShift(value ast.Expr) bool {
	for n := range ast.Preorder(value) {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.SHL {
			return true
		}
	}
	return false
}

// Ours implements [schema.Source].
func (d *docs) Ours(pkg *types.Package) bool {
	return pkg != nil && (pkg == d.pkg.Types || d.pkg.Ours(pkg.Path()))
}

func (d *docs) directive(obj types.Object, name string) (directive.Directive, bool) {
	n, _ := d.find(obj)
	return n.directives.Get(name)
}
