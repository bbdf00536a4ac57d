package files_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
)

const limit = 1 << 20

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func expectContent(t *testing.T, path, text string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%s has %q, %v; want %q", path, got, err, text)
	}
}

// Symbolic links are followed and stay in place, whether or not the target exists.
func TestLinksAreFollowed(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(other, "there"), "old", 0o640)
	link(t, filepath.Join(other, "there"), filepath.Join(dir, "a"))
	link(t, "a", filepath.Join(dir, "b"))
	link(t, filepath.Join(other, "missing"), filepath.Join(dir, "c"))
	link(t, other, filepath.Join(dir, "sub"))
	link(t, filepath.Join("..", filepath.Base(other), "up"), filepath.Join(other, "d"))
	for name, at := range map[string]string{"b": "there", "c": "missing", filepath.Join("sub", "d"): "up"} {
		got, err := files.Write(filepath.Join(dir, name), []byte(name), 0o600)
		if err != nil || filepath.Base(got) != at {
			t.Errorf("%s was written to %s, %v; want %s", name, got, err, at)
			continue
		}
		expectContent(t, filepath.Join(other, at), name)
		if text, err := files.Read(filepath.Join(dir, name), limit); err != nil || string(text) != name {
			t.Errorf("%s has %q, %v", name, text, err)
		}
	}
	for name, mode := range map[string]fs.FileMode{"there": 0o640, "missing": 0o600} {
		info, err := os.Stat(filepath.Join(other, name))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has the mode %v, %v; want %v", name, info.Mode(), err, mode)
		}
	}
	left, err := filepath.Glob(filepath.Join(other, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%s is left over, %v", left, err)
	}
}

func TestNonRegularFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	link(t, "loop", filepath.Join(dir, "loop"))
	link(t, dir, filepath.Join(dir, "folder"))
	for name, said := range map[string]string{
		".":      "is a directory; use a regular file",
		"loop":   "is part of a cycle of symbolic links; use a regular file",
		"folder": fmt.Sprintf("is a link to %q, which is a directory; use a regular file", dir),
	} {
		expectRefused(t, filepath.Join(dir, name), said)
	}
}

// expectRefused checks that a path can be neither read nor written.
func expectRefused(t *testing.T, path, said string) {
	t.Helper()
	_, read := files.Read(path, limit)
	_, wrote := files.Write(path, []byte("x"), 0o600)
	_, updated := files.Update(context.Background(), path, limit, func([]byte) ([]byte, error) { return []byte("x"), nil })
	for what, err := range map[string]error{"Read": read, "Write": wrote, "Update": updated} {
		if err == nil || !strings.Contains(err.Error(), said) || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s of %s: %v; want %q", what, path, err, said)
		}
	}
}

func TestMissingDirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "file")
	if _, err := files.Write(path, []byte("x"), 0o600); err == nil || err.Error() != "writing "+path+": the directory does not exist; create it first" {
		t.Errorf("got %v", err)
	}
}

func TestLargeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	write(t, path, strings.Repeat("x", 2<<20+1), 0o600)
	if _, err := files.Read(path, 2<<20); err == nil || !strings.Contains(err.Error(), `large" is larger than 2 MiB`) {
		t.Errorf("got %v", err)
	}
}

// Links do not lead out of a root, whether files are read or written.
func TestRoots(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(other, "secret"), "secret", 0o600)
	link(t, filepath.Join(other, "secret"), filepath.Join(dir, "a"))
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if text, err := files.ReadIn(root, "a", limit); err == nil {
		t.Errorf("read %q", text)
	}
	if err := files.WriteIn(root, "a", []byte("x"), 0o600); err == nil || !strings.Contains(err.Error(), `a" is a link; use a regular file`) {
		t.Errorf("got %v", err)
	}
	expectContent(t, filepath.Join(other, "secret"), "secret")
}

// A backup with different content is kept.
func TestBackups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "file")
	for i, text := range []string{"one", "two", "two", "one", "three", "one", "four"} {
		done, err := files.Update(context.Background(), path, limit, func([]byte) ([]byte, error) { return []byte(text), nil })
		if err != nil {
			t.Fatal(err)
		}
		if name := []string{"", "file.bak", "", "file.bak.1", "file.bak", "file.bak.2", "file.bak"}[i]; done.Backup != "" && filepath.Base(done.Backup) != name || (done.Backup == "") != (name == "") {
			t.Errorf("update %d keeps %q, want %q", i, done.Backup, name)
		}
		if done.Changed != (i != 2) || done.At != path {
			t.Errorf("update %d: %+v", i, done)
		}
	}
	for name, text := range map[string]string{"": "four", ".bak": "one", ".bak.1": "two", ".bak.2": "three"} {
		expectContent(t, path+name, text)
	}
	failed := errors.New("failed")
	missing := filepath.Join(t.TempDir(), "missing", "file")
	_, err := files.Update(context.Background(), missing, limit, func([]byte) ([]byte, error) { return nil, failed })
	if _, statErr := os.Stat(filepath.Dir(missing)); err != failed || !errors.Is(statErr, fs.ErrNotExist) {
		t.Errorf("got %v; the directory: %v", err, statErr)
	}
}

// Concurrent updates are serialized. A program that does not take the lock may write between them.
func TestUpdatesAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var work sync.WaitGroup
	for i := range 12 {
		work.Go(func() {
			edits := 0
			_, err := files.Update(context.Background(), path, limit, func(old []byte) ([]byte, error) {
				if edits++; edits == 2 && i == 5 { // the first call only checks for a change
					write(t, path, string(old)+"stranger\n", 0o600)
				}
				return fmt.Appendf(old, "%d\n", i), nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	text, err := os.ReadFile(path)
	if lines := strings.Count(string(text), "\n"); err != nil || lines != 13 {
		t.Errorf("%d of 13 lines, %v:\n%s", lines, err, text)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%s is left over, %v", left, err)
	}
}

// Waiting for a lock ends when the context is canceled.
func TestWaitingForALock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	ctx, cancel := context.WithCancel(context.Background())
	edits := 0
	_, err := files.Update(context.Background(), path, limit, func([]byte) ([]byte, error) {
		if edits++; edits == 2 { // this call holds the lock
			_, err := files.Update(ctx, path, limit, func([]byte) ([]byte, error) {
				cancel()
				return []byte("x"), nil
			})
			return nil, err
		}
		return []byte("y"), nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A file that its owner made read-only is not changed.
func TestReadOnlyFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "mine", 0o444)
	_, wrote := files.Write(path, []byte("x"), 0o600)
	_, updated := files.Update(context.Background(), path, limit, func([]byte) ([]byte, error) { return []byte("x"), nil })
	for _, err := range []error{wrote, updated} {
		if err == nil || !strings.Contains(err.Error(), `file" is read-only; make it writable`) {
			t.Errorf("got %v", err)
		}
	}
	expectContent(t, path, "mine")
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// A write removes the incomplete files of processes that were killed, and nothing else.
func TestIncompleteFiles(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * time.Hour)
	part := filepath.Join(dir, ".jptoolgen-"+rand.Text())
	kept := []string{".jptoolgen-" + rand.Text(), ".jptoolgen-" + rand.Text() + ".bak", ".jptoolgen-notes"}
	for _, name := range kept {
		write(t, filepath.Join(dir, name), "mine", 0o600)
	}
	write(t, part, "lost", 0o600)
	for _, path := range []string{part, filepath.Join(dir, kept[1]), filepath.Join(dir, kept[2])} {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := files.Write(filepath.Join(dir, "file"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(part); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left over, %v", part, err)
	}
	for _, name := range kept {
		expectContent(t, filepath.Join(dir, name), "mine")
	}
}
