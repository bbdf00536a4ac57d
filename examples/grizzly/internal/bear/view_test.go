package bear

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

// A library at rest is read without locks. If it changes in the meantime, it is read again, and errors from
// the first attempt are ignored.
func TestChangeWhileReadingAtRest(t *testing.T) {
	wrong := errors.New("half a change")
	for _, c := range []struct {
		name    string
		changes int // number of attempts during which the library changes
		calls   int
		want    error
	}{
		{"undisturbed", 0, 1, nil},
		{"once", 1, 2, nil},
		{"twice", 2, 3, nil},
		{"always", 99, 3, ErrBusy},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "database.sqlite")
			if err := beartest.WriteSample(path); err != nil {
				t.Fatal(err)
			}
			db, err := Open(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			calls := 0
			err = db.read(context.Background(), func(*view) error {
				if calls++; calls > c.changes {
					return nil
				}
				if err := os.Chtimes(path, time.Time{}, beartest.Day(calls)); err != nil {
					t.Fatal(err)
				}
				return wrong
			})
			if calls != c.calls || !errors.Is(err, c.want) || errors.Is(err, wrong) {
				t.Errorf("%d calls, %v; want %d, %v", calls, err, c.calls, c.want)
			}
		})
	}
}

// If Bear starts during such an attempt, the next attempt uses its locks.
func TestOpenedWhileReadingAtRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	if err := beartest.WriteSample(path); err != nil {
		t.Fatal(err)
	}
	db, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rest []bool
	err = db.read(context.Background(), func(v *view) error {
		for _, side := range []string{"-wal", "-shm"} {
			if err := os.WriteFile(path+side, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		rest = append(rest, v.state.isUnused())
		return nil
	})
	if err != nil || len(rest) != 2 || !rest[0] || rest[1] {
		t.Errorf("at rest: %v, %v; want true, then false", rest, err)
	}
}

// All calls share one descriptor of a file, and the last call closes it.
func TestSharedDescriptor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	if err := beartest.WriteSample(path); err != nil {
		t.Fatal(err)
	}
	s := source{path: path}
	first, err := s.acquire()
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.acquire()
	if err != nil {
		t.Fatal(err)
	}
	if first != second {
		t.Error("two descriptors of one file")
	}
	s.release(first)
	if _, err := second.file.Stat(); err != nil {
		t.Errorf("closed while it is used: %v", err)
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if err := beartest.WriteSample(path); err != nil {
		t.Fatal(err)
	}
	third, err := s.acquire()
	if err != nil {
		t.Fatal(err)
	}
	if third == second {
		t.Error("the descriptor of a replaced file")
	}
	s.release(second)
	s.release(third)
	if _, err := third.file.Stat(); err == nil || s.open != nil {
		t.Error("open after the last release")
	}
}
