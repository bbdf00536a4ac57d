package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// Constructor is the name of the generated function that creates the server.
const Constructor = "NewServer"

// ElicitorName returns the name of the generated interface that answers the questions of a method. The interface
// is exported if the method is.
func ElicitorName(method string) string { return method + "Elicitor" }

// CallerName returns the name of the generated function that calls a method with an elicitor.
func CallerName(method string) string {
	if ast.IsExported(method) {
		return "Call" + method
	}
	return "call" + schema.Title(method)
}

// Declares returns the names that the code generated for s declares for t, except those that it chooses freely.
func (t *Tool) Declares(s *Server) (names []string) {
	if t.InProcess(s) {
		names = append(names, ElicitorName(t.GoName()), CallerName(t.GoName()))
	}
	if t.HasURI() {
		names = append(names, URIName(t.GoName()))
	}
	return names
}

// checkNamesTaken reports declarations that conflict with names that the generated file declares, or with predeclared
// identifiers that it uses.
func (b *builder) checkNamesTaken(s *Server) {
	for _, name := range b.pkg.Types.Scope().Names() {
		if obj := b.pkg.Types.Scope().Lookup(name); b.handwritten(obj) && hides(obj) {
			b.list.Add(obj.Pos(), diag.TakenName, "%s is declared here, but the generated file needs Go's predeclared identifier", name).Suggest("rename it")
		}
	}
	others, fset := b.others()
	for _, name := range others.Scope().Names() {
		if obj := others.Scope().Lookup(name); hides(obj) {
			b.list.AddAt(fset.Position(obj.Pos()), diag.TakenName,
				"%s is declared here, but the generated file needs Go's predeclared identifier", name).Suggest("rename it")
		}
	}
	b.checkNameTaken(Constructor, "too", "rename it")
	first := map[string]*Tool{}
	for _, t := range s.Tools {
		for _, name := range t.Declares(s) {
			b.checkNameTaken(name, "for "+string(t.Kind)+" "+t.Name, "rename it, or method "+t.Method.Name())
			switch other, taken := first[name]; {
			case taken && other.Method == t.Method:
				b.list.Add(t.Method.Pos(), diag.TakenName, "the generated file would declare %s twice, because the server includes %s twice", name, t.Of.Name()).
					Suggest("include %s once, or move it to another package", t.Of.Name())
			case taken:
				b.list.Add(t.Method.Pos(), diag.TakenName, "the generated file would declare %s for both method %s and method %s", name, t.Method.Name(), other.Method.Name()).
					Suggest("rename one of them")
			}
			first[name] = t
		}
	}
}

// checkNameTaken reports declarations and imports that use a name of the generated file.
func (b *builder) checkNameTaken(name, whatFor, hint string) {
	if obj := b.pkg.Types.Scope().Lookup(name); obj != nil && b.handwritten(obj) {
		b.list.Add(obj.Pos(), diag.TakenName, "%s is declared here, but the generated file declares it %s", name, whatFor).Suggest("%s", hint)
	}
	others, fset := b.others()
	if obj := others.Scope().Lookup(name); obj != nil {
		b.list.AddAt(fset.Position(obj.Pos()), diag.TakenName,
			"%s is declared here, but the generated file declares it %s", name, whatFor).Suggest("%s", hint)
	}
	for _, f := range b.pkg.Files {
		switch obj := b.pkg.Info.Scopes[f].Lookup(name).(type) {
		case nil:
		case *types.PkgName:
			b.list.Add(obj.Pos(), diag.TakenName, "%s is declared here, but the generated file declares it %s", name, whatFor).Suggest("%s", hint)
		default: // the name comes from a dot import
			b.list.Add(b.dotImport(f, obj.Pkg()), diag.TakenName, "%s is imported here, but the generated file declares it too", name).
				Suggest("import the package without the dot")
		}
	}
}

// dotImport returns the position of a dot import of a package in a file.
func (b *builder) dotImport(f *ast.File, p *types.Package) token.Pos {
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && path == p.Path() && spec.Name != nil && spec.Name.Name == "." {
			return spec.Pos()
		}
	}
	return f.Package
}

// isElsewhere reports whether another build of the server includes a file. The tag ignore marks programs that no build
// includes.
func (b *builder) isElsewhere(f *ast.File, name string) bool {
	line := constraintOf(f, name)
	return line != "" && line != "//go:build ignore" && together(b.docs.constraint, line)
}

// hides reports whether a declaration hides a predeclared identifier that generated code may use.
func hides(obj types.Object) bool {
	own := types.Universe.Lookup(obj.Name())
	switch own := own.(type) {
	case nil:
		return false
	case *types.Builtin:
		return own.Name() == "len" || own.Name() == "new"
	}
	return !types.Identical(obj.Type(), own.Type())
}

// names returns the names that handwritten files declare, the names that tests declare, and the names of imports.
func (b *builder) names() (taken, tested, imported map[string]bool) {
	taken, tested, imported = map[string]bool{}, map[string]bool{}, map[string]bool{}
	scope := b.pkg.Types.Scope()
	for _, name := range scope.Names() {
		taken[name] = b.handwritten(scope.Lookup(name))
	}
	for _, f := range b.pkg.Files {
		for _, name := range b.pkg.Info.Scopes[f].Names() {
			imported[name] = true
		}
	}
	others, _ := b.others()
	tests := others.Scope()
	for _, name := range tests.Names() {
		tested[name] = true
	}
	for file := range tests.Children() {
		for _, name := range file.Names() {
			imported[name] = true
		}
	}
	return taken, tested, imported
}

// others returns the declarations of the package's tests and of its files for other platforms or build tags. Only their
// names are reliable, because others does not load the imported packages. It ignores errors, which the Go compiler
// reports.
func (b *builder) others() (*types.Package, *token.FileSet) {
	if b.rest != nil {
		return b.rest, b.restFset
	}
	var files []*ast.File
	fset := token.NewFileSet()
	entries, _ := os.ReadDir(b.pkg.Dir) // fails only for a package that is not on disk
	for _, e := range entries {
		name := filepath.Join(b.pkg.Dir, e.Name())
		isTest := strings.HasSuffix(name, "_test.go") && e.Name()[0] != '.' && e.Name()[0] != '_'
		if !isTest && !slices.Contains(b.pkg.Ignored, name) {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err == nil && f.Name.Name == b.pkg.Types.Name() && (isTest || b.isElsewhere(f, name)) {
			files = append(files, f)
		}
	}
	config := types.Config{IgnoreFuncBodies: true, Error: func(error) {}}
	b.rest, _ = config.Check(b.pkg.Types.Path(), fset, files, nil)
	b.restFset = fset
	return b.rest, fset
}

// handwritten reports whether an object is declared in a handwritten file.
func (b *builder) handwritten(obj types.Object) bool {
	return b.fileOf(obj) != nil
}

// fileOf returns the handwritten file that declares an object, or nil.
func (b *builder) fileOf(obj types.Object) *ast.File {
	for _, f := range b.pkg.Files {
		if f.FileStart <= obj.Pos() && obj.Pos() < f.FileEnd {
			return f
		}
	}
	return nil
}
