package bear_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

// A call waits for a writer that holds the library, but only for a limited time.
func TestWriterHoldsLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	stop := startWriter(t, path, "journal", "BEGIN EXCLUSIVE", `INSERT INTO ZSFNOTE (ZUNIQUEIDENTIFIER) VALUES ('HELD')`)

	hasty, err := bear.Open(path, bear.Options{Wait: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	_, err = hasty.Search(context.Background(), bear.Query{})
	var failure bear.Failure
	if !errors.Is(err, bear.ErrBusy) || !errors.As(err, &failure) || !failure.Transient() {
		t.Fatalf("while it is held: got %v", err)
	}

	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := open(t, path).Search(ctx, bear.Query{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with less time than the wait: got %v", err)
	}

	answer := make(chan error)
	go func() {
		db, err := bear.Open(path, bear.Options{Wait: time.Minute})
		if err == nil {
			_, err = db.Search(context.Background(), bear.Query{})
		}
		answer <- err
	}()
	select {
	case err := <-answer:
		t.Fatalf("did not wait: %v", err)
	case <-time.After(2 * time.Second):
	}
	stop()
	if err := <-answer; err != nil {
		t.Fatal(explain(err))
	}
}

func TestReplacedBetweenCalls(t *testing.T) {
	path := library(t, beartest.Layout{}, beartest.Note{ID: "A", Title: "apple"})
	db := open(t, path)
	apple := bear.Query{Queries: []string{"apple"}}
	wantIDs(t, noteIDs(search(t, db, apple)), "A")

	other := library(t, beartest.Layout{NoteEntity: 7, WAL: true}, beartest.Note{ID: "B", Title: "apple"})
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, noteIDs(search(t, db, apple)), "B")
	wantIDs(t, noteIDs(search(t, db, bear.Query{Queries: []string{"ppl"}})), "B")

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Search(context.Background(), apple); !errors.Is(err, bear.ErrNoLibrary) {
		t.Errorf("removed: got %v", err)
	}
	if err := beartest.Create(path, beartest.Layout{}, beartest.Note{ID: "C", Title: "apple"}); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, noteIDs(search(t, db, apple)), "C")
}

// A search sees every change, with any journal mode.
func TestSearchSeesChanges(t *testing.T) {
	for _, layout := range []beartest.Layout{{}, {WAL: true}, {Old: true}, {WAL: true, Old: true}} {
		t.Run(fmt.Sprintf("%+v", layout), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "database.sqlite")
			l, err := beartest.New(path, layout)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			db := open(t, path)
			apple := bear.Query{Queries: []string{"apple"}}
			wantIDs(t, noteIDs(search(t, db, apple)))
			for _, step := range []struct {
				sql  string
				want []string
			}{
				{`INSERT INTO ZSFNOTE (ZUNIQUEIDENTIFIER, ZTITLE, ZTEXT, ZMODIFICATIONDATE) VALUES ('A', 'one', 'apple', 1)`, []string{"A"}},
				{`INSERT INTO ZSFNOTE (ZUNIQUEIDENTIFIER, ZTITLE, ZTEXT, ZMODIFICATIONDATE) VALUES ('B', 'two', 'apple', 1)`, []string{"A", "B"}},
				{`UPDATE ZSFNOTE SET ZTEXT = 'lemon', ZMODIFICATIONDATE = 2 WHERE ZUNIQUEIDENTIFIER = 'A'`, []string{"B"}},
				{`UPDATE ZSFNOTE SET ZTRASHED = 1 WHERE ZUNIQUEIDENTIFIER = 'B'`, []string{}},
				{`UPDATE ZSFNOTE SET ZTRASHED = 0 WHERE ZUNIQUEIDENTIFIER = 'B'`, []string{"B"}},
				{`INSERT INTO ZSFNOTETAG (Z_PK, ZTITLE) VALUES (1, 'fruit')`, []string{"B"}},
			} {
				if err := l.Exec(step.sql); err != nil {
					t.Fatal(err)
				}
				r := search(t, db, apple)
				wantIDs(t, noteIDs(r), step.want...)
				if r.Total != len(step.want) {
					t.Errorf("%s: total %d, want %d", step.sql, r.Total, len(step.want))
				}
			}
			if err := l.Exec(`INSERT INTO Z_5TAGS SELECT Z_PK, 1 FROM ZSFNOTE WHERE ZUNIQUEIDENTIFIER = 'B'`); err != nil {
				t.Fatal(err)
			}
			wantIDs(t, noteIDs(search(t, db, bear.Query{Queries: []string{"apple"}, Tags: []string{"fruit"}})), "B")
		})
	}
}

func TestConcurrentCalls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	l, err := beartest.New(path, beartest.Layout{WAL: true})
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 10 {
				q := bear.Query{Queries: []string{[]string{"apple", "ppl", ""}[i%3]}}
				if r, err := db.Search(context.Background(), q); err != nil || r.Total > 20 {
					t.Errorf("%d notes, %v", r.Total, explain(err))
				}
			}
		})
	}
	for i := range 20 {
		if err := l.Add(beartest.Note{Title: fmt.Sprint("apple ", i)}); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if r := search(t, db, bear.Query{Queries: []string{"apple"}}); r.Total != 20 {
		t.Errorf("%d notes in the end", r.Total)
	}
}

// A canceled call leaves the index usable.
func TestCanceled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	if err := beartest.Generate(path, beartest.Layout{}, 1000); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	for _, after := range []time.Duration{0, time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond, 80 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		_, err := db.Search(ctx, bear.Query{Queries: []string{"the"}})
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %v: got %v", after, explain(err))
		}
	}
	if r := search(t, db, bear.Query{Queries: []string{beartest.Rare}}); r.Total != 10 {
		t.Errorf("%d notes, want 10", r.Total)
	}
}
