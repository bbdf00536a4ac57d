package declared

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A module holds the parsed packages of a module, keyed by import path. The path of the server's package is "". A
// package that belongs to another module is nil.
type module struct {
	root, path string
	fset       *token.FileSet
	packages   map[string]*pkg
}

// A pkg holds the declarations in the handwritten files of a directory, for all platforms, in order.
type pkg struct {
	*module
	path, name string
	all        []*decl
	byName     map[string][]*decl // the name of a method starts with its type
}

// A ref identifies a declaration.
type ref struct{ path, name string }

// A decl is a type, a method or a constant.
type decl struct {
	*pkg
	file  *ast.File
	kind  Kind
	name  string
	ident *ast.Ident
	docs  []*ast.CommentGroup
	spec  *ast.TypeSpec
	fn    *ast.FuncDecl
	// typ and value come from an earlier constant of the group if the constant has neither. iota is its
	// position in the group.
	typ, value ast.Expr
	iota       int
}

// runtime is the path prefix of the packages that this module provides to authors. The generated code knows
// their types, which do not change with the source.
const runtime = "github.com/jptool/jptool/sdk/"

// open parses the package in a directory. It returns nil if the package does not have a server.
func open(dir string) (*pkg, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	m := &module{fset: token.NewFileSet(), packages: map[string]*pkg{}}
	for root := dir; m.root == "" && root != filepath.Dir(root); root = filepath.Dir(root) {
		if text, err := os.ReadFile(filepath.Join(root, "go.mod")); err == nil {
			m.root = root
			if line := regexp.MustCompile("(?m)^\\s*module\\s+[\"`]?([^\\s\"`]+)").FindSubmatch(text); line != nil {
				m.path = string(line[1])
			}
		}
	}
	m.packages[""], err = m.parse(dir, "")
	return m.packages[""], err
}

// find returns the package with the given import path, or nil if it does not belong to the module.
func (m *module) find(importPath string) *pkg {
	if p, known := m.packages[importPath]; known {
		return p
	}
	m.packages[importPath] = nil
	rel, ok := strings.CutPrefix(importPath+"/", m.path+"/")
	name, isRuntime := strings.CutPrefix(importPath, runtime)
	if m.path == "" || !ok || isRuntime && !strings.Contains(name, "/") {
		return nil
	}
	dir := filepath.Join(m.root, filepath.FromSlash(rel))
	for at := dir; at != m.root; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return nil // the package belongs to another module
		}
	}
	m.packages[importPath], _ = m.parse(dir, importPath) // the Go compiler reports a missing package
	return m.packages[importPath]
}

// parse parses the declarations of a package. It ignores files with syntax errors, which the Go compiler reports,
// and files of other packages in the same directory, such as programs for go run. It returns nil if there is no
// package or, for the path "", no server.
func (m *module) parse(dir, importPath string) (*pkg, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	marked := importPath != ""
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || name == Code || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			name[0] == '.' || name[0] == '_' {
			continue
		}
		if texts[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
		marked = marked || bytes.Contains(texts[name], []byte("//jp:server"))
	}
	var found []*pkg
	for _, e := range entries {
		text, ok := texts[e.Name()]
		if !ok || !marked {
			continue
		}
		name := filepath.Join(dir, e.Name())
		file, _ := parser.ParseFile(m.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil || file.Name == nil {
			continue
		}
		at := slices.IndexFunc(found, func(p *pkg) bool { return p.name == file.Name.Name })
		if at < 0 {
			p := &pkg{module: m, path: importPath, name: file.Name.Name, byName: map[string][]*decl{}}
			at, found = len(found), append(found, p)
		}
		found[at].declare(file)
	}
	for _, p := range found {
		for _, m := range p.all {
			of, _, _ := strings.Cut(m.name, ".")
			for _, t := range p.byName[of] {
				if t.kind == Type && (isServed(m.docs) || has(t.docs, "server")) {
					t.kind = Server
				}
			}
		}
	}
	wanted := func(p *pkg) bool {
		return importPath != "" && p.name != "main" || importPath == "" && len(p.servers()) > 0
	}
	if at := slices.IndexFunc(found, wanted); at >= 0 {
		return found[at], nil
	}
	return nil, nil
}

// servers returns the types with a //jp:server line.
func (p *pkg) servers() (all []*decl) {
	for _, d := range p.all {
		if d.kind == Server && has(d.docs, "server") {
			all = append(all, d)
		}
	}
	return all
}

// declare adds the declarations of a file.
func (p *pkg) declare(file *ast.File) {
	add := func(d *decl, name string, ident *ast.Ident, docs ...*ast.CommentGroup) {
		d.pkg, d.file, d.name, d.ident, d.docs = p, file, name, ident, docs
		p.all, p.byName[d.name] = append(p.all, d), append(p.byName[d.name], d)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil && len(d.Recv.List) > 0 {
				of, _, _ := strings.Cut(strings.Trim(types.ExprString(d.Recv.List[0].Type), "*()"), "[")
				add(&decl{kind: Method, fn: d}, of+"."+d.Name.Name, d.Name, d.Doc)
			}
		case *ast.GenDecl:
			var typ ast.Expr
			var values []ast.Expr
			whole := d.Doc
			if d.Lparen.IsValid() {
				whole = nil
			}
			for i, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(&decl{kind: Type, spec: spec}, spec.Name.Name, spec.Name, spec.Doc, whole, spec.Comment)
				case *ast.ValueSpec:
					if len(spec.Values) > 0 {
						typ, values = spec.Type, spec.Values
					}
					for j, name := range spec.Names {
						if d.Tok == token.CONST && j < len(values) {
							c := &decl{kind: Constant, typ: typ, value: values[j], iota: i}
							add(c, name.Name, name, spec.Doc, whole, spec.Comment)
						}
					}
				}
			}
		}
	}
}

// resolve returns the declaration that a name refers to, or false for other expressions.
func (d *decl) resolve(expr ast.Expr) (ref, bool) {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return ref{d.path, expr.Name}, true
	case *ast.SelectorExpr:
		if id, ok := expr.X.(*ast.Ident); ok {
			if importPath := d.imported(id.Name); importPath != "" {
				return ref{importPath, expr.Sel.Name}, true
			}
		}
	}
	return ref{}, false
}

// imported returns the path that the file imports under a name, or "".
func (d *decl) imported(name string) string {
	for _, spec := range d.file.Imports {
		importPath, _ := strconv.Unquote(spec.Path.Value) // the parser accepts only valid strings
		switch {
		case spec.Name != nil:
			if spec.Name.Name == name {
				return importPath
			}
		case path.Base(importPath) == name:
			return importPath
		default:
			if p := d.find(importPath); p != nil && p.name == name {
				return importPath
			}
		}
	}
	return ""
}
