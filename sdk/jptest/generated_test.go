package jptest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk/gen/manifest"
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

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const source = "package p\n\n// S is a server.\n//\n//jp:server\ntype S struct{}\n"
	write("p.go", []byte(source))
	built := &manifest.Server{Name: "s"}
	contract, err := built.Write()
	if err != nil {
		t.Fatal(err)
	}
	all, err := declared.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	write(declared.Contract, contract)
	write(declared.Code, declared.Seal([]byte("package p\n"), contract, all))
	file := filepath.Join(dir, declared.Code)
	if text, err := compare(file, built); text != "" || err != nil {
		t.Errorf("nothing differs: %q, %v", text, err)
	}
	want := "the program was built with a different contract from " + filepath.Join(dir, declared.Contract) + "; build it again"
	if text, err := compare(file, &manifest.Server{Name: "other"}); text != want || err != nil {
		t.Errorf("another contract: %q, %v", text, err)
	}
	write("p.go", []byte(strings.Replace(source, "S is a server.", "S is another server.", 1)))
	text, err := compare(file, built)
	if !strings.HasPrefix(text, "the generated code of server s is out of date:\np.go:6: ") || !strings.HasSuffix(text, "\nrun \"go generate\" in "+dir) || err != nil {
		t.Errorf("another source: %q, %v", text, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if text, err := compare(file, built); text != "" || err == nil {
		t.Errorf("no generated code: %q, %v", text, err)
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

// The generated code of a server is compared once. Only a difference fails the test.
func TestCheckGenerated(t *testing.T) {
	s := fixture.NewServer(new(fixture.Fixture))
	before, ok := comparisons.Load(s.Source())
	defer func() {
		comparisons.Delete(s.Source())
		if ok {
			comparisons.Store(s.Source(), before)
		}
	}()
	for _, tt := range []struct {
		name         string
		difference   string
		err          error
		errors, logs int
	}{
		{"the same", "", nil, 0, 0},
		{"not compared", "", errors.New("no source"), 0, 1},
		{"out of date", "it differs", nil, 1, 0},
	} {
		comparisons.Store(s.Source(), func() (string, error) { return tt.difference, tt.err })
		var said talker
		checkGenerated(&said, s)
		if len(said.errors) != tt.errors || len(said.logs) != tt.logs {
			t.Errorf("%s: errors %q, logs %q", tt.name, said.errors, said.logs)
		}
	}
}

// A message lists only the first differences.
func TestList(t *testing.T) {
	text := list("", make([]declared.Difference, maxDifferences+2))
	if strings.Count(text, "\n") != maxDifferences || !strings.HasSuffix(text, "\nand 2 more") {
		t.Errorf("many differences: %s", text)
	}
}
