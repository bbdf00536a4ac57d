package filestore_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/storetest"
	"github.com/jptool/jptool/sdk/tasks"
	"github.com/jptool/jptool/sdk/tasks/filestore"
)

func open(t *testing.T, dir string) tasks.Store {
	t.Helper()
	s, err := filestore.Open(t.Context(), "file:"+dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	var dir string
	storetest.Run(t, func(t *testing.T) tasks.Store {
		dir = filepath.Join(t.TempDir(), "tasks")
		return open(t, dir)
	}, func(t *testing.T, _ tasks.Store) tasks.Store { return open(t, dir) })
}

func TestOnlyTheOwnerHasAccess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tasks")
	s := open(t, dir)
	one := tasks.Task{ID: "0123456789abcdef", Owner: "0123456789abcdef", Due: 1}
	if err := s.Create(t.Context(), one, 1); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefusesOtherDirectories(t *testing.T) {
	full, shared := t.TempDir(), filepath.Join(t.TempDir(), "shared")
	if err := os.Chmod(full, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(full, "letter.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{full: "has other files", shared: "chmod 700", "": "file:DIR"} {
		if _, err := filestore.Open(t.Context(), "file:"+dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("opening %q: got %v, want an error with %q", dir, err, want)
		}
	}
}

// A process can be killed between any two steps. What it leaves must neither be returned nor block others.
func TestLeftovers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tasks")
	s := open(t, dir)
	const id, owner = "0123456789abcdef", "fedcba9876543210"
	if err := os.MkdirAll(filepath.Join(dir, "owners", owner), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, left := range []string{"tasks/." + id, "due/" + id, "owners/" + owner + "/" + id} {
		if err := os.WriteFile(filepath.Join(dir, left), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if ids, err := s.Due(t.Context(), 10); len(ids) > 0 || err != nil {
		t.Errorf("due are %v, %v", ids, err)
	}
	if n, err := s.Count(t.Context(), owner); n != 0 || err != nil {
		t.Errorf("the owner has %d tasks, %v", n, err)
	}
	if err := s.Create(t.Context(), tasks.Task{ID: id, Owner: owner}, 1); err != nil {
		t.Error(err)
	}
}
