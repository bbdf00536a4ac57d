package main

import (
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	analyze "golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/packages"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/jpvet"
)

// A catcher is the tool that must find the error in a program, and the codes that it must report. The tool is
// compiler, generator, vet, run, or nothing if the program has no error or an error that no tool can find. A run
// finds an error by the code of a fault or by a finding of the test kit.
type catcher struct {
	who   string
	codes []string
}

func (c catcher) String() string { return strings.TrimSpace(c.who + " " + strings.Join(c.codes, " ")) }

// catchers returns the catcher of each program below dir. The first line of one of the program's files names the
// catcher.
func catchers(t *testing.T, dir string) map[string]catcher {
	t.Helper()
	all := map[string]catcher{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		line, _, _ := strings.Cut(string(data), "\n")
		text, ok := strings.CutPrefix(line, "// caught by: ")
		if !ok {
			return nil
		}
		words := strings.Fields(text)
		if words[0] == "nothing" { // the remaining words are the reason
			words = words[:1]
		}
		name := filepath.Base(filepath.Dir(path))
		if _, twice := all[name]; twice {
			t.Errorf("%s: the program has a second catcher", path)
		}
		all[name] = catcher{words[0], words[1:]}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A wrongModule is a copy of the wrong programs in a module that can be built.
type wrongModule struct {
	dir   string
	want  map[string]catcher
	found map[string]catcher
	// generated holds the programs for which the generator was run.
	generated map[string]bool
}

// Each wrong program is caught by the check that its first line names, and no check catches a correct program.
// In the explanation of each code, the wrong example is caught by exactly that code, and the right one is not caught.
func TestWrongPrograms(t *testing.T) {
	skipIfShort(t)
	m := wrongModule{dir: sameDir(t), found: map[string]catcher{}, generated: map[string]bool{}}
	if err := os.CopyFS(m.dir, os.DirFS("testdata/wrong")); err != nil {
		t.Fatal(err)
	}
	m.require(t)
	m.want = catchers(t, m.dir)
	m.examples(t)
	changed := m.restorePrevious(t)
	m.generate(t, changed)
	m.load(t, []string{"./" + exampleOf + "407wrong"}) // load reports an error only if it names no other package
	for path, data := range changed {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.vet(t)
	m.run(t)
	counts := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(m.want)) {
		want := m.want[name]
		counts[want.who]++
		got, ok := m.found[name]
		if !ok {
			got.who = "nothing"
		}
		if got.String() != want.String() {
			t.Errorf("%s: caught by %s, want %s", name, got, m.want[name])
		}
	}
	t.Logf("%d programs: %v", len(m.want), counts)
}

// require makes the directory a module that needs no network.
func (m wrongModule) require(t *testing.T) {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	requireHere(t, m.dir, "example.com/wrong")
}

// restorePrevious restores the previous version of the programs that have a file NAME.before, and returns their
// current sources.
func (m wrongModule) restorePrevious(t *testing.T) map[string][]byte {
	t.Helper()
	before, err := filepath.Glob(filepath.Join(m.dir, "*", "*.before"))
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string][]byte{}
	for _, path := range before {
		source := strings.TrimSuffix(path, ".before") + ".go"
		if changed[source], err = os.ReadFile(source); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path, source); err != nil {
			t.Fatal(err)
		}
	}
	return changed
}

// generate runs the generator for the examples of the reference, for the programs that it must reject, and for
// programs that need generated code. These programs were changed after their files were generated, do not compile, or
// are run. It writes code for the programs that the generator accepts. The method vet later checks all programs.
func (m wrongModule) generate(t *testing.T, changed map[string][]byte) {
	t.Helper()
	var patterns []string
	examples := referenceExamples(t)
	for name, c := range m.want {
		source := filepath.Join(m.dir, name, name+".go")
		_, stale := changed[source]
		if m.generated[name] = slices.Contains(examples, name) || strings.HasPrefix(name, exampleOf) || stale || c.who == "generator" || c.who == "compiler" || c.who == "run" || usesGenerated(t, source); m.generated[name] {
			patterns = append(patterns, "./"+name)
		}
	}
	m.load(t, patterns)
}

// load runs the generator for packages.
func (m wrongModule) load(t *testing.T, patterns []string) {
	t.Helper()
	fset := token.NewFileSet()
	list := diag.NewList(fset, m.dir)
	loaded, err := load.Packages(t.Context(), m.dir, patterns, fset, list)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list.Sorted() {
		name := filepath.Base(strings.TrimSuffix(f.Pos.Filename, ".go")) // for a finding about a package, Filename is its directory
		if f.Code == diag.GoError {
			m.found[name] = catcher{who: "compiler"}
		} else {
			m.add(name, "generator", string(f.Code))
		}
	}
	for _, p := range loaded {
		list := diag.NewList(fset, m.dir)
		s := model.Build(p, list)
		if s != nil {
			model.Check([]*model.Server{s}, list)
		}
		name := filepath.Base(p.Dir)
		found := list.Sorted()
		if strings.HasPrefix(name, exampleOf) {
			found = list.All()
		}
		for _, f := range found {
			m.add(name, "generator", string(f.Code))
		}
		if list.Len() > 0 || s == nil {
			continue
		}
		files, err := output.Files(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := os.WriteFile(f.Path, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// usesGenerated reports whether a program calls one of its tools in the same process, or reads its contract.
// Both require generated code.
func usesGenerated(t *testing.T, source string) bool {
	t.Helper()
	data, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(data), "return Call") || strings.Contains(string(data), "return contract")
}

// add records a finding about a program. Only the first finding counts.
func (m wrongModule) add(name, who, code string) {
	c := m.found[name]
	switch {
	case c.who == "compiler", c.who == "generator" && who == "vet", c.who == "vet" && who == "run":
		return
	case c.who != who:
		c = catcher{who: who}
	}
	if !slices.Contains(c.codes, code) {
		c.codes = append(c.codes, code)
	}
	slices.Sort(c.codes)
	m.found[name] = c
}

// vet compiles and vets all programs.
func (m wrongModule) vet(t *testing.T) {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{
		Context: t.Context(), Dir: m.dir,
		Mode: packages.LoadAllSyntax | packages.NeedModule,
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	name := func(p *packages.Package) string { return filepath.Base(p.PkgPath) }
	var formatted []*packages.Package
	for _, p := range loaded {
		if len(p.Errors) > 0 && m.found[name(p)].who == "" {
			m.found[name(p)] = catcher{who: "compiler"}
		}
		if slices.Contains(m.want[name(p)].codes, "printf") {
			formatted = append(formatted, p)
		}
	}
	diagnose(t, jpvet.Analyzer, loaded, func(p *packages.Package, d analysis.Diagnostic) {
		switch code := diag.Code(d.Category); {
		case code == diag.StaleCode && !m.generated[name(p)]: // nothing was generated
		case code == diag.StaleCode, code == diag.MagicString, strings.HasPrefix(d.Category, "JP7"):
			m.add(name(p), "vet", d.Category)
		default:
			m.add(name(p), "generator", d.Category)
		}
	})
	diagnose(t, printf.Analyzer, formatted, func(p *packages.Package, d analysis.Diagnostic) { m.add(name(p), "vet", "printf") })
}

// run calls, in the package runs of the module, the tools of the programs that only a run can catch. The names of its
// passing subtests say which programs were caught, and by which codes.
func (m wrongModule) run(t *testing.T) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-v", "./runs")
	cmd.Dir = m.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, passed := range regexp.MustCompile(`(?m)^ +--- PASS: TestRuns/(\w+)/(\w+) `).FindAllSubmatch(out, -1) {
		m.add(string(passed[1]), "run", string(passed[2]))
	}
}

// diagnose runs an analyzer on packages, some of which do not compile.
func diagnose(t *testing.T, a *analysis.Analyzer, loaded []*packages.Package, report func(*packages.Package, analysis.Diagnostic)) {
	t.Helper()
	graph, err := analyze.Analyze([]*analysis.Analyzer{a}, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range graph.Roots {
		if action.Err != nil && !action.Package.IllTyped {
			t.Errorf("%s: %v", action.Package.PkgPath, action.Err)
		}
		for _, d := range action.Diagnostics {
			if testing.Verbose() {
				t.Logf("%s: %s", filepath.Base(action.Package.Fset.Position(d.Pos).String()), d.Message)
			}
			report(action.Package, d)
		}
	}
}
