package fresh_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/fresh"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
)

// tree is a module that depends on others in each way in which the go command finds them.
var tree = map[string]string{
	"m/go.mod": "module example.com/m\n\ngo 1.26\n\nrequire example.com/r v1.0.0\n\nreplace example.com/r => ../r\n",
	"m/m.go": "package m\n\nimport (\n\t\"example.com/m/kinds\"\n\t\"example.com/r\"\n)\n\n" +
		"//jp:server\ntype S struct {\n\tK kinds.K\n\tR r.R\n}\n",
	"m/m_plan9.go":          "package m\n\nimport \"example.com/m/plan\"\n\ntype P plan.P\n",
	"m/plan/plan.go":        "package plan\n\nimport \"example.com/m/plan9\"\n\n// P is a plan.\ntype P plan9.P\n",
	"m/plan9/plan9.go":      "package plan9\n\n// P is a plan.\ntype P int\n",
	"m/m_test.go":           "package m\n",
	"m/a.schema.json":       "{}",
	"m/jp_gen.go":           "package m\n",
	"m/jp.lock.json":        "{}\n",
	"m/kinds/kinds.go":      "package kinds\n\nimport \"example.com/m/deep\"\n\n// K is a kind.\ntype K = deep.D\n",
	"m/kinds/k_plan9.go":    "package kinds\n\nfunc a() {}\n",
	"m/kinds/a.schema.json": "{}",
	"m/deep/deep.go":        "package deep\n\n// D is deep.\ntype D struct{ N int }\n",
	"r/go.mod":              "module example.com/r\n\ngo 1.26\n",
	"r/r.go":                "package r\n\n// R is in another module.\ntype R int\n",
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// setUp writes the tree, uses an empty cache, and returns the directory of the root.
func setUp(t *testing.T, changes map[string]string) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(out)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("GOENV", filepath.Join(t.TempDir(), "env"))
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(tree)
	maps.Copy(all, changes)
	for name, text := range all {
		write(t, filepath.Join(dir, name), text)
	}
	return filepath.Join(dir, "m")
}

// run does what the generator does if it has nothing to report and to write, and during before it ends. It reports
// whether the run was skipped.
func run(t *testing.T, dir string, during func()) bool {
	t.Helper()
	roots, err := load.Find(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	state, current := fresh.Current(t.Context(), roots, "generate")
	if !current {
		during()
		state.Save(t.Context())
	}
	return current
}

func current(t *testing.T, dir string) bool {
	t.Helper()
	roots, err := load.Find(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, current := fresh.Current(t.Context(), roots, "generate")
	return current
}

func nothing() {}

// remember runs until a run is skipped.
func remember(t *testing.T, dir string) {
	t.Helper()
	for i, want := range []bool{false, false, true} {
		if got := run(t, dir, nothing); got != want {
			t.Fatalf("run %d: skipped %v, want %v", i+1, got, want)
		}
	}
}

// Each input decides, by its content alone.
func TestInputs(t *testing.T) {
	m := setUp(t, nil)
	dir := filepath.Dir(m)
	remember(t, m)
	for name, text := range tree {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, changed := range []string{text + "\n", strings.ReplaceAll(text, "\n", "\r\n")} {
			if changed == text || name == "r/go.mod" {
				continue // the go version of r/go.mod is tested below; the generator does not read the rest
			}
			write(t, path, changed)
			if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
			if current(t, m) {
				t.Errorf("%s changed to %q", name, changed)
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if name != "m/go.mod" && current(t, m) {
			t.Errorf("%s was removed", name)
		}
		write(t, path, text)
	}
	for name, text := range map[string]string{
		"m/new.go": "package m\n", "m/new_plan9.go": "package m\n", "m/_ignored.go": "package m\n", "m/b.schema.json": "{}",
		"m/notes.txt": "", "m/sub/go.mod": "module example.com/m/sub\n", "m/go.sum": "\n", "m/vendor/modules.txt": "# x\n",
		"m/kinds/new_plan9.go": "package kinds\n", "m/kinds/go.mod": "module example.com/m/kinds\n",
		"m/deep/new.go": "package deep\n", "r/new_test.go": "package r\n", "go.work": "go 1.26\n\nuse ./m\n",
	} {
		write(t, filepath.Join(dir, name), text)
		if current(t, m) {
			t.Errorf("%s was added", name)
		}
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(filepath.Dir(filepath.Join(dir, name))) // if it was added, too
	}
	write(t, filepath.Join(dir, "r/go.mod"), strings.Replace(tree["r/go.mod"], "1.26", "1.20", 1))
	if current(t, m) {
		t.Error("the language of a dependency changed")
	}
	write(t, filepath.Join(dir, "r/go.mod"), tree["r/go.mod"])
	for _, env := range [][2]string{
		{"GOOS", "plan9"}, {"GOFLAGS", "-tags=x"}, {"GODEBUG", "gotypesalias=0"}, {"GOPACKAGESDRIVER", "x"}, {"GOPATH", t.TempDir()},
		{"GOWORK", "off"}, {"GOFLAGS", "-overlay=/dev/null"}, {"HOME", ""}, {"XDG_CACHE_HOME", "relative"}, {"PATH", ""},
	} {
		t.Run(env[0], func(t *testing.T) {
			if env[0] == "HOME" {
				t.Setenv("XDG_CACHE_HOME", "")
			}
			t.Setenv(env[0], env[1])
			if current(t, m) {
				t.Errorf("%s changed", env[0])
			}
		})
	}
	write(t, os.Getenv("GOENV"), "GOFLAGS=-tags=x\n") // as go env -w does
	if current(t, m) {
		t.Error("go env -w changed GOFLAGS")
	}
	if err := os.Remove(os.Getenv("GOENV")); err != nil {
		t.Fatal(err)
	}
	roots, err := load.Find(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, current := fresh.Current(t.Context(), roots, "check"); current {
		t.Error("the mode changed")
	}
	if !current(t, m) {
		t.Error("all was restored, but is not current")
	}
}

// A package of a workspace or of the vendor directory is an input.
func TestOtherModules(t *testing.T) {
	mod := strings.Split(tree["m/go.mod"], "\nreplace")[0]
	for name, c := range map[string]struct {
		files map[string]string
		input string
	}{
		"workspace": {map[string]string{"m/go.mod": mod, "go.work": "go 1.26\n\nuse (\n\t./m\n\t./r\n)\n"}, "r/r.go"},
		"vendor": {map[string]string{
			"m/vendor/modules.txt":        "# example.com/r v1.0.0 => ../r\n## explicit; go 1.26\nexample.com/r\n# example.com/r => ../r\n",
			"m/vendor/example.com/r/r.go": tree["r/r.go"],
		}, "m/vendor/example.com/r/r.go"},
	} {
		t.Run(name, func(t *testing.T) {
			m := setUp(t, c.files)
			remember(t, m)
			write(t, filepath.Join(filepath.Dir(m), c.input), strings.Replace(tree["r/r.go"], "another", "some", 1))
			if current(t, m) {
				t.Errorf("a comment in %s changed", c.input)
			}
		})
	}
}

// A file behind a symbolic link is an input.
func TestLinks(t *testing.T) {
	m := setUp(t, map[string]string{"exact.json": "{}", "real/x.go": "package linked\n\n// X is x.\ntype X int\n"})
	dir := filepath.Dir(m)
	write(t, filepath.Join(m, "uses.go"), "package m\n\nimport \"example.com/m/linked\"\n\ntype L linked.X\n")
	for to, link := range map[string]string{"../exact.json": "b.schema.json", "../real": "linked"} {
		if err := os.Symlink(to, filepath.Join(m, link)); err != nil {
			t.Skip(err)
		}
	}
	remember(t, m)
	for name, text := range map[string]string{"exact.json": "{ }", "real/x.go": "package linked\n\n// X is y.\ntype X int\n"} {
		before, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), text)
		if current(t, m) {
			t.Errorf("%s changed", name)
		}
		write(t, filepath.Join(dir, name), string(before))
	}
}

// A run is not remembered if not all its inputs are known.
func TestUnknownInputs(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"cgo":                {"m/kinds/c.go": "package kinds\n\n// int f(void);\nimport \"C\"\n"},
		"line":               {"m/kinds/l.go": "package kinds\n\n//line ../../other.go:1\ntype L int\n"},
		"line in a line":     {"m/l.go": "package m\n\n/*line other.go:1:1*/ type L int\n"},
		"import not built":   {"m/deep/d_plan9.go": "package deep\n\nimport _ \"example.com/m/other\"\n"},
		"does not compile":   {"m/body.go": "package m\n\nvar x int = \"\"\n"},
		"missing dependency": {"m/gone.go": "package m\n\nimport _ \"example.com/gone\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			m := setUp(t, files)
			for range 3 {
				if run(t, m, nothing) {
					t.Fatal("a run was skipped")
				}
			}
		})
	}
	t.Run("pattern", func(t *testing.T) {
		m := setUp(t, nil)
		odd := filepath.Join(filepath.Dir(m), "m[12]")
		if err := os.Rename(m, odd); err != nil {
			t.Skip(err)
		}
		for range 3 {
			if run(t, odd, nothing) {
				t.Fatal("a run was skipped")
			}
		}
	})
}

// A run during which an input or an output changes is not remembered.
func TestChangeDuringRun(t *testing.T) {
	for _, name := range []string{"m/m.go", "m/jp_gen.go", "m/kinds/kinds.go", "m/kinds/a.schema.json", "r/r.go"} {
		t.Run(name, func(t *testing.T) {
			m := setUp(t, nil)
			path := filepath.Join(filepath.Dir(m), name)
			run(t, m, nothing)
			run(t, m, func() { write(t, path, tree[name]+"\n") })
			if current(t, m) {
				t.Error("the changed file is current")
			}
			write(t, path, tree[name])
			if current(t, m) {
				t.Error("the restored file is current")
			}
		})
	}
}

// Two modules with the same content do not share what is remembered.
func TestSameContent(t *testing.T) {
	m := setUp(t, nil)
	remember(t, m)
	other := filepath.Join(filepath.Dir(m), "other")
	if err := os.CopyFS(other, os.DirFS(m)); err != nil {
		t.Fatal(err)
	}
	if current(t, other) {
		t.Error("a copy of the module is current")
	}
}

// Files of the cache with any content, and a cache that cannot be used, only make runs slower.
func TestDamagedCache(t *testing.T) {
	m := setUp(t, nil)
	remember(t, m)
	cache := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "jptool", "generate")
	entries, err := filepath.Glob(filepath.Join(cache, "*"))
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	for _, text := range []string{"", "x", strings.Repeat("0", 64), strings.Repeat("x", 1<<20)} {
		write(t, entries[0], text)
		if run(t, m, nothing) {
			t.Errorf("%.70q is current", text)
		}
		if !current(t, m) {
			t.Errorf("%.70q was not replaced", text)
		}
	}
	for range 1100 {
		write(t, filepath.Join(cache, fmt.Sprint(len(entries))), "")
		entries = append(entries, "")
	}
	write(t, filepath.Join(m, "notes.txt"), "")
	remember(t, m)
	if left, err := os.ReadDir(cache); err != nil || len(left) > 1000 {
		t.Errorf("%d files in the cache, %v", len(left), err)
	}
	for _, block := range []func(string) error{
		func(at string) error { return os.Mkdir(at, 0o777) },
		func(at string) error { return os.Symlink("/dev/zero", at) },
	} {
		remembered, err := filepath.Glob(filepath.Join(cache, "*"))
		if err != nil || len(remembered) != 1 {
			t.Fatal(remembered, err)
		}
		if err := os.Remove(remembered[0]); err != nil {
			t.Fatal(err)
		}
		if err := block(remembered[0]); err != nil {
			t.Fatal(err)
		}
		run(t, m, nothing)
		if run(t, m, nothing) {
			t.Error("a run was skipped")
		}
	}
	write(t, filepath.Join(m, "file"), "")
	t.Setenv("XDG_CACHE_HOME", filepath.Join(m, "file"))
	run(t, m, nothing)
	if run(t, m, nothing) {
		t.Error("a run was skipped without a cache")
	}
}

// Runs at the same time do not disturb each other.
func TestRunsAtOnce(t *testing.T) {
	m := setUp(t, nil)
	var work sync.WaitGroup
	for range 3 {
		work.Go(func() { run(t, m, nothing); run(t, m, nothing) })
	}
	work.Wait()
	if run(t, m, nothing); !current(t, m) {
		t.Error("not current")
	}
}

// Another program does not use what this program remembered, even if the linker gave both the same build ID.
func TestRebuilt(t *testing.T) {
	if dir := os.Getenv("FRESH_TEST_DIR"); dir != "" {
		fmt.Println("current:", current(t, dir))
		return
	}
	m := setUp(t, nil)
	remember(t, m)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.exe")
	if err := os.WriteFile(other, append(program, 0), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{self: "current: true", other: "current: false"} {
		cmd := exec.Command(name, "-test.run=^TestRebuilt$", "-test.v")
		cmd.Env = append(os.Environ(), "FRESH_TEST_DIR="+m)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, want %s in\n%s", name, err, want, out)
		}
	}
}
