package scaffold

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// ErrNoServer is the error that [Add] returns for a package without a server.
var ErrNoServer = errors.New("no struct in the package has a //jp:server line")

// Kinds are what can be added to a server.
var Kinds = []string{"tool", "resource", "prompt"}

// Add returns the source and the test of a new tool, resource or prompt for the server in dir. It returns an error if the
// name is invalid or already used, if the package does not have exactly one server, or if its source does not parse.
func Add(dir, kind, name string) ([]File, error) {
	if !schema.ValidName(name) {
		return nil, fmt.Errorf("invalid %s name %q: must match [a-z][a-z0-9_]* and be at most %d characters", kind, name, schema.MaxName)
	}
	s, err := read(dir)
	if err != nil {
		return nil, err
	}
	method := exportedName(name)
	if of := s.kinds[name]; of != "" {
		return nil, fmt.Errorf("the server already has a %s %q", of, name)
	}
	for _, declared := range []string{method, method + "Input", "Complete" + method, method + "URI"} {
		if s.taken[declared] {
			return nil, fmt.Errorf("the package already declares %s; use another %s name", declared, kind)
		}
	}
	file := fileName(kind, name)
	list := []File{{Path: file + ".go"}, {Path: file + "_test.go"}}
	for i, suffix := range []string{".go", "_test.go"} {
		list[i].Data, err = fillTemplate("server/new_"+kind+suffix, "package main", "package "+s.pkg, "MyNotes", s.name,
			"New"+schema.Title(kind), method, "new_"+kind, name, "new-"+kind, strings.ReplaceAll(name, "_", "-"))
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// fileName returns the name of the source file of a tool, a resource or a prompt, without its extension. Some names get a
// suffix, because the go command treats x_test.go as a test and builds x_linux.go only for Linux.
func fileName(kind, name string) string {
	nowhere := build.Context{OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p")), nil
	}}
	if everywhere, err := nowhere.MatchFile("", name+".go"); err == nil && everywhere && !strings.HasSuffix(name, "_test") {
		return name
	}
	return name + "_" + kind
}

// A server describes the server that the source of a package declares.
type server struct {
	pkg, name string
	kinds     map[string]string // what has a name: a tool, a resource or a prompt
	taken     map[string]bool   // the declared names, and the names of the server's methods
}

func read(dir string) (*server, error) {
	paths, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		return nil, err
	}
	s := &server{kinds: map[string]string{}, taken: map[string]bool{}}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(dir, path), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		sites := directive.Read(f, diag.NewList(fset, dir)) // jptoolgen reports invalid directives
		for _, d := range f.Decls {
			if err := s.addDeclaration(f.Name.Name, d, sites); err != nil {
				return nil, err
			}
		}
	}
	if s.name == "" {
		return nil, ErrNoServer
	}
	return s, nil
}

func (s *server) addDeclaration(pkg string, d ast.Decl, sites directive.Sites) error {
	switch d := d.(type) {
	case *ast.FuncDecl:
		s.taken[d.Name.Name] = true
		for _, kind := range Kinds {
			if line, ok := sites.Get(d.Name.Pos(), kind); ok {
				name, _ := line.Get("name")
				s.kinds[cmp.Or(name.Value, schema.Snake(d.Name.Name))] = kind
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			s.taken[t.Name.Name] = true
			if _, ok := sites.Get(t.Name.Pos(), "server"); !ok {
				continue
			}
			if s.name != "" {
				return fmt.Errorf("the package has two servers, %s and %s", s.name, t.Name.Name)
			}
			s.pkg, s.name = pkg, t.Name.Name
		}
	}
	return nil
}
