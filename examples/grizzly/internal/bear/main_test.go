package bear_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

// writerPath is the environment variable that makes the test binary run as a second process that has a library
// open, as Bear does.
const writerPath = "GRIZZLY_TEST_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerPath); path != "" {
		if err := write(path, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// write opens the library, runs statements, reports that it is ready, and keeps the library open until its input
// ends.
func write(path string, args []string) error {
	l, err := beartest.New(path, beartest.Layout{WAL: args[0] == "wal"})
	if err != nil {
		return err
	}
	if err := l.Add(beartest.Note{ID: "OLD", Title: "Old"}); err != nil {
		return err
	}
	if args[0] == "wal" {
		if err := l.Checkpoint(); err != nil {
			return err
		}
	}
	for _, statement := range args[1:] {
		if err := l.Exec(statement); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return l.Close()
}

// startWriter runs write in a new process. stop ends the process.
func startWriter(t *testing.T, path string, args ...string) (stop func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), writerPath+"="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the writer said %q, %v", line, err)
	}
	return func() {
		t.Helper()
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			t.Fatal(err)
		}
	}
}

// library creates a library of notes in a new directory.
func library(t *testing.T, layout beartest.Layout, notes ...beartest.Note) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "database.sqlite")
	if err := beartest.Create(path, layout, notes...); err != nil {
		t.Fatal(err)
	}
	return path
}

// openNotes creates and opens a library of notes.
func openNotes(t *testing.T, notes ...beartest.Note) *bear.DB {
	t.Helper()
	return open(t, library(t, beartest.Layout{}, notes...))
}

func open(tb testing.TB, path string) *bear.DB {
	tb.Helper()
	db, err := bear.Open(path, bear.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return db
}

func search(tb testing.TB, db *bear.DB, q bear.Query) bear.Result {
	tb.Helper()
	r, err := db.Search(context.Background(), q)
	if err != nil {
		tb.Fatal(explain(err))
	}
	return r
}

// explain adds the cause to the text of a failure.
func explain(err error) error {
	var failure interface{ Unwrap() []error }
	if errors.As(err, &failure) {
		return errors.Join(failure.Unwrap()...)
	}
	return err
}

func noteIDs(r bear.Result) []string {
	ids := []string{}
	for _, m := range r.Matches {
		ids = append(ids, m.ID)
	}
	return ids
}

func wantIDs(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// reopen opens a library for plain SQL.
func reopen(t *testing.T, path string) *sql.DB {
	t.Helper()
	l, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}
