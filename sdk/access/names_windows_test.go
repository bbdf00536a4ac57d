package access

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Windows accepts several spellings of a name. A file that the rules deny is denied under every spelling.
func TestOtherSpellings(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, "1"), 0o755))
	for _, name := range []string{"2", "secret", "secret document.text", "1/key"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("secret"), 0o644))
	}
	no := false
	p := &Policy{FS: []FSRule{{Path: ".", Read: true, Write: true, Execute: true}}}
	for _, path := range []string{"1", "2", "Secret", "secret document.text", "new", "3"} {
		p.FS = append(p.FS, FSRule{Path: path, Create: &no, Update: &no, Delete: &no})
	}
	files, err := Open(dir, p)
	must(t, err)
	defer files.Close()
	short := make([]uint16, 300)
	long, err := syscall.UTF16PtrFromString(filepath.Join(dir, "secret document.text"))
	must(t, err)
	n, err := syscall.GetShortPathName(long, &short[0], uint32(len(short)))
	must(t, err)
	for _, path := range []string{
		"1./key", "1 /key", "1/key", `1\key`, "1. ./key", "2.", "2 ", "2. .", "2::$DATA", "2:$DATA", "2:stream", "secret.", "SECRET", "SECRET ",
		"Secret..", "secret::$DATA", filepath.Base(syscall.UTF16ToString(short[:n])), "SECRET DOCUMENT.TEXT.", "CON", "NUL", "COM1", "COM¹",
		"CONIN$", "new.", "new ", "NEW", "New/x", "3.", "3 ", "none/3.", `\\?\C:\x`, `\\.\C:`, "C:", "C:2", `\2`, "/2", `..\x`, `x\..\2`, `x\..\1.\key`,
	} {
		for _, c := range []Capability{Read, Create, Execute} {
			if got, err := files.Check(c, path); err == nil {
				t.Errorf("%s %q leads to %s", c, path, got)
			}
		}
		if data, err := files.ReadFile(path); err == nil {
			t.Errorf("%q contains %q", path, data)
		}
		if err := files.WriteFile(path, []byte("changed"), 0o644); err == nil {
			t.Errorf("%q was written", path)
		}
	}
}
