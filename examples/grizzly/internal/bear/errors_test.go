package bear_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

func TestOpenRefuses(t *testing.T) {
	for _, path := range []string{"", "a\x00b"} {
		if _, err := bear.Open(path, bear.Options{}); err == nil {
			t.Errorf("%q: no error", path)
		}
	}
}

func TestFailures(t *testing.T) {
	good := library(t, beartest.Layout{}, beartest.Note{ID: "A", Title: "apple", Text: strings.Repeat("apple\n", 5000)})
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string)
		want bear.Failure
	}{
		{"missing", func(*testing.T, string) {}, bear.ErrNoLibrary},
		{"in a file", func(t *testing.T, path string) { writeFile(t, filepath.Dir(path), nil) }, bear.ErrNoLibrary},
		{"a folder", func(t *testing.T, path string) {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, bear.ErrNotBear},
		{"empty", func(t *testing.T, path string) { writeFile(t, path, nil) }, bear.ErrNotBear},
		{"short", func(t *testing.T, path string) { writeFile(t, path, []byte("SQLite format 3\x00")) }, bear.ErrNotBear},
		{"text", func(t *testing.T, path string) { writeFile(t, path, []byte(strings.Repeat("not a database\n", 500))) }, bear.ErrNotBear},
		{"text with a log", func(t *testing.T, path string) {
			writeFile(t, path, []byte(strings.Repeat("not a database\n", 500)))
			writeFile(t, path+"-wal", []byte("not a log"))
		}, bear.ErrNotBear},
		{"another database", func(t *testing.T, path string) { execute(t, path, `CREATE TABLE songs (name)`) }, bear.ErrNotBear},
		{"notes without ids", func(t *testing.T, path string) { execute(t, path, `CREATE TABLE ZSFNOTE (Z_PK, ZTITLE)`) }, bear.ErrNotBear},
		{"cut short", func(t *testing.T, path string) {
			text, err := os.ReadFile(good)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, path, text[:len(text)/2])
		}, bear.ErrDamaged},
		{"pages overwritten", func(t *testing.T, path string) {
			text, err := os.ReadFile(good)
			if err != nil {
				t.Fatal(err)
			}
			copy(text[4096:], strings.Repeat("\xff", len(text)-4096))
			writeFile(t, path, text)
		}, bear.ErrDamaged},
		{"change cut short", hotJournal, bear.ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sub")
			if c.name != "in a file" {
				if err := os.Mkdir(path, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			path = filepath.Join(path, "database.sqlite")
			c.make(t, path)
			before := entries(t, filepath.Dir(path))
			for _, q := range []bear.Query{{}, {Queries: []string{"apple"}}, {Queries: []string{"%"}}} {
				_, err := open(t, path).Search(context.Background(), q)
				var failure bear.Failure
				if !errors.As(err, &failure) || failure != c.want || failure.Transient() {
					t.Errorf("%v: got %v (%v), want %v", q, failure, explain(err), c.want)
				}
				text := err.Error()
				if c.want == bear.ErrNoLibrary {
					text = strings.Replace(text, strconv.Quote(path), "", 1)
				}
				if regexp.MustCompile(`(?i)sqlite|query|\brow|table|column|file or directory|` + regexp.QuoteMeta(path)).MatchString(text) {
					t.Errorf("%q speaks of storage", err)
				}
			}
			if after := entries(t, filepath.Dir(path)); after != before {
				t.Errorf("before %s, after %s", before, after)
			}
		})
	}
}

func writeFile(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func execute(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(statement)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// hotJournal creates the journal that a crash during a commit leaves behind.
func hotJournal(t *testing.T, path string) {
	live := filepath.Join(t.TempDir(), "live.sqlite")
	l, err := beartest.New(live, beartest.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if err := l.Add(beartest.Note{Title: "apple", Text: strings.Repeat("x", 100_000)}); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"PRAGMA cache_size = 2", "PRAGMA cache_spill = 1", "BEGIN", "UPDATE ZSFNOTE SET ZTEXT = ZTEXT || ZTEXT", "UPDATE ZSFNOTE SET ZTITLE = 'pie'"} {
		if err := l.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, side := range []string{"", "-journal"} {
		text, err := os.ReadFile(live + side)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, path+side, text)
	}
}

func entries(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		return "no folder"
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b.sqlite", "100%.sqlite", "50%41.sqlite", "what?mode=rwc", "a#b", "a&b=c;d+e", "café", "file:x", `back\slash`, "~"} {
		for _, layout := range []beartest.Layout{{}, {WAL: true}} {
			path := filepath.Join(t.TempDir(), "dir "+name, name)
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(library(t, layout, beartest.Note{ID: "A"}), path); err != nil {
				t.Fatal(err)
			}
			wantIDs(t, noteIDs(search(t, open(t, path), bear.Query{})), "A")
			if got := entries(t, filepath.Dir(path)); got != name {
				t.Errorf("%q: folder holds %s", name, got)
			}
		}
	}
}

func TestSymbolicLink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(copyLibrary(t, createWithLog(t), "-wal"), path); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, noteIDs(search(t, open(t, path), bear.Query{})), "NEW", "OLD")
	t.Chdir(filepath.Dir(path))
	wantIDs(t, noteIDs(search(t, open(t, "link"), bear.Query{})), "NEW", "OLD")
}
