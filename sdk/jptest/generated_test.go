package jptest

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/declared"
)

func TestSourceDir(t *testing.T) {
	fixture, err := filepath.Abs("../../internal/fixture")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, want, fails string }{
		{filepath.ToSlash(fixture) + "/jp_gen.go", fixture, ""},
		{"github.com/jptool/jptool/internal/fixture/jp_gen.go", fixture, ""}, // built with -trimpath
		{"example.com/nowhere/jp_gen.go", "", "go list example.com/nowhere: "},
		{filepath.ToSlash(t.TempDir()) + "/jp_gen.go", "", "jp_gen.go: "},
		{"/root/go/pkg/mod/example.com/m@v1.0.0/jp_gen.go", "", "it is in the module cache"},
		{"example.com/m@v1.0.0/jp_gen.go", "", "it is in the module cache"},
	} {
		got, err := sourceDir(tt.file)
		if got != tt.want || (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s: got %q, %v", tt.file, got, err)
		}
	}
}

// A talker is a test that only records messages.
type talker struct {
	testing.TB
	errors, logs []string
}

func (*talker) Helper() {}

func (t *talker) Errorf(format string, args ...any) {
	t.errors = append(t.errors, fmt.Sprintf(format, args...))
}

func (t *talker) Logf(format string, args ...any) { t.logs = append(t.logs, format) }

func TestReport(t *testing.T) {
	found := make([]declared.Difference, mostDifferences+2)
	for _, tt := range []struct {
		name         string
		comparison   comparison
		errors, logs int
	}{
		{"the same", comparison{}, 0, 0},
		{"not compared", comparison{err: errors.New("no source")}, 0, 1},
		{"out of date", comparison{found: found}, 1, 0},
		{"an old program", comparison{other: true}, 1, 0},
	} {
		var said talker
		tt.comparison.report(&said, "name")
		if len(said.errors) != tt.errors || len(said.logs) != tt.logs {
			t.Errorf("%s: errors %q, logs %q", tt.name, said.errors, said.logs)
		}
	}
	if text := (comparison{found: found}).message(); strings.Count(text, "\n") != mostDifferences || !strings.HasSuffix(text, "\nand 2 more") {
		t.Errorf("many differences: %s", text)
	}
}
