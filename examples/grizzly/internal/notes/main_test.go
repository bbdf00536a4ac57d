package notes_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
	"github.com/jptool/jptool/examples/grizzly/internal/notes"
	"github.com/jptool/jptool/examples/grizzly/internal/opener"
	"github.com/jptool/jptool/sdk/jptest"
)

// bearEnv is the environment variable that makes the test binary act as Bear. The value is a working directory or
// a keyword.
const bearEnv = "GRIZZLY_TEST_BEAR"

func TestMain(m *testing.M) {
	switch how := os.Getenv(bearEnv); how {
	case "":
		os.Exit(jptest.Main(m, 75)) // permission_denied cannot occur if root runs the tests
	case "accept":
	case "refuse":
		os.Exit(1)
	case "hang":
		<-context.Background().Done()
	default:
		if err := play(how); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// play acts as Bear: it records its arguments and adds the note to the library in the directory.
func play(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, "calls"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%q\n", os.Args[1:])
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	address, err := url.Parse(os.Args[1])
	if err != nil {
		return err
	}
	title, _, _ := strings.Cut(strings.TrimPrefix(address.Query().Get("text"), "# "), "\n")
	db, err := sql.Open("sqlite", filepath.Join(dir, "database.sqlite"))
	if err != nil {
		return err
	}
	_, err = db.Exec(`INSERT INTO ZSFNOTE (ZUNIQUEIDENTIFIER, ZTITLE, ZTEXT) VALUES ('NEW', ?, '')`, title)
	return errors.Join(err, db.Close())
}

// shelf holds a test's notes and the fake Bear that receives new notes.
type shelf struct {
	dir   string
	notes *notes.Notes
}

// createShelf creates a library of notes, and makes this test binary act as Bear.
func createShelf(t testing.TB, content ...beartest.Note) shelf {
	t.Helper()
	s := shelf{dir: t.TempDir()}
	path := filepath.Join(s.dir, "database.sqlite")
	if err := beartest.Create(path, beartest.Layout{}, content...); err != nil {
		t.Fatal(err)
	}
	library, err := bear.Open(path, bear.Options{})
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(bearEnv, s.dir)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector would delay the exit of the fake Bear by a second
	s.notes = &notes.Notes{Library: library, Opener: opener.Opener{Program: self}}
	return s
}

func (s shelf) kit(t *testing.T) *jptest.Kit {
	t.Helper()
	return jptest.New(t, notes.NewServer(s.notes))
}

func (s shelf) kitWith(t *testing.T, o jptest.Options) *jptest.Kit {
	t.Helper()
	return jptest.NewWith(t, notes.NewServer(s.notes), o)
}

// calls returns the arguments of each start of Bear, one line per start.
func (s shelf) calls(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, "calls"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

// kitchen returns a few notes, each with a special property.
func kitchen() []beartest.Note {
	return []beartest.Note{
		{ID: "SOUP", Title: "Soup", Modified: beartest.Day(3), Tags: []string{"cooking", "cooking/soups", "this week"},
			Text: "# Soup\nLeek & potato\r\n\nBoil <gently>.\n"},
		{ID: "STEW", Title: "Stew & dumplings", Modified: beartest.Day(2), Tags: []string{"cooking"},
			Text: "# Stew\nEats like a soup.\n100% beef, safe for all.\n"},
		{ID: "ARCH", Title: "Old soups", Modified: beartest.Day(1), Archived: true, Text: "soup\nsoup\n"},
		{ID: "SAFE", Title: "Safe", Modified: beartest.Day(0), Encrypted: true, Text: "soup secret"},
		{ID: "VOID"},
		{ID: "BIN", Title: "Binned soup", Trashed: true, Text: "soup"},
		{ID: "GONE", Title: "Gone soup", Deleted: true, Text: "soup"},
	}
}

// raw formats arguments as JSON.
func raw(format string, args ...any) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(format, args...))
}

// wantText compares an answer with the expected text.
func wantText(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("the answer is\n%s\nwant\n%s", got, want)
	}
}
