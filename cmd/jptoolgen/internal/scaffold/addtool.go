package scaffold

import (
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

// ErrNoServer is the error that [Tool] returns for a package without a server.
var ErrNoServer = errors.New("no struct in the package has a //jp:server line")

// Tool returns the source and the test of a new tool for the server in dir. It returns an error if the name is
// invalid or already used, if the package does not have exactly one server, or if its source does not parse.
func Tool(dir, name string) ([]File, error) {
	if !schema.ValidName(name) {
		return nil, fmt.Errorf("invalid tool name %q: must match [a-z][a-z0-9_]* and be at most %d characters", name, schema.MaxName)
	}
	s, err := read(dir)
	if err != nil {
		return nil, err
	}
	method := exportedName(name)
	switch {
	case s.tools[name]:
		return nil, fmt.Errorf("the server already has a tool %q", name)
	case s.taken[method], s.taken[method+"Input"]:
		return nil, fmt.Errorf("the package already declares %s or %sInput; use another tool name", method, method)
	}
	file := fileName(name)
	list := []File{{Path: file + ".go"}, {Path: file + "_test.go"}}
	for i, template := range []string{"server/new_tool.go", "server/new_tool_test.go"} {
		if list[i].Data, err = fillTemplate(template, "package main", "package "+s.pkg, "MyNotes", s.name, "NewTool", method, "new_tool", name); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// fileName returns the name of the source file of a tool, without its extension. Some names get a suffix,
// because the go command treats x_test.go as a test and builds x_linux.go only for Linux.
func fileName(tool string) string {
	nowhere := build.Context{OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p")), nil
	}}
	if everywhere, err := nowhere.MatchFile("", tool+".go"); err == nil && everywhere && !strings.HasSuffix(tool, "_test") {
		return tool
	}
	return tool + "_tool"
}

// A server describes the server that the source of a package declares.
type server struct {
	pkg, name string
	tools     map[string]bool // keyed by tool name
	taken     map[string]bool // the declared names, and the names of the server's methods
}

func read(dir string) (*server, error) {
	paths, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		return nil, err
	}
	s := &server{tools: map[string]bool{}, taken: map[string]bool{}}
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
		line, _ := sites.Get(d.Name.Pos(), "tool")
		name, _ := line.Get("name")
		s.tools[name.Value] = true
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
