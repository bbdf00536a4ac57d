package access_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
)

// tree creates files below a new root and opens it.
func tree(t *testing.T, p *access.Policy, names ...string) *access.FS {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		full := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(name), 0o644))
	}
	files, err := access.Open(root, p)
	must(t, err)
	t.Cleanup(func() { files.Close() })
	return files
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	for _, root := range []string{"", filepath.Join(dir, "gone"), filepath.Join(dir, "file"), filepath.Join(dir, "file", "x"), "\x00"} {
		files, err := access.Open(root, nil)
		if fault.CodeOf(err) != fault.Unavailable || files != nil {
			t.Errorf("Open(%q) = %v, %v", root, files, err)
		}
	}
}

// Each capability allows certain operations, depending on whether a file exists.
func TestCapabilities(t *testing.T) {
	type FS = *access.FS
	open := func(path string, flag int) func(FS) error {
		return func(f FS) error {
			file, err := f.OpenFile(path, flag, 0o644)
			if err == nil {
				err = file.Close()
			}
			return err
		}
	}
	acts := []struct {
		name string
		run  func(FS) error
		want string // the capabilities that are needed and sufficient
	}{
		{"read", func(f FS) error { _, err := f.ReadFile("old"); return err }, "read"},
		{"list", func(f FS) error { _, err := f.ReadDir("dir"); return err }, "read"},
		{"stat", func(f FS) error { _, err := f.Stat("old"); return err }, "read"},
		{"lstat", func(f FS) error { _, err := f.Lstat("old"); return err }, "read"},
		{"write new", func(f FS) error { return f.WriteFile("new", nil, 0o644) }, "create"},
		{"write old", func(f FS) error { return f.WriteFile("old", nil, 0o644) }, "update"},
		{"create new", func(f FS) error { file, err := f.Create("new"); return errors.Join(err, file.Close()) }, "create"},
		{"new only", open("new", os.O_WRONLY|os.O_CREATE|os.O_EXCL), "create"},
		{"append", open("old", os.O_WRONLY|os.O_APPEND), "update"},
		{"read and write old", open("old", os.O_RDWR), "read update"},
		{"read and write new", open("new", os.O_RDWR|os.O_CREATE), "read create"},
		{"mkdir", func(f FS) error { return f.Mkdir("new", 0o755) }, "create"},
		{"mkdir all", func(f FS) error { return f.MkdirAll("new/a/b", 0o755) }, "create"},
		{"mkdir none", func(f FS) error { return f.MkdirAll("dir", 0o755) }, "create"},
		{"remove", func(f FS) error { return f.Remove("old") }, "delete"},
		{"move to new", func(f FS) error { return f.Rename("old", "dir/new") }, "delete create"},
		{"move to old", func(f FS) error { return f.Rename("old", "dir/a") }, "delete update"},
		{"move dir", func(f FS) error { return f.Rename("dir", "other") }, "delete create"},
	}
	every := []access.Capability{access.Read, access.Create, access.Update, access.Delete, access.Execute}
	for _, act := range acts {
		for set := range 1 << len(every) {
			rule, has := access.FSRule{Create: new(false), Update: new(false), Delete: new(false)}, []string{}
			for i, c := range every {
				if set&(1<<i) == 0 {
					continue
				}
				has = append(has, string(c))
				switch c {
				case access.Read:
					rule.Read = true
				case access.Create:
					rule.Create = new(true)
				case access.Update:
					rule.Update = new(true)
				case access.Delete:
					rule.Delete = new(true)
				case access.Execute:
					rule.Execute = true
				}
			}
			err := act.run(tree(t, &access.Policy{FS: []access.FSRule{rule}}, "old", "dir/a", "dir/b"))
			enough := true
			for _, c := range strings.Fields(act.want) {
				enough = enough && slices.Contains(has, c)
			}
			if enough != (err == nil) || !enough && fault.CodeOf(err) != fault.PermissionDenied {
				t.Errorf("%s with %v: %v", act.name, has, err)
			}
		}
	}
}

func TestMistakes(t *testing.T) {
	files := tree(t, nil, "old", "dir/a")
	for name, tc := range map[string]struct {
		err  error
		code fault.Code
		is   error
	}{
		"read nothing":      {second(files.ReadFile("gone")), fault.NotFound, fs.ErrNotExist},
		"read deep nothing": {second(files.ReadFile("gone/deep/x")), fault.NotFound, fs.ErrNotExist},
		"read a directory":  {second(files.ReadFile("dir")), fault.InvalidInput, nil},
		"list a file":       {second(files.ReadDir("old")), fault.InvalidInput, nil},
		"list nothing":      {second(files.ReadDir("gone")), fault.NotFound, fs.ErrNotExist},
		"write deep":        {files.WriteFile("a/b", nil, 0o644), fault.NotFound, fs.ErrNotExist},
		"write a directory": {files.WriteFile("dir", nil, 0o644), fault.InvalidInput, nil},
		"make it twice":     {files.Mkdir("dir", 0o755), fault.Conflict, fs.ErrExist},
		"make the root":     {files.Mkdir(".", 0o755), fault.Conflict, fs.ErrExist},
		"make over a file":  {files.MkdirAll("old", 0o755), fault.InvalidInput, nil},
		"make below a file": {files.MkdirAll("old/x", 0o755), fault.InvalidInput, nil},
		"remove nothing":    {files.Remove("gone"), fault.NotFound, fs.ErrNotExist},
		"remove the root":   {files.Remove("."), fault.InvalidInput, nil},
		"remove a full one": {files.Remove("dir"), fault.Conflict, fs.ErrExist},
		"move nothing":      {files.Rename("gone", "x"), fault.NotFound, fs.ErrNotExist},
		"move into itself":  {files.Rename("dir", "dir/x"), fault.InvalidInput, nil},
		"move the root":     {files.Rename(".", "x"), fault.InvalidInput, nil},
		"move onto root":    {files.Rename("old", "."), fault.InvalidInput, nil},
		"move onto a dir":   {files.Rename("old", "dir"), fault.Conflict, fs.ErrExist},
		"no such flag":      {second(files.OpenFile("old", os.O_RDONLY|os.O_TRUNC, 0)), fault.Internal, nil},
		"no such mode":      {second(files.OpenFile("x", os.O_WRONLY|os.O_CREATE, 0o4777)), fault.Internal, nil},
		"no such power":     {second(files.Check("fly", "old")), fault.Internal, nil},
	} {
		if fault.CodeOf(tc.err) != tc.code || tc.is != nil && !errors.Is(tc.err, tc.is) {
			t.Errorf("%s: %v, want %s", name, tc.err, tc.code)
		}
	}
	if err := files.Rename("old", "."); !strings.Contains(err.Error(), `"." is the root directory`) {
		t.Errorf("a move onto the root: %v; the error must name the root", err)
	}
}

// A move must not bypass rules: content that one rule protects must not move to a path that another
// rule grants.
func TestMovesGainNothing(t *testing.T) {
	p := &access.Policy{FS: []access.FSRule{
		{Path: "in", Write: true}, {Path: "open", Read: true, Write: true},
		{Path: "open/kept/secret"}, {Path: "open/new/secret"},
	}}
	files := tree(t, p, "in/f", "in/d/f", "open/kept/secret/f", "open/kept/g", "open/plain/f")
	for _, move := range [][2]string{{"in/f", "open/f"}, {"in/d", "open/d"}, {"open/kept", "open/moved"}, {"open/plain", "open/new"}} {
		if err := files.Rename(move[0], move[1]); fault.CodeOf(err) != fault.PermissionDenied {
			t.Errorf("Rename(%q, %q) = %v", move[0], move[1], err)
		}
	}
	for _, move := range [][2]string{{"in/f", "in/g"}, {"open/plain/f", "in/h"}, {"open/plain", "open/other"}, {"open/kept/g", "open/g"}} {
		if err := files.Rename(move[0], move[1]); err != nil {
			t.Errorf("Rename(%q, %q) = %v", move[0], move[1], err)
		}
	}
}

func TestDenialSaysWhichRuleDenies(t *testing.T) {
	files := tree(t, &access.Policy{FS: []access.FSRule{{Path: "", Read: true, Write: true}, {Path: "src/gen", Read: true}}}, "src/gen/a")
	const want = `permission_denied: access denied: update on "src/gen/a" is not granted; it is granted only below ., and not below src/gen`
	if err := files.WriteFile("src/gen/a", nil, 0o644); err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestDenialSaysWhatIsGranted(t *testing.T) {
	files := tree(t, &access.Policy{FS: []access.FSRule{{Path: "src", Read: true}, {Path: "build", Read: true, Write: true}}}, "src/a")
	err := files.WriteFile("src/a", nil, 0o644)
	const want = `permission_denied: access denied: update on "src/a" is not granted; it is granted only below build`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	details := fault.From(err).Details
	if got := fmt.Sprint(details); got != "map[capability:update grants:[build] path:src/a reason:denied rule:src]" {
		t.Errorf("details %s", got)
	}
}

func TestFilesForIOFS(t *testing.T) {
	files := tree(t, &access.Policy{FS: []access.FSRule{{Read: true}}}, "a.txt", "dir/b.txt", "dir/deep/c.txt")
	must(t, fstest.TestFS(files.FS(), "a.txt", "dir/b.txt", "dir/deep/c.txt"))

	files = tree(t, &access.Policy{FS: []access.FSRule{{Read: true}, {Path: "dir"}}}, "a.txt", "dir/b.txt")
	var seen []string
	err := fs.WalkDir(files.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			if fault.CodeOf(err) != fault.PermissionDenied || !errors.Is(err, fs.ErrPermission) {
				t.Error(err)
			}
			return nil
		}
		seen = append(seen, path)
		return nil
	})
	if want := []string{".", "a.txt", "dir"}; err != nil || !slices.Equal(seen, want) {
		t.Errorf("walked %q, %v, want %q", seen, err, want)
	}
}

func TestLargeFile(t *testing.T) {
	files := tree(t, nil)
	file, err := files.Create("large")
	must(t, err)
	must(t, file.Truncate(access.MaxReadFile+1))
	must(t, file.Close())
	if _, err := files.ReadFile("large"); fault.CodeOf(err) != fault.InvalidInput {
		t.Errorf("ReadFile = %v", err)
	}
	file, err = files.Open("large")
	must(t, err)
	defer file.Close()
	if n, err := io.Copy(io.Discard, file); err != nil || n != access.MaxReadFile+1 {
		t.Errorf("read %d, %v", n, err)
	}
}

func second[T any](_ T, err error) error { return err }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
