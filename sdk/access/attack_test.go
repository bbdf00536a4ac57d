//go:build unix

package access_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
)

const secret = "SECRET"

// createTree creates a workspace next to a directory that is outside it, and returns the path of the
// workspace. Every file that must not be read contains a secret.
func createTree(t *testing.T) (root string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	root = filepath.Join(dir, "ws")
	for name, text := range map[string]string{
		"ws/src/a.txt": "a", "ws/src/deep/b.txt": "b", "ws/build/out": "o", "ws/top.txt": "t", "ws/été/f": secret,
		"ws/secret/f.txt": secret, "ws/src/private/f": secret, "evil/passwd": secret, "mount/m.txt": "m", "ws-other/f": secret,
	} {
		full := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(text), 0o644))
	}
	for name, target := range map[string]string{
		"out": dir + "/evil", "out-file": dir + "/evil/passwd", "up": "..", "up-up": "../evil/passwd", "etc": "/etc",
		"self": "self", "ping": "pong", "pong": "ping", "gone": "nowhere", "gone-out": dir + "/evil/new", "to-secret": "secret",
		"secret-file": "secret/f.txt", "chain": "to-secret", "src/rel": "../secret/f.txt", "src/abs": root + "/secret", "src/gone": "nowhere",
		"to-src": "src", "a-link": "src/a.txt", "root": root, "sibling": "../ws-other/f", "fork": dir + "/mount", "fork-alias": "fork",
		"build/link": "../src/a.txt", "build/inner": "out", "build/out-link": dir + "/evil/passwd", "build/gone": "new", "build/gone-out": dir + "/evil/new",
		"proc": "/proc/self/environ", "src/long": strings.Repeat("x/", 400),
	} {
		must(t, os.Symlink(target, filepath.Join(root, name)))
	}
	must(t, os.Symlink(root+"/secret", filepath.Join(dir, "mount/home")))
	must(t, os.Symlink(dir+"/evil", filepath.Join(dir, "mount/evil")))
	must(t, syscall.Mkfifo(filepath.Join(root, "src/pipe"), 0o644))
	must(t, syscall.Mkfifo(filepath.Join(root, "build/pipe"), 0o644))
	return root
}

func policy(root string) *access.Policy {
	return &access.Policy{FS: []access.FSRule{
		{Path: "src", Read: true}, {Path: "src/private"}, {Path: "build", Write: true}, {Path: "build/private"},
		{Path: "fork", External: true, Target: filepath.Join(filepath.Dir(root), "mount"), Read: true, Write: true},
		{Path: "out", External: true, Read: true}, {Path: "up", External: true, Target: "..", Read: true},
	}}
}

// hostile lists paths, each with the reasons for which reading and writing are denied. If a reason is empty,
// the operation is allowed.
var hostile = []struct{ path, read, write string }{
	{"/etc/passwd", "absolute", "absolute"},
	{"//etc/passwd", "absolute", "absolute"},
	{"/", "absolute", "absolute"},
	{"..", "above_root", "above_root"},
	{"../evil/passwd", "above_root", "above_root"},
	{"../ws/src/a.txt", "above_root", "above_root"},
	{"src/../../evil/passwd", "above_root", "above_root"},
	{"src/../../ws/src/a.txt", "above_root", "above_root"},
	{"./.././src", "above_root", "above_root"},
	{"src/a.txt\x00.png", "malformed", "malformed"},
	{"\x00", "malformed", "malformed"},
	{"src/\xff\xfe", "malformed", "malformed"},
	{strings.Repeat("a/", 3000), "malformed", "malformed"},
	{"src/" + strings.Repeat("a", 300), "malformed", "denied"},
	{"build/" + strings.Repeat("a", 300), "denied", "malformed"},
	{"secret/f.txt", "denied", "denied"},
	{"src/../secret/f.txt", "denied", "denied"},
	{"src/private/f", "denied", "denied"},
	{"src/deep/../private/f", "denied", "denied"},
	{"", "denied", "denied"},
	{".", "denied", "denied"},
	{"SRC/a.txt", "denied", "denied"},
	{"src_/a.txt", "denied", "denied"},
	{"src\\a.txt", "denied", "denied"},
	{"C:\\Windows\\win.ini", "denied", "denied"},
	{"C:/Windows/win.ini", "denied", "denied"},
	{"\\\\host\\share\\f", "denied", "denied"},
	{"~/.ssh/id_rsa", "denied", "denied"},
	{"$HOME/x", "denied", "denied"},
	{"file:///etc/passwd", "denied", "denied"},
	{"%2e%2e/evil/passwd", "denied", "denied"},
	{"..%2fevil/passwd", "denied", "denied"},
	{"．．/evil/passwd", "denied", "denied"},
	{"e\u0301te\u0301/f", "denied", "denied"},
	{"été/f", "denied", "denied"},
	{"src /a.txt", "denied", "denied"},
	{"...", "denied", "denied"},
	{"out/passwd", "escape", "escape"},
	{"out", "escape", "escape"},
	{"out/new/file", "escape", "escape"},
	{"out-file", "escape", "escape"},
	{"up/evil/passwd", "escape", "escape"},
	{"up/ws/secret/f.txt", "denied", "denied"},
	{"up-up", "escape", "escape"},
	{"etc/passwd", "escape", "escape"},
	{"proc", "escape", "escape"},
	{"sibling", "escape", "escape"},
	{"self", "denied", "denied"},
	{"ping", "denied", "denied"},
	{"gone", "denied", "denied"},
	{"gone-out", "escape", "escape"},
	{"src/gone", "dangling_link", "denied"},
	{"src/long", "dangling_link", "denied"},
	{"to-secret/f.txt", "denied", "denied"},
	{"secret-file", "denied", "denied"},
	{"chain/f.txt", "denied", "denied"},
	{"src/rel", "denied", "denied"},
	{"src/abs/f.txt", "denied", "denied"},
	{"root/secret/f.txt", "denied", "denied"},
	{"root/root/root/secret/f.txt", "denied", "denied"},
	{"src/a.txt/", "", "denied"},
	{"src/a.txt/x", "not_a_directory", "denied"},
	{"src/pipe", "special_file", "denied"},
	{"build/pipe", "denied", "special_file"},
	{"build/link", "", "denied"},
	{"build/inner", "denied", "link"},
	{"build/out-link", "escape", "escape"},
	{"build/gone", "denied", "dangling_link"},
	{"build/gone-out", "escape", "escape"},
	{"build/none/new", "denied", "missing"},
	{"build", "denied", "a_directory"},
	{"fork/home/f.txt", "denied", "denied"},
	{"fork/evil/passwd", "escape", "escape"},
	{"fork/../secret/f.txt", "denied", "denied"},
	{"fork-alias/m.txt", "escape", "escape"},
	{"fork", "", "link"},
	{"fork/m.txt", "", ""},
}

func reasonOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	coded, ok := errors.AsType[*fault.Error](err)
	if !ok {
		t.Fatalf("%v has no code", err)
	}
	why, _ := coded.Details["reason"].(string)
	return why
}

func TestHostilePaths(t *testing.T) {
	root := createTree(t)
	files, err := access.Open(root, policy(root))
	must(t, err)
	defer files.Close()
	before := snapshot(t, root)

	_, err = os.Stat(filepath.Join(root, "SRC"))
	folds := err == nil
	for _, tc := range hostile {
		if folds && tc.path == "SRC/a.txt" {
			continue // here, it is the same file as src/a.txt, which may be read
		}
		data, err := files.ReadFile(tc.path)
		if why := reasonOf(t, err); why != tc.read && (why != "a_directory" || tc.read != "") || bytes.Contains(data, []byte(secret)) {
			t.Errorf("ReadFile(%.60q) = %q, %v, want reason %q", tc.path, data, err, tc.read)
		}
		if _, err := files.Stat(tc.path); tc.read != "special_file" && reasonOf(t, err) != tc.read {
			t.Errorf("Stat(%.60q) = %v, want reason %q", tc.path, err, tc.read)
		}
		if _, err := files.Check(access.Read, tc.path); tc.read != "special_file" && reasonOf(t, err) != tc.read {
			t.Errorf("Check(%.60q) = %v, want reason %q", tc.path, err, tc.read)
		}
		if tc.write == "" {
			continue
		}
		for how, write := range writers(files, tc.path) {
			err := write()
			if err == nil || how == "WriteFile" && reasonOf(t, err) != tc.write {
				t.Errorf("%s(%.60q) = %v, want reason %q", how, tc.path, err, tc.write)
			}
			if err != nil && strings.Contains(err.Error(), filepath.Dir(root)) {
				t.Errorf("%s(%.60q) = %v names a directory of the machine", how, tc.path, err)
			}
		}
	}
	if after := snapshot(t, root); after != before {
		t.Errorf("the tree was changed:\n%s\nwas\n%s", after, before)
	}
}

// writers returns operations that change something at path and must all fail.
func writers(files *access.FS, path string) map[string]func() error {
	ways := map[string]func() error{
		"WriteFile":   func() error { return files.WriteFile(path, []byte("x"), 0o644) },
		"Mkdir":       func() error { return files.Mkdir(path, 0o755) },
		"rename to":   func() error { return files.Rename("fork/m.txt", path) },
		"rename from": func() error { return files.Rename(path, "build/moved") },
		"append": func() error {
			f, err := files.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				f.Close()
			}
			return err
		},
		"create anew": func() error {
			f, err := files.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
			if err == nil {
				f.Close()
			}
			return err
		},
	}
	switch path {
	case "build/pipe", "build":
		delete(ways, "rename from") // renaming from these paths is allowed, as is removing them if they are empty
		if path == "build/pipe" {
			delete(ways, "rename to")
		}
	case "build/none/new":
	default:
		ways["Remove"] = func() error { return files.Remove(path) }
		ways["MkdirAll"] = func() error { return files.MkdirAll(path, 0o755) }
	}
	return ways
}

// snapshot returns the content of everything around root as text.
func snapshot(t *testing.T, root string) string {
	t.Helper()
	var all strings.Builder
	must(t, filepath.WalkDir(filepath.Dir(root), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		text := []byte{}
		if d.Type().IsRegular() {
			text, err = os.ReadFile(path)
		}
		all.WriteString(path + " " + d.Type().String() + " " + string(text) + "\n")
		return err
	}))
	return all.String()
}

// Without a policy, every file in a workspace may be read, but access is still confined to the workspace.
func TestHostilePathsWithoutPolicy(t *testing.T) {
	root := createTree(t)
	files, err := access.Open(root, nil)
	must(t, err)
	defer files.Close()
	before := snapshot(t, filepath.Join(filepath.Dir(root), "evil", "x"))
	for _, tc := range hostile {
		switch tc.read {
		case "absolute", "above_root", "malformed", "escape":
		default:
			continue
		}
		data, err := files.ReadFile(tc.path)
		if why := reasonOf(t, err); why != tc.read {
			t.Errorf("ReadFile(%.60q) = %q, %v, want reason %q", tc.path, data, err, tc.read)
		}
		if tc.read == "escape" {
			for how, write := range writers(files, tc.path) {
				if err := write(); err == nil {
					t.Errorf("%s(%.60q) did it", how, tc.path)
				}
			}
		}
	}
	if after := snapshot(t, filepath.Join(filepath.Dir(root), "evil", "x")); after != before {
		t.Errorf("what lies outside was changed:\n%s\nwas\n%s", after, before)
	}
}

// A link inside the target of an external rule cannot bypass a more specific rule.
func TestLinksInsideATarget(t *testing.T) {
	root := createTree(t)
	target := filepath.Join(filepath.Dir(root), "mount")
	must(t, os.MkdirAll(filepath.Join(target, "secret"), 0o755))
	must(t, os.WriteFile(filepath.Join(target, "secret/f"), []byte(secret), 0o644))
	must(t, os.Symlink("secret", filepath.Join(target, "link")))
	must(t, os.Symlink("m.txt", filepath.Join(target, "other")))
	for name, rule := range map[string]access.FSRule{
		"external":     {Path: "fork/secret", External: true, Target: filepath.Join(target, "secret")},
		"not external": {Path: "fork/secret"},
	} {
		rules := append(slices.Clone(policy(root).FS), rule)
		files, err := access.Open(root, &access.Policy{FS: rules})
		must(t, err)
		for _, path := range []string{"fork/secret/f", "fork/link/f"} {
			if data, err := files.ReadFile(path); fault.CodeOf(err) != fault.PermissionDenied {
				t.Errorf("%s: read %s: %q, %v", name, path, data, err)
			}
			if err := files.WriteFile(path, nil, 0o644); fault.CodeOf(err) != fault.PermissionDenied {
				t.Errorf("%s: write %s: %v", name, path, err)
			}
		}
		if err := files.Rename("fork/m.txt", "fork/link/m"); fault.CodeOf(err) != fault.PermissionDenied {
			t.Errorf("%s: rename into a target's part: %v", name, err)
		}
		if data, err := files.ReadFile("fork/other"); string(data) != "m" || err != nil {
			t.Errorf("%s: read another link: %q, %v", name, data, err)
		}
		must(t, files.Close())
	}
}
