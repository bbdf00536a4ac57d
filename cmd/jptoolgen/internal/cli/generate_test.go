package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
)

// The committed files match the current output of the generator.
func TestCorpusIsFresh(t *testing.T) {
	dir, err := filepath.Abs("../corpus")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if status := Run(t.Context(), Env{Dir: dir, Stdout: &out, Stderr: &out}, []string{"--check"}); status != exitOK {
		t.Errorf("jptoolgen --check: status %d\n%s", status, &out)
	}
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args   []string
		status int
	}{
		{[]string{"--nope"}, exitError},
		{[]string{"--format", "xml"}, exitError},
		{[]string{"--check=maybe"}, exitError},
		{[]string{"./nowhere"}, exitError},
		{[]string{"nowhere"}, exitError},
		{[]string{"-h"}, exitOK},
		{[]string{"--help", "--check"}, exitOK},
		{[]string{"--version"}, exitOK},
	} {
		var stdout, stderr bytes.Buffer
		env := Env{Dir: t.TempDir(), Stdout: &stdout, Stderr: &stderr}
		if status := Run(context.Background(), env, tt.args); status != tt.status {
			t.Errorf("%q: status %d, want %d", tt.args, status, tt.status)
		}
		if said := stdout.Len() > 0; said != (tt.status == exitOK) {
			t.Errorf("%q: standard output is %q", tt.args, &stdout)
		}
		if said := stderr.Len() > 0; said != (tt.status != exitOK) {
			t.Errorf("%q: standard error is %q", tt.args, &stderr)
		}
	}
}

// Commands that do not use the common parser for targets check --timeout too.
func TestTimeoutIsChecked(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, words := range []string{"list --timeout 0s .", "profile create notes --timeout 0s ."} {
		var out, errs bytes.Buffer
		env := Env{Dir: t.TempDir(), Stdin: &out, Stdout: &out, Stderr: &errs}
		status := Run(t.Context(), env, strings.Fields(words))
		if want := "jptoolgen: --timeout must be positive, e.g. 30s\n"; status != exitError || errs.String() != want {
			t.Errorf("%s: status %d, standard error %q, want %q", words, status, &errs, want)
		}
	}
}

func TestUnchangedFilesAreNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	old := time.Unix(1, 0)
	for _, tt := range []struct {
		data    string
		touched bool
	}{{"a", true}, {"a", false}, {"b", true}} {
		if err := write([]output.File{{Path: path, Data: []byte(tt.data)}}); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if touched := !info.ModTime().Equal(old); touched != tt.touched {
			t.Errorf("%s: written is %v", tt.data, touched)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
}
