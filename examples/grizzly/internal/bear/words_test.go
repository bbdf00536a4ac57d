package bear

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

// If the index would exceed its limit, it is abandoned, once for each version of the library, and the search
// works without it.
func TestIndexLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	if err := beartest.Generate(path, beartest.Layout{}, 1000); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		limit   int64
		indexed bool
	}{{-1, false}, {1, false}, {32 << 10, false}, {500 << 10, false}, {64 << 20, true}, {0, true}} {
		db, err := Open(path, Options{IndexBytes: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			r, err := db.Search(context.Background(), Query{Queries: []string{beartest.Rare}})
			if err != nil || r.Total != 10 {
				t.Errorf("limit %d: %d notes, %v; want 10", c.limit, r.Total, err)
			}
			if indexed := db.words.pool != nil && !db.words.full; indexed != c.indexed {
				t.Errorf("limit %d: indexed %v, want %v", c.limit, indexed, c.indexed)
			}
			if c.limit > 0 && !c.indexed && !db.words.full {
				t.Errorf("limit %d: not remembered", c.limit)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// An unchanged library is indexed once.
func TestIndexIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	if err := beartest.WriteSample(path); err != nil {
		t.Fatal(err)
	}
	db, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var first any
	for range 3 {
		r, err := db.Search(context.Background(), Query{Queries: []string{"basil"}})
		if err != nil || r.Total != 3 {
			t.Fatalf("%d notes, %v; want 3", r.Total, err)
		}
		if first == nil {
			first = db.words.pool
		}
		if db.words.pool != first {
			t.Error("built again")
		}
	}
}
