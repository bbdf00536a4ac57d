package revision_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/revision"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		word string
		want revision.File
		ok   bool
	}{
		{"HEAD~3:a/jp.lock.json", revision.File{Revision: "HEAD~3", Path: "a/jp.lock.json"}, true},
		{"v1.2.0:./jp.lock.json", revision.File{Revision: "v1.2.0", Path: "./jp.lock.json"}, true},
		{"HEAD:", revision.File{Revision: "HEAD"}, true},
		{"a:b:c", revision.File{Revision: "a", Path: "b:c"}, true},
		{":a", revision.File{}, false}, // the index of git, which is not a revision
		{"HEAD", revision.File{}, false},
		{`c:\lock.json`, revision.File{}, false},
		{"c:/lock.json", revision.File{}, false},
		{"http://host/mcp", revision.File{}, false},
		{"", revision.File{}, false},
	} {
		if got, ok := revision.Parse(tt.word); got != tt.want || ok != tt.ok {
			t.Errorf("Parse(%q) = %+v, %v", tt.word, got, ok)
		}
	}
}

// Names that git could read as an option or as several names are rejected before git runs.
func TestReadRefuses(t *testing.T) {
	dir := repository(t)
	for _, tt := range []struct{ rev, path, want string }{
		{"--output=stolen", "x", "must not start with a dash"},
		{"-p", "f", "must not start with a dash"},
		{"HEAD", "", "has no file path"},
		{"HEAD", "sub/", "has no file path"},
		{"HEAD", "f\nHEAD:g", "must not contain line breaks"},
		{"HEAD", "f\x00", "must not contain line breaks"},
		{"HEAD", "sub", "git cannot read HEAD:sub"},
		{"HEAD", "../f", "git cannot read HEAD:../f"},
		{"HEAD", "/etc/passwd", "git cannot read HEAD:/etc/passwd"},
		{"nowhere", "f", "git cannot read nowhere:f"},
	} {
		data, err := revision.File{Revision: tt.rev, Path: tt.path}.Read(t.Context(), dir)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s:%q: got %q and %v, want an error with %q", tt.rev, tt.path, data, err, tt.want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "stolen*")); err != nil || left != nil {
		t.Errorf("git wrote %v, %v", left, err)
	}
}

func TestRead(t *testing.T) {
	dir := repository(t)
	for path, want := range map[string]string{"f": "one\r\n", "./f": "one\r\n", "sub/-g": "two"} {
		data, err := revision.File{Revision: "HEAD", Path: path}.Read(t.Context(), dir)
		if err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	for path, want := range map[string]string{"f": "one\r\n", "-g": "two", "sub/-g": "two"} {
		data, err := revision.File{Revision: "HEAD", Path: path}.Read(t.Context(), filepath.Join(dir, "sub"))
		if err != nil || string(data) != want {
			t.Errorf("in a subdirectory, %s: %q, %v", path, data, err)
		}
	}
}

func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"f": "one\r\n", "sub/-g": "two"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."},
		{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", "commit", "-qm", "one"},
	} {
		cmd := exec.Command("git", append([]string{"-c", "core.autocrlf=false"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	return dir
}
