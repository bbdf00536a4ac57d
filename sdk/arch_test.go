package sdk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/jptool/jptool/"

// layers defines the layers of the module: a package imports only packages of lower layers. The generator may
// import the runtime's data, but the runtime must not import the generator.
var layers = map[string]int{
	"internal/causes": -1, "internal/rawjson": -1,
	"sdk/fault": 0, "sdk/content": 0, "sdk/tool/internal/fit": 1, "internal/declared": 0, "internal/lazyregexp": 0, "internal/phrase": 0, "internal/tty": 0, "internal/uris": 0,
	"sdk/gen/manifest": 0, "internal/face": 1,
	"sdk/gen/question": 1, "sdk/access": 1, "internal/unlisted": 1,
	"sdk/elicit": 2, "sdk/jp/wire": 2, "sdk/gen/decode": 2, "sdk/gen/encode": 2, "sdk/tool/internal/callstate": 2,
	"sdk/gen/bind": 3, "sdk/tool": 3, "sdk/jp/jpdoc": 3, "sdk/jp/jphost": 4,
	"sdk/tool/gen/handler": 4, "internal/repair": 4,
	"sdk/internal/seal": 0, "sdk/internal/rpc": 3, "sdk/internal/trust": 5, "sdk/jp/jpbridge": 6, "sdk/internal/engine/wires": 7,
	"sdk/internal/engine": 8,
	"sdk/tasks":           0, "sdk/tasks/filestore": 1, "sdk/tasks/valkeystore": 1,
	"sdk/internal/stdio": 9, "sdk/internal/streamable": 9, "sdk/client": 7,
	"sdk":       10,
	"sdk/gosdk": 11, "sdk/auth": 11,
	"sdk/otel": 11, "sdk/metrics": 11, "sdk/card": 11, "sdk/internal/operation": 8,
	"internal/fixture": 11, "internal/fixture/fixtureclient": 11, "internal/fixture/kinds": 11, "internal/fixture/library": 11, "internal/fixture/shelf": 11, "internal/fixture/studio": 11, "sdk/jptest": 11,
	"internal/conformance": 12, "internal/conformance/server": 13, "internal/longcalls": 11, "internal/longcalls/server": 12, "internal/odd": 1, "internal/storetest": 1, "internal/peer": 2,
}

// forbidden lists imports that are not allowed, each with its reason.
var forbidden = []struct{ path, from, except, reason string }{
	{"github.com/dave/jennifer", "sdk", "", "only the generator writes Go; an author's binary must not contain it"},
	{"golang.org/x/tools", "sdk", "", "only the generator reads Go; it would add 4 MB to an author's binary"},
	{"github.com/invopop/jsonschema", "sdk", "", "schemas are generated, not built when a server starts"},
	{"modernc.org/sqlite", "sdk", "", "only the examples use databases"},
	{"modernc.org/sqlite", "cmd", "", "only the examples use databases"},
	{module + "internal/peer", "sdk", "sdk/jptest sdk/jp/jphost", "a server is not a client"},
	{module + "sdk/jp/jpdoc", "sdk", "sdk/jptest sdk/jp/jphost sdk/jp/jpdoc/vectortest", "a server is not a host"},
	{module + "sdk/jp/jphost", "sdk", "sdk/jptest", "a server is not a host"},
	{module + "cmd", "sdk", "", "the runtime must not import the generator"},
	{module + "examples", "sdk", "", "the runtime must not import the examples"},
	{module + "sdk/internal", "examples", "", "examples use only what any author can use"},
	{module + "templates", "sdk", "", "only the generator writes the files of new servers"},
	{module + "sdk/internal", "templates", "", "new servers use only what any author can use"},
	{module + "internal", "templates", "", "new servers use only what any author can use"},
	{module + "cmd", "templates", "", "the generator writes new servers, which do not use it"},
	{"github.com/modelcontextprotocol/go-sdk", "sdk", "sdk/client sdk/gosdk", "only the support for an author's own additions and the client use go-sdk; a server starts a sixth sooner without it"},
	{"go.opentelemetry.io", "sdk", "sdk/otel", "only servers that are traced link OpenTelemetry"},
	{"github.com/prometheus", "sdk", "sdk/metrics", "only servers that are measured link the client of Prometheus"},
	{module + "sdk/jp/wire", "sdk", "sdk sdk/jp/jpbridge sdk/jp/jpdoc sdk/jp/jphost sdk/jp/jpdoc/vectortest sdk/internal/engine sdk/internal/engine/wires sdk/jptest", "only the ends of JP, the wires, the engine, which has keys in _meta, and the test kit use JP's protocol"},
}

func TestImports(t *testing.T) {
	for dir, files := range packages(t) {
		for file, imports := range files {
			for _, path := range imports {
				for _, f := range forbidden {
					if isWithin(path, f.path) && isWithin(dir, f.from) && !strings.Contains(" "+f.except+" ", " "+dir+" ") && !strings.HasSuffix(file, "_test.go") {
						t.Errorf("%s imports %s: %s", file, path, f.reason)
					}
				}
				own, ok := strings.CutPrefix(path, module)
				if !ok || !isRuntimeDir(own) || !isRuntimeDir(dir) || strings.HasSuffix(file, "_test.go") {
					continue
				}
				mine, known := layers[dir]
				theirs, theirsKnown := layers[own]
				if !known || !theirsKnown {
					t.Errorf("%s: %s or %s has no floor in this table", file, dir, own)
				} else if theirs >= mine {
					t.Errorf("%s: floor %d imports %s on floor %d", file, mine, path, theirs)
				}
			}
		}
	}
}

// A directory of the runtime is in a higher layer than the directories that it imports. If two directories
// import each other, the direction with fewer imports counts as backward. Backward imports make the code
// harder to read.
func TestFewImportsRunBackUp(t *testing.T) {
	const limit = 3
	folder := func(dir string) string {
		rest, _ := strings.CutPrefix(dir, "sdk/")
		first, _, _ := strings.Cut(rest, "/")
		return first
	}
	arrows := map[[2]string][]string{}
	for dir, files := range packages(t) {
		for file, imports := range files {
			for _, path := range imports {
				own, ok := strings.CutPrefix(path, module)
				if !ok || !isWithin(own, "sdk") || !isWithin(dir, "sdk") || strings.HasSuffix(file, "_test.go") || folder(dir) == folder(own) {
					continue
				}
				arrow := [2]string{folder(dir), folder(own)}
				arrows[arrow] = append(arrows[arrow], file+" imports "+own)
			}
		}
	}
	var up []string
	for arrow, down := range arrows {
		if back := arrows[[2]string{arrow[1], arrow[0]}]; len(back) < len(down) || len(back) == len(down) && arrow[0] < arrow[1] {
			up = append(up, back...)
		}
	}
	if len(up) > limit {
		t.Errorf("%d imports run back up, want at most %d:\n%s", len(up), limit, strings.Join(up, "\n"))
	}
}

// isRuntimeDir reports whether a directory belongs to the runtime, or is shared by the runtime and its
// tests.
func isRuntimeDir(dir string) bool { return isWithin(dir, "sdk") || isWithin(dir, "internal") }

func TestNoGoFileIsTooLong(t *testing.T) {
	const limit = 400
	for _, files := range packages(t) {
		for file := range files {
			data, err := os.ReadFile(filepath.Join("..", file))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(data), "\n"); n > limit && !strings.HasSuffix(file, "_gen.go") {
				t.Errorf("%s has %d lines; more than %d is more than one noun", file, n, limit)
			}
		}
	}
}

func TestEveryPackageHasOneComment(t *testing.T) {
	for dir, files := range packages(t) {
		comments := 0
		for file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if f.Doc != nil && !strings.HasPrefix(f.Doc.Text(), "Code generated") {
				comments++
			}
		}
		if comments != 1 && hasSource(files) {
			t.Errorf("package %s has %d package comments, want one", dir, comments)
		}
	}
}

func hasSource(files map[string][]string) bool {
	for file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			return true
		}
	}
	return false
}

func TestGoModHasNoReplace(t *testing.T) {
	data, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "\nreplace") {
		t.Error("go.mod replaces a module, which go install of a released version refuses")
	}
}

// packages returns the imports of every Go file in the module, keyed by directory.
func packages(t *testing.T) map[string]map[string][]string {
	t.Helper()
	all := map[string]map[string][]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "bench" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(rel))
		if all[dir] == nil {
			all[dir] = map[string][]string{}
		}
		imports := []string{}
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, p)
		}
		all[dir][rel] = imports
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all["sdk/tool"]) == 0 {
		t.Fatal("no package was found")
	}
	return all
}

func isWithin(path, root string) bool {
	return path == root || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/")
}

// Each version of JP's protocol is a codec: its name and its encoder occur only in the listed files, so that a
// new version needs only one more file.
func TestVersionsOfJPAreCodecs(t *testing.T) {
	names := map[string][]string{
		"AppendOutcome":          {"cmd/jptoolgen/internal/caller/host.go", "sdk/jp/jpdoc/outcome.go"},
		"outcomeIn":              {"sdk/internal/engine/wires/outcome.go"},
		"untagged":               {"sdk/jp/jpdoc/outcome.go"},
		"VersionBlocks":          {"sdk/internal/engine/wires/blocks.go", "sdk/jp/wire/doc.go", "sdk/jptest/wire.go"},
		"VersionOutcomeUntagged": {"sdk/internal/engine/wires/outcome.go", "sdk/jp/wire/doc.go", "sdk/jptest/wire.go"},
	}
	got := map[string][]string{}
	for _, files := range packages(t) {
		for file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && names[id.Name] != nil && !slices.Contains(got[id.Name], file) {
					got[id.Name] = append(got[id.Name], file)
				}
				return true
			})
		}
	}
	for name, want := range names {
		slices.Sort(got[name])
		if !slices.Equal(got[name], want) {
			t.Errorf("%s occurs in %v, want %v", name, got[name], want)
		}
	}
}
