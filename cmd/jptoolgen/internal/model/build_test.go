package model

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// sources contains source texts and loaded packages, keyed by path.
type sources struct {
	fset   *token.FileSet
	texts  map[string]string
	loaded map[string]*types.Package
}

// Import implements [types.Importer].
func (s *sources) Import(path string) (*types.Package, error) {
	if p, ok := s.loaded[path]; ok {
		return p, nil
	}
	file, err := s.parse(path + ".go")
	if err != nil {
		return nil, err
	}
	p, err := (&types.Config{Importer: s}).Check(path, s.fset, []*ast.File{file}, nil)
	s.loaded[path] = p
	return p, err
}

func (s *sources) parse(filename string) (*ast.File, error) {
	text, ok := s.texts[filename]
	if !ok {
		return nil, errors.New("no such file: " + filename)
	}
	return parser.ParseFile(s.fset, filename, text, parser.ParseComments)
}

// build builds the server of package m.
func build(t *testing.T, texts map[string]string, parse func(s *sources, filename string) (*ast.File, error)) (*Server, []diag.Finding) {
	t.Helper()
	s := &sources{token.NewFileSet(), texts, map[string]*types.Package{}}
	file, err := s.parse("m.go")
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Scopes: map[ast.Node]*types.Scope{}}
	pkg, err := (&types.Config{Importer: s}).Check("m", s.fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	list := diag.NewList(s.fset, "")
	server := Build(&Package{
		Fset: s.fset, Files: []*ast.File{file}, Types: pkg, Info: info,
		Parse: func(filename string) (*ast.File, error) { return parse(s, filename) },
		Ours:  func(path string) bool { return path == "m" },
	}, list)
	return server, list.Sorted()
}

const server = `package m

import (
	"context"
	"theirs"
)

// S is a server.
//
//jp:server
type S struct{}

// Do does nothing.
//
//jp:tool
func (S) Do(ctx context.Context, in theirs.In) error { return nil }
`

func packages(theirs string) map[string]string {
	return map[string]string{"m.go": server, "context.go": "package context\n\ntype Context interface{ Done() }\n", "theirs.go": theirs}
}

// Findings about types in other packages are reported where the user's code uses the types.
func TestTypesOfOtherPackages(t *testing.T) {
	for _, tt := range []struct {
		name, theirs string
		readable     bool
		want         string
	}{
		{"documented", "package theirs\n\ntype In struct {\n\t// A.\n\tA string `json:\"a\"`\n}\n", true, ""},
		{"bare", "package theirs\n\ntype In struct {\n\tA string `json:\"a\"`\n}\n", true, "type theirs.In: field A has no comment; write //jp:describe theirs.In.A text=\"...\" above the server, or accept the findings with //jp:foreign theirs.In reason=\"...\""},
		{"gone", "package theirs\n\ntype In struct {\n\t// A.\n\tA string `json:\"a\"`\n}\n", false, "type theirs.In: field A has comments in a file that cannot be read; write //jp:describe theirs.In.A text=\"...\" above the server, or accept the findings with //jp:foreign theirs.In reason=\"...\""},
		{"mistakes in the other package", "package theirs\n\n//jp:sever\ntype In struct {\n\t// A.\n\tA string `json:\"a\"`\n}\n", true, ""},
	} {
		_, findings := build(t, packages(tt.theirs), func(s *sources, filename string) (*ast.File, error) {
			if !tt.readable {
				return nil, errors.New("gone")
			}
			return s.parse(filename)
		})
		if tt.want == "" && len(findings) == 0 {
			continue
		}
		if len(findings) != 1 || findings[0].Message+"; "+findings[0].Hint != tt.want || findings[0].Pos.String() != "m.go:16:34" {
			t.Errorf("%s: got %v", tt.name, findings)
		}
	}
}

func TestNoServer(t *testing.T) {
	server, findings := build(t, map[string]string{"m.go": "package m\n\n// O is options.\n//\n//jp:options\ntype O struct{}\n"}, (*sources).parse)
	if server != nil || len(findings) > 0 {
		t.Errorf("got %v, %v", server, findings)
	}
}
