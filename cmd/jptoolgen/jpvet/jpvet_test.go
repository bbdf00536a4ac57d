package jpvet_test

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/jpvet"
)

// module copies testdata into a module that requires this one, like a user's module.
func module(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, requirements, _ := strings.Cut(string(data), "\n")
	const path = "github.com/jptool/jptool"
	text := "module example.com/m\n" + requirements + "\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + root + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// generate writes the generated files of those servers in a module that have no findings, because missing files
// are findings too.
func generate(t *testing.T, dir string) {
	t.Helper()
	fset := token.NewFileSet()
	packages, err := load.Packages(t.Context(), dir, []string{"./..."}, fset, diag.NewList(fset, dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		list := diag.NewList(fset, dir)
		s := model.Build(p, list)
		if s == nil || list.Len() > 0 {
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

// only reports errors, except errors about facts without a want comment, because every function has a fact.
type only struct{ *testing.T }

func (t only) Errorf(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, ": unexpected fact: ") {
		t.T.Error(text)
	}
}

// Every rule must report exactly the problems that testdata expects.
func TestRules(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	if err := jpvet.Analyzer.Flags.Set("today", "2026-07-01"); err != nil {
		t.Fatal(err)
	}
	dir := module(t)
	generate(t, dir)
	analysistest.RunWithSuggestedFixes(only{t}, dir, jpvet.Analyzer, "./...")
}
