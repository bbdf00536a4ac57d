package bear_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

// folder describes everything in a directory that reading must not change: names, contents, times and modes.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var sum [sha256.Size]byte
		if !d.IsDir() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum = sha256.Sum256(text)
		}
		all[path] = fmt.Sprintf("%x %d %v %v", sum, info.Size(), info.ModTime(), info.Mode())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// copyLibrary copies the library at path as it is on disk, with the given side files.
func copyLibrary(t *testing.T, path string, sides ...string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.sqlite")
	for _, side := range append(sides, "") {
		text, err := os.ReadFile(path + side)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+side, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// createWithLog creates a library whose note OLD is in the file and NEW in the log, and keeps it open.
func createWithLog(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "database.sqlite")
	l, err := beartest.New(path, beartest.Layout{WAL: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if err := l.Add(beartest.Note{ID: "OLD", Title: "old"}); err != nil {
		t.Fatal(err)
	}
	if err := l.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	if err := l.Add(beartest.Note{ID: "NEW", Title: "new", Modified: beartest.Day(1)}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLeavesNoTrace(t *testing.T) {
	live := createWithLog(t)
	for _, c := range []struct {
		name string
		path string
		want []string
	}{
		{"rollback journal", library(t, beartest.Layout{}, beartest.Note{ID: "OLD"}), []string{"OLD"}},
		{"log moved into the file", library(t, beartest.Layout{WAL: true}, beartest.Note{ID: "OLD"}), []string{"OLD"}},
		{"log lost", copyLibrary(t, live), []string{"OLD"}},
		{"log without its index", copyLibrary(t, live, "-wal"), []string{"NEW", "OLD"}},
		{"index without its log", copyLibrary(t, live, "-shm"), []string{"OLD"}},
		{"log and index, Bear not running", copyLibrary(t, live, "-wal", "-shm"), []string{"NEW", "OLD"}},
	} {
		for _, mode := range []fs.FileMode{0o700, 0o500} {
			t.Run(fmt.Sprintf("%s, folder %v", c.name, mode), func(t *testing.T) {
				dir := filepath.Dir(c.path)
				if err := os.Chmod(dir, mode); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
				before := folder(t, dir)
				callAll(t, c.path, c.want)
				if after := folder(t, dir); !maps.Equal(before, after) {
					t.Errorf("before %q,\nafter %q", before, after)
				}
			})
		}
	}
}

// callAll makes one call of each kind, and expects the notes in want.
func callAll(t *testing.T, path string, want []string) {
	t.Helper()
	db := open(t, path)
	wantIDs(t, noteIDs(search(t, db, bear.Query{})), want...)
	search(t, db, bear.Query{Queries: []string{"words"}})
	search(t, db, bear.Query{Queries: []string{"%"}})
	if _, _, err := db.Get(context.Background(), want, bear.Lines{}, 0); err != nil {
		t.Error(explain(err))
	}
	if _, err := db.Tags(context.Background()); err != nil {
		t.Error(explain(err))
	}
}

// While another process has the library open, its lock files are used but not written.
func TestLeavesNoTraceBesideWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	stop := startWriter(t, path, "wal", `INSERT INTO ZSFNOTE (ZUNIQUEIDENTIFIER, ZTITLE) VALUES ('NEW', 'new')`,
		"BEGIN IMMEDIATE", `DELETE FROM ZSFNOTE`)
	before := folder(t, filepath.Dir(path))
	callAll(t, path, []string{"NEW", "OLD"})
	if after := folder(t, filepath.Dir(path)); !maps.Equal(before, after) {
		t.Errorf("before %q,\nafter %q", before, after)
	}
	stop()
	callAll(t, path, []string{"NEW", "OLD"})
}
