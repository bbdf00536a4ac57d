package access

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
)

func TestSpelled(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Name", "zwölf", "PROGRA~1", "123"} {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
		info, err := os.Lstat(filepath.Join(dir, name))
		must(t, err)
		if got, err := nameOnDisk(dir, name, info); err != nil || got != name {
			t.Errorf("spelled(%q) = %q, %v", name, got, err)
		}
	}
	// A file that is found under a name that is not listed simulates a file system that folds Unicode, ignores
	// case or has short names.
	for _, tc := range []struct{ file, name, want string }{
		{"Name", "nämé", "Name"},
		{"PROGRA~1", "PROGRA~2", "PROGRA~1"},
		{"zwölf", "ZWÖLF", "zwölf"},
	} {
		info, err := os.Lstat(filepath.Join(dir, tc.file))
		must(t, err)
		if got, err := nameOnDisk(dir, tc.name, info); err != nil || got != tc.want {
			t.Errorf("spelled(%q) = %q, %v", tc.name, got, err)
		}
	}
	info, err := os.Lstat(filepath.Join(dir, "Name"))
	must(t, err)
	if err := os.Link(filepath.Join(dir, "Name"), filepath.Join(dir, "name")); !errors.Is(err, fs.ErrExist) { // on a file system that ignores case, the name already exists
		must(t, err)
	}
	if got, err := nameOnDisk(dir, "NAME", info); err != nil || got != "Name" {
		t.Errorf("a name in other letter case: %q, %v", got, err)
	}
	must(t, os.Link(filepath.Join(dir, "Name"), filepath.Join(dir, "nämé")))
	if got, err := nameOnDisk(dir, "nämé", info); err != nil || got != "nämé" {
		t.Errorf("one of several names of a file: %q, %v", got, err)
	}
	if got, err := nameOnDisk(t.TempDir(), "nämé", info); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that was removed: %q, %v", got, err)
	}
}

// On systems that ignore letter case, a rule denies every spelling of a path, whether or not the path exists. It
// allows only its own spelling.
func TestLetterCase(t *testing.T) {
	defer func(before bool) { ignoresCase = before }(ignoresCase)
	p := &Policy{FS: []FSRule{{Path: ".", Read: true, Write: true}, {Path: "Secret"}, {Path: "dir/Private", Read: true}, {Path: "locked"}, {Path: "locked/Free", Read: true, Write: true}}}
	dir := t.TempDir()
	for _, name := range []string{"dir", "Dir", "locked"} {
		must(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
	}
	files, err := Open(dir, p)
	must(t, err)
	defer files.Close()
	for _, ignoresCase = range []bool{false, true} {
		for path, want := range map[string]bool{
			"Secret": false, "SECRET": !ignoresCase, "secret/x": !ignoresCase, "secrets": true, "dir/private": !ignoresCase, "dir/PRIVATE/x": !ignoresCase,
			"locked/Free": true, "locked/free": false, "locked/FREE/x": false, "dir/other": true,
		} {
			if got := p.Permits(Create, path); got != want {
				t.Errorf("%s: %t, ignoring case: %t", path, got, ignoresCase)
			}
			if _, err := files.Check(Create, path); (err == nil) != want {
				t.Errorf("%s: %v, ignoring case: %t", path, err, ignoresCase)
			}
		}
	}
	err = files.WriteFile("SECRET", nil, 0o644)
	if f, ok := errors.AsType[*fault.Error](err); !ok || f.Details["rule"] != "Secret" {
		t.Errorf("the error %v does not name the rule", err)
	}
	if err := files.Rename("Dir", "moved"); err == nil || !strings.Contains(err.Error(), "rules") {
		t.Errorf("a directory above a rule was moved: %v", err)
	}
}

// Operating system errors become faults, and never mean that a file may be created.
func TestTrouble(t *testing.T) {
	reasons := map[error]*reason{
		syscall.EACCES: unreadable, syscall.EPERM: unreadable, syscall.ENOTDIR: notDirectory, syscall.ELOOP: loop,
		syscall.ENAMETOOLONG: malformed, syscall.EINVAL: malformed, syscall.EIO: failed, syscall.ENOENT: missing,
	}
	if runtime.GOOS == "windows" {
		reasons[syscall.ENOTDIR] = missing // Windows calls this error ERROR_PATH_NOT_FOUND
	}
	for err, want := range reasons {
		if got := nameReason(&fs.PathError{Op: "lstat", Path: "/x", Err: err}); got != want {
			t.Errorf("%v: %v, want %v", err, got, want)
		}
	}
}

// On Windows, variable names are not case-sensitive.
func TestFoldedVariables(t *testing.T) {
	p := &Policy{Env: []EnvRule{{Name: "*", Read: true}, {Name: "GitHub_Token"}}}
	if i := p.envRule("github_token", true); i != 1 {
		t.Errorf("folded, rule %d", i)
	}
	if i := p.envRule("github_token", false); i != 0 {
		t.Errorf("not folded, rule %d", i)
	}
}

func TestCapabilityText(t *testing.T) {
	for _, c := range []Capability{Read, Create, Update, Delete, Execute} {
		var got Capability
		if err := got.UnmarshalText([]byte(c)); err != nil || got != c || !c.Valid() {
			t.Errorf("%q: %q, %v", c, got, err)
		}
	}
	for _, bad := range []string{"", "write", "Read", "read "} {
		got := Read
		if err := got.UnmarshalText([]byte(bad)); err == nil || got != Read || Capability(bad).Valid() || (FSRule{Write: true}).Grants(Capability(bad)) {
			t.Errorf("%q passes for a capability", bad)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	for _, path := range []string{"", "a/../b", "../a", "/a", "a//b/./c/", "...", "a/b/../../..", "C:\\x"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		clean, why := normalize(path)
		if why != nil {
			if clean != "" {
				t.Errorf("%q: refused and %q", path, clean)
			}
			return
		}
		if again, why := normalize(clean); again != clean || why != nil {
			t.Errorf("%q: %q becomes %q, %v", path, clean, again, why)
		}
		if clean != strings.Join(segments(clean), "/") || strings.HasPrefix(path, "/") {
			t.Errorf("%q: %q is not made of names", path, clean)
		}
	})
}
