package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers are the layers of the compiler: a package imports only packages of lower layers.
var layers = map[string]int{
	"internal/diag":      0,
	"internal/files":     0,
	"internal/gofile":    0,
	"internal/secret":    0,
	"internal/directive": 1, "internal/schema": 1,
	"internal/model": 2, "internal/lock": 2,
	"internal/load": 3, "internal/emit": 3,
	"internal/output":     4,
	"internal/hostconfig": 2, "internal/bundle": 3, "internal/gotypes": 2, "internal/clientgen": 3, "internal/registered": 3, "internal/adopt": 5, "internal/dev": 0, "internal/docgen": 3, "internal/scaffold": 3,
	"internal/breaking": 2, "internal/revision": 0, "internal/explain": 1, "internal/profile": 3,
	"internal/login": 1, "internal/cost": 0, "internal/smell": 0, "internal/shape": 1, "internal/target": 1, "internal/terminal": 2, "internal/caller": 3, "internal/web": 4,
	"program":      4,
	"jpvet":        5,
	"internal/cli": 6,
	"":             7,
}

// runtime lists the packages of the runtime that the compiler may import. They describe data and do not run a
// server.
var runtime = []string{"fault", "gen/decode", "gen/manifest", "gen/question", "jp/wire"}

// writers are the packages that write Go source.
var writers = []string{"internal/clientgen", "internal/emit", "internal/gofile", "internal/gotypes", "internal/adopt"}

// servers are packages written as a user would write them, for tests and as templates.
var servers = []string{"internal/corpus", "internal/kiosk", "internal/scaffold/templates/server"}

func TestImports(t *testing.T) {
	const module = "github.com/jptool/jptool/"
	seen := map[string]bool{}
	walk(t, func(file string, imports []string) {
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), ".")
		if strings.HasSuffix(file, "_test.go") || slices.Contains(servers, dir) {
			return
		}
		seen[dir] = true
		if _, known := layers[dir]; !known {
			t.Errorf("%s: package %q has no layer in this table", file, dir)
		}
		for _, path := range imports {
			if own, ok := strings.CutPrefix(path, module+"cmd/jptoolgen/"); ok {
				if theirs, known := layers[own]; !known || theirs >= layers[dir] {
					t.Errorf("%s: layer %d imports %s on layer %d", file, layers[dir], path, theirs)
				}
			} else if name, ok := strings.CutPrefix(path, module+"sdk/"); ok {
				if !slices.Contains(runtime, name) {
					t.Errorf("%s imports %s: the compiler shares data with the runtime, not code", file, path)
				}
			}
			if path == "github.com/dave/jennifer/jen" && !slices.Contains(writers, dir) {
				t.Errorf("%s imports %s: only %v write Go", file, path, writers)
			}
			if strings.HasPrefix(path, "golang.org/x/tools/go/packages") && dir != "internal/load" {
				t.Errorf("%s imports %s: only load reads packages", file, path)
			}
			if path == "go/ast" && strings.HasPrefix(dir, "internal/emit") {
				t.Errorf("%s imports %s: what is emitted is made from the model alone", file, path)
			}
		}
	})
	for dir := range layers {
		if !seen[dir] {
			t.Errorf("the table has a layer for %q, which is no package", dir)
		}
	}
}

func walk(t *testing.T, visit func(file string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.Contains(path, "testdata") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imports []string
		for _, i := range f.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, p)
		}
		visit(path, imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
