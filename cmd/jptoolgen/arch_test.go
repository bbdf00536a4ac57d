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

// layers maps each package of jptoolgen to its layer: a package imports only packages of lower layers.
var layers = map[string]int{
	"internal/diag":      1,
	"internal/files":     0,
	"internal/sdktypes":  0,
	"internal/gofile":    1,
	"internal/secret":    1,
	"internal/directive": 2, "internal/schema": 2,
	"internal/skill": 2,
	"internal/model": 3, "internal/lock": 2,
	"internal/load": 4, "internal/emit": 4,
	"internal/output":     5,
	"internal/fresh":      6,
	"internal/hostconfig": 4, "internal/bundle": 4, "internal/registry": 1, "internal/gotypes": 3, "internal/clientgen": 4, "internal/adopt": 6, "internal/dev": 1, "internal/docgen": 4, "internal/scaffold": 4,
	"internal/breaking": 3, "internal/revision": 1, "internal/explain": 2, "internal/profile": 4,
	"internal/login": 2, "internal/cost": 2, "internal/shape": 1, "internal/target": 3, "internal/terminal": 2, "internal/caller": 4, "internal/web": 5,
	"jpvet":        6,
	"internal/cli": 7,
	"":             8,
}

// runtime lists the packages of the runtime that jptoolgen may import. They describe data and do not run a
// server.
var runtime = []string{"fault", "gen/decode", "gen/manifest", "gen/question", "jp/jpdoc", "jp/jphost", "jp/wire"}

// writers are the packages that write Go source.
var writers = []string{"internal/clientgen", "internal/emit", "internal/gofile", "internal/gotypes", "internal/adopt"}

// servers are packages written as a user would write them. They are test fixtures.
var servers = []string{
	"internal/corpus", "internal/corpus/embedding", "internal/corpus/embedding/parts", "internal/kiosk",
}

// writersOfTemplates are the packages that write the files of package templates.
var writersOfTemplates = []string{"internal/scaffold", "internal/cli"}

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
					t.Errorf("%s imports %s: the generator must not share this code with the runtime", file, path)
				}
			}
			if path == "github.com/dave/jennifer/jen" && !slices.Contains(writers, dir) {
				t.Errorf("%s imports %s: only %v write Go", file, path, writers)
			}
			if path == module+"templates" && !slices.Contains(writersOfTemplates, dir) {
				t.Errorf("%s imports %s: only %v write templates", file, path, writersOfTemplates)
			}
			if strings.HasPrefix(path, "golang.org/x/tools/go/packages") && dir != "internal/load" {
				t.Errorf("%s imports %s: only load reads packages", file, path)
			}
			if path == "go/ast" && strings.HasPrefix(dir, "internal/emit") {
				t.Errorf("%s imports %s: generated code must depend only on the model", file, path)
			}
		}
	})
	for dir := range layers {
		if !seen[dir] {
			t.Errorf("the table has a layer for %q, which is not a package", dir)
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
