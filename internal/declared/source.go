package declared

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// module holds the packages of a module that have been parsed.
type module struct {
	root, path string
	packages   map[string]*pkg // keyed by directory; nil if the directory has no package
}

// pkg holds the declarations in the handwritten files of a directory, for all platforms.
type pkg struct {
	module *module
	// path is the import path, or "" for the package of the server.
	path    string
	servers []*typeDecl
	types   map[string][]*typeDecl
	methods map[string][]*method // keyed by type name
	consts  map[string][]*constant
}

type file struct {
	pkg        *pkg
	fset       *token.FileSet
	syntax     *ast.File
	constraint string
}

type typeDecl struct {
	in   *file
	spec *ast.TypeSpec
	docs []*ast.CommentGroup
}

type method struct {
	in   *file
	decl *ast.FuncDecl
}

type constant struct {
	in   *file
	name *ast.Ident
	// typ and value come from an earlier constant of the group if the constant has neither. iota is its
	// position in the group.
	typ, value ast.Expr
	iota       int
	docs       []*ast.CommentGroup
}

// open parses the package in a directory. It returns nil if the package does not have a server.
func open(dir string) (*pkg, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	texts, err := read(dir)
	if err != nil || !hasServer(texts) {
		return nil, err
	}
	m := &module{packages: map[string]*pkg{}}
	m.root, m.path = moduleOf(dir)
	home := m.parse(dir, "", texts)
	if len(home.servers) == 0 {
		return nil, nil
	}
	return home, nil
}

func hasServer(texts map[string][]byte) bool {
	for _, text := range texts {
		if strings.Contains(string(text), "//jp:server") {
			return true
		}
	}
	return false
}

// read returns the handwritten Go files in a directory, keyed by path, without tests.
func read(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			name == Code || name[0] == '.' || name[0] == '_' {
			continue
		}
		path := filepath.Join(dir, name)
		if texts[path], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// moduleOf returns the root and the path of the module that contains a directory. It returns "" if there is no
// such module; types of other packages are then not followed.
func moduleOf(dir string) (root, path string) {
	for root = dir; ; root = filepath.Dir(root) {
		data, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			return root, modulePath(string(data))
		}
		if filepath.Dir(root) == root {
			return "", ""
		}
	}
}

// modulePath returns the module path in a go.mod file.
func modulePath(text string) string {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "module" {
			if path, err := strconv.Unquote(fields[1]); err == nil {
				return path
			}
			return fields[1]
		}
	}
	return ""
}

// runtime is the path prefix of the packages that this module provides to authors. The generated code knows
// their types, which do not change with the source.
const runtime = "github.com/jptool/jptool/sdk/"

// find returns the package with the given import path, or nil if it does not belong to the module.
func (m *module) find(importPath string) *pkg {
	rel, ok := strings.CutPrefix(importPath, m.path+"/")
	if importPath == m.path {
		rel, ok = ".", true
	}
	if name, isRuntime := strings.CutPrefix(importPath, runtime); m.path == "" || !ok || isRuntime && !strings.Contains(name, "/") {
		return nil
	}
	dir := filepath.Join(m.root, filepath.FromSlash(rel))
	if p, known := m.packages[dir]; known {
		return p
	}
	m.packages[dir] = nil
	for at := dir; at != m.root; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return nil // the package belongs to another module
		}
	}
	texts, err := read(dir)
	if err != nil || len(texts) == 0 {
		return nil
	}
	return m.parse(dir, importPath, texts)
}

// parse parses the declarations of a package. It ignores files with syntax errors, which the Go compiler
// reports.
func (m *module) parse(dir, path string, texts map[string][]byte) *pkg {
	p := &pkg{module: m, path: path, types: map[string][]*typeDecl{}, methods: map[string][]*method{}, consts: map[string][]*constant{}}
	m.packages[dir] = p
	var files []*file
	home := ""
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fset := token.NewFileSet()
		syntax, _ := parser.ParseFile(fset, name, texts[name], parser.ParseComments|parser.SkipObjectResolution)
		if syntax == nil || syntax.Name == nil {
			continue
		}
		f := &file{pkg: p, fset: fset, syntax: syntax, constraint: Constraint(syntax, name)}
		files = append(files, f)
		if home == "" && path == "" && f.hasServer() {
			home = syntax.Name.Name
		}
	}
	for _, f := range files {
		// A main program in the directory of another package can only be run with go run.
		if name := f.syntax.Name.Name; path == "" && name == home || path != "" && name != "main" {
			f.declare()
		}
	}
	return p
}

func (f *file) hasServer() bool {
	for _, decl := range f.syntax.Decls {
		for _, t := range typeDecls(f, decl) {
			if t.isServer() {
				return true
			}
		}
	}
	return false
}

func (t *typeDecl) isServer() bool { return has(t.docs, "server") }

// declare adds the declarations of a file to its package.
func (f *file) declare() {
	p := f.pkg
	for _, decl := range f.syntax.Decls {
		for _, t := range typeDecls(f, decl) {
			p.types[t.spec.Name.Name] = append(p.types[t.spec.Name.Name], t)
			if p.path == "" && t.isServer() {
				p.servers = append(p.servers, t)
			}
		}
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if name := receiver(decl); name != "" {
				p.methods[name] = append(p.methods[name], &method{f, decl})
			}
		case *ast.GenDecl:
			if decl.Tok == token.CONST {
				f.constants(decl)
			}
		}
	}
}

func typeDecls(f *file, decl ast.Decl) []*typeDecl {
	group, ok := decl.(*ast.GenDecl)
	if !ok {
		return nil
	}
	var all []*typeDecl
	for _, spec := range group.Specs {
		if t, ok := spec.(*ast.TypeSpec); ok {
			all = append(all, &typeDecl{f, t, docs(group, t.Doc, t.Comment)})
		}
	}
	return all
}

// docs returns the comments that may describe a member of a declaration group, nearest first.
func docs(group *ast.GenDecl, above, behind *ast.CommentGroup) []*ast.CommentGroup {
	if group.Lparen.IsValid() {
		return []*ast.CommentGroup{above, behind}
	}
	return []*ast.CommentGroup{above, group.Doc, behind}
}

func (f *file) constants(group *ast.GenDecl) {
	var typ ast.Expr
	var values []ast.Expr
	for i, spec := range group.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if len(spec.Values) > 0 {
			typ, values = spec.Type, spec.Values
		}
		for j, name := range spec.Names {
			c := &constant{in: f, name: name, typ: typ, iota: i, docs: docs(group, spec.Doc, spec.Comment)}
			if j < len(values) {
				c.value = values[j]
			}
			f.pkg.consts[name.Name] = append(f.pkg.consts[name.Name], c)
		}
	}
}

// receiver returns the name of the receiver type of a method, or "" for a function.
func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return ""
	}
	for expr := decl.Recv.List[0].Type; ; {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}
