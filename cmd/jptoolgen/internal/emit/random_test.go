package emit_test

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/emit"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

var (
	randomSeed  = flag.Uint64("random.seed", 1, "seed of the random packages")
	randomCount = flag.Int("random.count", 2000, "number of random packages without -short")
	randomBuilt = flag.Int("random.built", 20, "number of random packages that are built and run without -short")
)

// A universe holds the packages that random packages import.
type universe struct {
	fset  *token.FileSet
	known map[string]*types.Package
}

func newUniverse(t *testing.T) *universe {
	t.Helper()
	const sdk = "github.com/jptool/jptool/sdk"
	u := &universe{fset: token.NewFileSet(), known: map[string]*types.Package{}}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile, Fset: u.fset,
	}, sdk, sdk+"/...", "context", "embed", "encoding/json", "math/rand/v2", "time")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded {
		u.known[p.PkgPath] = p.Types
	}
	u.known["example.com/m/compare"] = u.check(t, "compare", map[string]string{"compare.go": `package compare
import "math/rand/v2"
func Fill(r *rand.Rand, v any) {}
func Type(server any, n int, v any) {}
`})
	return u
}

// check type-checks the files of a package that needs no generated code.
func (u *universe) check(t *testing.T, path string, texts map[string]string) *types.Package {
	t.Helper()
	for name, text := range texts {
		file, err := parser.ParseFile(u.fset, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		p, err := (&types.Config{Importer: u}).Check(path, u.fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return p
	}
	return nil
}

// Import implements [types.Importer].
func (u *universe) Import(path string) (*types.Package, error) {
	if p := u.known[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("no package " + path)
}

// generate generates the code of a sample. It returns nil if the generator refuses the sample.
func (u *universe) generate(t *testing.T, s *sample) (code []byte, findings []diag.Finding) {
	t.Helper()
	var home string
	var parsed []*token.File
	paths := slices.Collect(func(yield func(string) bool) {
		for name := range s.files {
			if !yield(name) {
				return
			}
		}
	})
	slices.SortFunc(paths, func(x, y string) int { // types come before their users
		rank := func(name string) string {
			switch dir := filepath.Dir(name); {
			case strings.HasPrefix(dir, "m/"):
				return "2"
			case strings.Contains(s.files[name], "example.com/other/"):
				return "1"
			}
			return "0"
		}
		return strings.Compare(rank(x)+x, rank(y)+y)
	})
	for _, name := range paths {
		if strings.HasPrefix(name, "m/") {
			home = name
			continue
		}
		path := "example.com/" + filepath.Dir(name)
		u.known[path] = u.check(t, path, map[string]string{name: s.files[name]})
		defer delete(u.known, path)
	}
	defer func() {
		for _, f := range parsed {
			u.fset.RemoveFile(f)
		}
	}()
	file, err := parser.ParseFile(u.fset, home, s.files[home], parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	path := "example.com/m/" + s.name
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Scopes: map[ast.Node]*types.Scope{}}
	pkg, _ := (&types.Config{Importer: u, Error: func(error) {}}).Check(path, u.fset, []*ast.File{file}, info)
	list := diag.NewList(u.fset, "")
	server := model.Build(&model.Package{
		Fset: u.fset, Files: []*ast.File{file}, Types: pkg, Info: info,
		Parse: func(filename string) (*ast.File, error) {
			if text, ok := s.files[filename]; ok {
				return parser.ParseFile(token.NewFileSet(), filename, text, parser.ParseComments)
			}
			return nil, errors.New("no such file")
		},
		Ours: func(path string) bool { return path == "example.com/m" || strings.HasPrefix(path, "example.com/m/") },
	}, list)
	if list.Len() > 0 {
		return nil, list.Sorted()
	}
	contract, err := server.Contract()
	if err != nil {
		t.Fatal(err)
	}
	code, err = emit.Generate(server, contract)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.text())
	}
	generated, err := parser.ParseFile(u.fset, "jp_gen.go", code, 0)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, s.text(), code)
	}
	if _, err := (&types.Config{Importer: u}).Check(path, u.fset, []*ast.File{file, generated}, nil); err != nil {
		t.Fatalf("the generated code does not compile: %v\n%s\n%s", err, s.text(), code)
	}
	return code, nil
}

func (s *sample) text() string {
	var all strings.Builder
	for name, text := range s.files {
		fmt.Fprintf(&all, "-- %s --\n%s", name, text)
	}
	return all.String()
}

// Random packages with types of another module compile with their generated code, or have findings that name a field or a
// type. Some of them are built and run: their JSON is that of encoding/json, except for the differences that compare lists.
func TestRandomTypesOfAnotherModule(t *testing.T) {
	seed, count, built := *randomSeed, *randomCount, *randomBuilt
	if testing.Short() {
		count, built = 300, 0
	}
	t.Logf("the seed is %d", seed)
	u := newUniverse(t)
	shapes, reasons := map[string]int{}, map[string]int{}
	accepted := map[string]*sample{}
	codes := map[string][]byte{}
	refused := 0
	for n := range count {
		s := newSample(seed, n)
		code, findings := u.generate(t, s)
		for name := range s.shapes {
			shapes[name]++
		}
		if code == nil {
			refused++
		} else if len(codes) < built {
			accepted[s.name], codes[s.name] = s, code
		}
		for _, f := range findings {
			if f.Code == diag.IdleAllow {
				continue
			}
			if !f.Pos.IsValid() || !strings.Contains(f.Message, "field ") && !strings.Contains(f.Message, "type ") {
				t.Errorf("a finding does not name a field: %v\n%s", f, s.text())
			}
			_, reason, _ := strings.Cut(f.Message, ", ")
			reasons[string(f.Code)+" "+reason]++
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d of %d packages are refused", refused, count)
	logCounts(t, reasons, 12)
	logCounts(t, shapes, 100)
	if refused > count/2 {
		t.Errorf("more than half of the packages are refused")
	}
	for _, name := range []string{
		"internal", "unexported type", "generic", "recursive generic", "alias", "method hides field", "IsZero", "JSON methods", "text methods",
		"JSON and text methods", "unexported field", "embedded", "embedded unexported", "embedded pointer", "pointer", "slice of pointers",
		"map of pointers", "array", "literal", "interface with a method", "excluded field", "omitempty", "omitzero", "option string",
		"another name", "unknown option", "embedded in a type of the author", "receiver named like a package",
	} {
		if shapes[name] == 0 {
			t.Errorf("no package has the shape %q", name)
		}
	}
	if built > 0 {
		runSamples(t, seed, accepted, codes)
	}
}

func logCounts(t *testing.T, counts map[string]int, most int) {
	t.Helper()
	var all []string
	for name, n := range counts {
		all = append(all, fmt.Sprintf("%6d %s", n, name))
	}
	slices.Sort(all)
	slices.Reverse(all)
	t.Logf("\n%s", strings.Join(all[:min(most, len(all))], "\n"))
}

// runSamples builds all samples as one program and runs it.
func runSamples(t *testing.T, seed uint64, samples map[string]*sample, codes map[string][]byte) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var imports, calls strings.Builder
	for name, s := range samples {
		for file, text := range s.files {
			write(file, text)
		}
		write("m/"+name+"/jp_gen.go", string(codes[name]))
		write("m/"+name+"/jp.lock.json", "{}\n")
		fmt.Fprintf(&imports, "\t%q\n", "example.com/m/"+name)
		fmt.Fprintf(&calls, "\tcompare.Package(%q)\n\t%[1]s.Compare(rand.New(rand.NewPCG(%d, 1)))\n", name, seed)
	}
	requirements, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(requirements), "\n")
	write("m/go.mod", "module example.com/m\n"+rest+"\nrequire github.com/jptool/jptool v0.0.0\nrequire example.com/other v0.0.0\n"+
		"replace github.com/jptool/jptool => "+root+"\nreplace example.com/other => ../other\n")
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write("m/go.sum", string(sums))
	write("other/go.mod", "module example.com/other\n\ngo 1.26\n")
	compare, err := os.ReadFile("../../testdata/foreign/compare/compare.go")
	if err != nil {
		t.Fatal(err)
	}
	write("m/compare/compare.go", string(compare))
	write("m/main.go", "package main\n\nimport (\n\t\"math/rand/v2\"\n\t\"example.com/m/compare\"\n"+imports.String()+")\n\nfunc main() {\n"+calls.String()+"\tcompare.Done()\n}\n")
	build := exec.Command("go", "build", "-mod=mod", "-ldflags=-w", "-o", "all", ".")
	build.Dir = filepath.Join(dir, "m")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the packages: %v\n%s", err, out)
	}
	run := exec.Command("./all")
	run.Dir = build.Dir
	out, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
		if keep := os.Getenv("KEEP_RANDOM"); keep != "" {
			_ = os.CopyFS(keep, os.DirFS(dir))
		}
	}
	t.Logf("%s", out[max(0, len(out)-200):])
}
