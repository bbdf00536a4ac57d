package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// A library that cannot be read makes calls fail. The server starts, reports the error and keeps
// running.
func TestUnreadableLibrary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text, empty := write("text", strings.Repeat("no database\n", 1000)), write("empty", "")
	other := createLibrary(t, beartest.Layout{})
	l, err := beartest.New(filepath.Join(dir, "other"), beartest.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Exec("DROP TABLE ZSFNOTE"); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	expectUnchanged(t, dir)
	missing := `no Bear library found at \"` + filepath.Join(dir, "none") + `\"; install Bear, or set the path of its library with --db or GRIZZLY_DB`
	for _, c := range []struct {
		name, want string
		env, args  []string
	}{
		{"no home directory", "no Bear library found", []string{"HOME="}, nil},
		{"nothing at home", `no Bear library found at \"~`, nil, nil},
		{"no file", missing, nil, []string{"--db", filepath.Join(dir, "none")}},
		{"no folder", `no Bear library found at \"` + filepath.Join(text, "none"), nil, []string{"--db", filepath.Join(text, "none")}},
		{"a flag wins", missing, []string{"GRIZZLY_DB=" + other}, []string{"--db", filepath.Join(dir, "none")}},
		{"the environment's is missing", missing, []string{"GRIZZLY_DB=" + filepath.Join(dir, "none")}, nil},
		{"a folder", "not a Bear library", nil, []string{"--db", dir}},
		{"a text", "not a Bear library", nil, []string{"--db", text}},
		{"an empty file", "not a Bear library", nil, []string{"--db", empty}},
		{"a database of something else", "not a Bear library", nil, []string{"--db", filepath.Join(dir, "other")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := start(t, jphost.Options{}, command(t, c.env, append(c.args, "--jp", "--note-create", "--opener", "none")...))
			for tool, arguments := range map[string]string{"note_search": `{}`, "note_get": `{"ids":["WINE"]}`, "note_create": `{"title":"T"}`} {
				reply := call(t, h, tool, arguments)
				wantReply(t, reply, jphost.Error, c.want)
				if reply.Outcome == nil || reply.Outcome.Transient || !strings.HasPrefix(reply.Outcome.Message, "unavailable: ") {
					t.Errorf("%s ended with %s", tool, reply.Raw)
				}
				if strings.Contains(string(reply.Raw), dir) && !strings.HasPrefix(c.want, "no Bear library found at") {
					t.Errorf("%s mentions the user's files: %s", tool, reply.Raw)
				}
			}
		})
	}
}

func TestWhereTheLibraryIs(t *testing.T) {
	t.Parallel()
	mine, other := createLibrary(t, beartest.Layout{}, wineNote()), createLibrary(t, beartest.Layout{})
	home := t.TempDir()
	own := filepath.Join(home, "Library", "Group Containers", "9K33E3U3T4.net.shinyfrog.bear", "Application Data")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := beartest.Create(filepath.Join(own, "database.sqlite"), beartest.Layout{WAL: true}, wineNote()); err != nil {
		t.Fatal(err)
	}
	expectUnchanged(t, home)
	near := command(t, nil, "--db", filepath.Base(mine))
	near.Dir = filepath.Dir(mine)
	t.Run("a flag", func(t *testing.T) {
		wantWine(t, start(t, jphost.Options{}, command(t, nil, "--db", mine)))
	})
	t.Run("a flag, from the working directory", func(t *testing.T) { wantWine(t, start(t, jphost.Options{}, near)) })
	t.Run("a flag wins", func(t *testing.T) {
		wantWine(t, start(t, jphost.Options{}, command(t, []string{"GRIZZLY_DB=" + other}, "--db", mine)))
	})
	t.Run("the environment", func(t *testing.T) {
		wantWine(t, start(t, jphost.Options{}, command(t, []string{"GRIZZLY_DB=" + mine})))
	})
	t.Run("Bear's own", func(t *testing.T) {
		wantWine(t, start(t, jphost.Options{}, command(t, []string{"HOME=" + home})))
	})
}

// wantWine searches for the note and reads it.
func wantWine(t *testing.T, h *jphost.Host) {
	t.Helper()
	wantReply(t, call(t, h, "note_search", `{"queries":["red"]}`), jphost.OK, `<match note-id="WINE" title="Wine" tags="cellar"`)
	wantReply(t, call(t, h, "note_get", `{"ids":["WINE"]}`), jphost.OK, "The red one.\n]]>")
}

func TestLibraryThatComesAndGoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "database.sqlite")
	h := start(t, jphost.Options{}, command(t, nil, "--db", path))
	wantReply(t, call(t, h, "note_search", `{}`), jphost.Error, "no Bear library found")
	if files := content(t, dir); len(files) != 1 {
		t.Errorf("asking for a library made %v", files)
	}

	if err := beartest.Create(path, beartest.Layout{WAL: true}, wineNote()); err != nil {
		t.Fatal(err)
	}
	wantWine(t, h)

	next := filepath.Join(t.TempDir(), "next")
	if err := beartest.Create(next, beartest.Layout{NoteEntity: 7, TagEntity: 21}, beartest.Note{ID: "BEER", Title: "Beer", Text: "red as well", Tags: []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	expectUnchanged(t, dir)
	wantReply(t, call(t, h, "note_get", `{"ids":["WINE"]}`), jphost.OK, `<missing id="WINE"/>`)
	wantReply(t, call(t, h, "note_search", `{"queries":["red"]}`), jphost.OK, `<match note-id="BEER" title="Beer" tags="x"`)
}

func TestLibraryInUse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "database.sqlite")
	l, err := beartest.New(path, beartest.Layout{WAL: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	h := start(t, jphost.Options{}, command(t, nil, "--db", path))
	wantReply(t, call(t, h, "note_search", `{}`), jphost.OK, "No notes match.")
	if err := l.Add(wineNote()); err != nil { // the note stays in the log
		t.Fatal(err)
	}
	wantWine(t, h)
	if err := l.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	before := content(t, filepath.Dir(path))
	wantWine(t, h) // with a log, a writer does not block readers
	if after := content(t, filepath.Dir(path)); !maps.Equal(before, after) {
		t.Errorf("the folder was touched:\n%v\nbefore:\n%v", after, before)
	}
	if err := l.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
}

// Without a log, a writer blocks readers.
func TestLockedLibrary(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "database.sqlite")
	l, err := beartest.New(path, beartest.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := l.Add(wineNote()); err != nil {
		t.Fatal(err)
	}
	expectUnchanged(t, filepath.Dir(path))
	h := start(t, jphost.Options{}, command(t, nil, "--db", path, "--jp"))
	lock := func() {
		t.Helper()
		if err := l.Exec("BEGIN EXCLUSIVE"); err != nil {
			t.Fatal(err)
		}
	}
	lock()
	reply := call(t, h, "note_search", `{}`)
	wantReply(t, reply, jphost.Error, "Bear is busy")
	if reply.Outcome == nil || !reply.Outcome.Transient {
		t.Errorf("busy is no transient error: %s", reply.Raw)
	}
	if err := l.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	wantWine(t, h)

	lock()
	released := make(chan error, 1)
	time.AfterFunc(time.Second, func() { released <- l.Exec("ROLLBACK") })
	wantWine(t, h)
	if err := <-released; err != nil {
		t.Fatal(err)
	}
}
