package jpvet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/jptool/jptool/cmd/jptoolgen/jpvet"
)

// module copies testdata into a module that requires this one, as an author's does.
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

// only passes on what is wrong, save facts that no comment wants: every function has one.
type only struct{ *testing.T }

func (t only) Errorf(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, ": unexpected fact: ") {
		t.T.Error(text)
	}
}

// Every rule finds its seeded faults in testdata, and nothing beside them.
func TestRules(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	if err := jpvet.Analyzer.Flags.Set("today", "2026-07-01"); err != nil {
		t.Fatal(err)
	}
	analysistest.RunWithSuggestedFixes(only{t}, module(t), jpvet.Analyzer, "./...")
}
