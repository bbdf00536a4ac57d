package fresh_test

import (
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/fresh"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
)

var module = map[string]string{
	"go.mod":              "module example.com/m\n\ngo 1.26\n",
	"m.go":                "package m\n\nimport \"example.com/m/kinds\"\n\n//jp:server\ntype S struct{ K kinds.K }\n",
	"m_plan9.go":          "package m\n\nimport \"example.com/m/plan\"\n\ntype P plan.P\n",
	"m_test.go":           "package m\n",
	"a.schema.json":       "{}",
	"kinds/kinds.go":      "package kinds\n\n// K is a kind.\ntype K int\n",
	"kinds/a_plan9.go":    "package kinds\n\nfunc a() {}\n",
	"kinds/a.schema.json": "{}",
	"plan/plan.go":        "package plan\n\n// P is a plan.\ntype P int\n",
	"jp_gen.go":           "package m\n",
	"jp.lock.json":        "{}\n",
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func current(t *testing.T, dir string) bool {
	t.Helper()
	roots, err := load.Find(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fresh.Begin(roots).Current(t.Context())
}

// save runs the generator's steps; during is called between loading and saving.
func save(t *testing.T, dir string, during func()) {
	t.Helper()
	roots, err := load.Find(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	state, fset := fresh.Begin(roots), token.NewFileSet()
	_, _ = roots.Load(t.Context(), fset, diag.NewList(fset, dir)) // fails, because the module does not require the SDK
	state.Loaded(t.Context())
	during()
	var made []output.File
	for _, name := range []string{"jp_gen.go", "jp.lock.json"} {
		made = append(made, output.File{Path: filepath.Join(dir, name), Data: []byte(module[name])})
	}
	state.Save(made)
}

// Each input decides, by its content alone.
func TestInputs(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	for name, text := range module {
		write(t, dir, name, text)
	}
	if current(t, dir) {
		t.Fatal("nothing was saved")
	}
	save(t, dir, func() {})
	if !current(t, dir) {
		t.Fatal("an unchanged module is not current")
	}
	for name, text := range module {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, text+"\n")
		if err := os.Chtimes(filepath.Join(dir, name), info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		if current(t, dir) {
			t.Errorf("%s changed", name)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if name != "go.mod" && name != "m.go" && current(t, dir) {
			t.Errorf("%s was removed", name)
		}
		write(t, dir, name, text)
	}
	for _, name := range []string{"new.go", "new_plan9.go", "_ignored.go", "notes.txt", "kinds/new_plan9.go", "plan/new.go"} {
		write(t, dir, name, "package "+filepath.Base(filepath.Dir(filepath.Join("m", name)))+"\n")
		if current(t, dir) {
			t.Errorf("%s was added", name)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, env := range [][2]string{{"GOOS", "plan9"}, {"GOFLAGS", "-tags=x"}, {"GODEBUG", "gotypesalias=1"}, {"GOPACKAGESDRIVER", "x"}} {
		t.Run(env[0], func(t *testing.T) {
			t.Setenv(env[0], env[1])
			if current(t, dir) {
				t.Errorf("%s changed", env[0])
			}
		})
	}
	if !current(t, dir) {
		t.Error("the module was restored, but is not current")
	}
}

// A change during a run is not saved.
func TestChangeDuringRun(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	for _, name := range []string{"m.go", "kinds/kinds.go", "kinds/a.schema.json", "plan/plan.go"} {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		dir := t.TempDir()
		for name, text := range module {
			write(t, dir, name, text)
		}
		save(t, dir, func() { write(t, dir, name, module[name]+"\n") })
		if current(t, dir) {
			t.Errorf("%s changed during the run", name)
		}
		write(t, dir, name, module[name])
		if current(t, dir) {
			t.Errorf("%s changed during the run and back", name)
		}
	}
}
