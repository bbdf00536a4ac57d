package notes_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/notes"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

func TestGetRefuses(t *testing.T) {
	kit := createShelf(t, kitchen()...).kit(t)
	many := func(item string, n int) string { return strings.Repeat(item+",", n-1) + item }
	for _, c := range []struct{ name, arguments, want string }{
		{"no ids", `{}`, "argument ids: "},
		{"another name", `{"id":"SOUP"}`, `rename "id" to "ids"`},
		{"an empty list", `{"ids":[]}`, "1 to 1000 items, got an empty list"},
		{"an empty list in a string", `{"ids":"[]"}`, "1 to 1000 items, got an empty list"},
		{"a number for an id", `{"ids":[7]}`, "argument ids[0]: "},
		{"an object for the ids", `{"ids":{"id":"SOUP"}}`, "argument ids: "},
		{"too many ids", `{"ids":[` + many(`"SOUP"`, 1001) + `]}`, "got a list of 1001 items"},
		{"an unknown argument", `{"ids":["SOUP"],"line":["1"]}`, "argument line: "},
		{"an open range", `{"ids":["SOUP"],"lines":["3:"]}`, `"3:"`},
		{"a negative line", `{"ids":["SOUP"],"lines":[-1]}`, `"-1"`},
		{"a list in a string", `{"ids":["SOUP"],"lines":["1,2"]}`, `"1,2"`},
		{"an empty range", `{"ids":["SOUP"],"lines":[""]}`, `""`},
		{"every bad range at once", `{"ids":["SOUP"],"lines":["a","2","b-c"]}`, `"a", "b-c"`},
		{"a fraction", `{"ids":["SOUP"],"lines":[1.0]}`, "lines[0]"},
		{"an exponent", `{"ids":["SOUP"],"lines":[1e3]}`, "lines[0]"},
		{"a truth", `{"ids":["SOUP"],"lines":["1",true]}`, "lines[1]"},
		{"nothing", `{"ids":["SOUP"],"lines":[null]}`, "lines[0]"},
		{"too many lines", `{"ids":["SOUP"],"lines":[` + many("1", 1001) + `]}`, "at most 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			message := kit.Call("note_get", json.RawMessage(c.arguments)).Failed(t, fault.InvalidInput)
			if !strings.Contains(message, c.want) {
				t.Errorf("the message %q lacks %q", message, c.want)
			}
		})
	}
}

const soup = `<note id="SOUP" title="Soup" tags="cooking cooking/soups #this week#" updated-at="2024-05-01 12:03:00">` + "\n" +
	"<![CDATA[# Soup\nLeek & potato\r\n\nBoil <gently>.\n]]>\n</note>"

func TestGet(t *testing.T) {
	kit := createShelf(t, kitchen()...).kit(t)
	stew := `<note id="STEW" title="Stew &amp; dumplings" tags="cooking" updated-at="2024-05-01 12:02:00">` + "\n" +
		"<![CDATA[# Stew\nEats like a soup.\n100% beef, safe for all.\n]]>\n</note>"
	for _, c := range []struct{ name, arguments, want string }{
		{"one", `{"ids":["SOUP"]}`, soup},
		{"a string for a list", `{"ids":"SOUP"}`, soup},
		{"a list in a string", `{"ids":"[\"SOUP\"]"}`, soup},
		{"no lines", `{"ids":["SOUP"],"lines":[]}`, soup},
		{"the order asked for, repeated", `{"ids":["STEW","SOUP","STEW"]}`, stew + "\n" + soup + "\n" + stew},
		{"unknown, in the trash, deleted", `{"ids":["nope","SOUP","BIN","GONE","nope","soup&\""]}`,
			soup + "\n" + `<missing id="nope"/>` + "\n" + `<missing id="BIN"/>` + "\n" + `<missing id="GONE"/>` + "\n" + `<missing id="soup&amp;&quot;"/>`},
		{"archived", `{"ids":["ARCH"]}`, `<note id="ARCH" title="Old soups" tags="" updated-at="2024-05-01 12:01:00" archived="true">` +
			"\n<![CDATA[soup\nsoup\n]]>\n</note>"},
		{"encrypted", `{"ids":["SAFE"]}`, `<note id="SAFE" title="Safe" tags="" updated-at="2024-05-01 12:00:00" encrypted="true">` +
			"\n<![CDATA[]]>\n</note>"},
		{"nothing known of it", `{"ids":["VOID"]}`, `<note id="VOID" title="" tags="" updated-at="unknown">` + "\n<![CDATA[]]>\n</note>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantText(t, kit.Call("note_get", json.RawMessage(c.arguments)).OK(t), c.want)
		})
	}
}

func TestGetLines(t *testing.T) {
	kit := createShelf(t, kitchen()...).kit(t)
	const head = `<note id="SOUP" title="Soup" tags="cooking cooking/soups #this week#" updated-at="2024-05-01 12:03:00">` + "\n<![CDATA["
	for _, c := range []struct{ lines, want string }{
		{`[2]`, "002: Leek & potato"},
		{`["2"]`, "002: Leek & potato"},
		{`["3:9"]`, "003: \n004: Boil <gently>."},
		{`["1-2"]`, "001: # Soup\n002: Leek & potato"},
		{`7`, ""},
		{`"1-2"`, "001: # Soup\n002: Leek & potato"},
		{`[" 1 .. 2 "]`, "001: # Soup\n002: Leek & potato"},
		{`["4",1]`, "004: Boil <gently>.\n001: # Soup"},
		{`["1-2","2-3",2]`, "001: # Soup\n002: Leek & potato\n003: "},
		{`["0:1"]`, "001: # Soup"},
		{`["0"]`, ""},
		{`["5:3"]`, ""},
		{`[9, "99999999999999999999"]`, ""},
	} {
		got := kit.Call("note_get", raw(`{"ids":["SOUP"],"lines":%s}`, c.lines)).OK(t)
		want := head + c.want + "]]>\n</note>"
		if c.want == "" {
			want += "\n" + `<info>Note SOUP contains only lines "1-4".</info>`
		}
		if got != want {
			t.Errorf("lines %s:\n%s\nwant\n%s", c.lines, got, want)
		}
	}
}

func TestMaxNoteBytes(t *testing.T) {
	s := createShelf(t, kitchen()...)
	t.Run("refused", func(t *testing.T) {
		for _, value := range []any{0, 16<<20 + 1, "many", 1.5} {
			kit := s.kitWith(t, jptest.Options{ToolOptions: map[string]any{"note_get": map[string]any{"max_note_bytes": value}}})
			kit.Call("note_get", raw(`{"ids":["SOUP"]}`)).Failed(t, fault.InvalidInput)
		}
	})
	t.Run("cut at a line", func(t *testing.T) {
		kit := s.kitWith(t, jptest.Options{ToolOptions: map[string]any{"note_get": map[string]any{"max_note_bytes": 22}}})
		wantText(t, kit.Call("note_get", raw(`{"ids":["SOUP"]}`)).OK(t),
			`<note id="SOUP" title="Soup" tags="cooking cooking/soups #this week#" updated-at="2024-05-01 12:03:00">`+
				"\n<![CDATA[# Soup\nLeek & potato\r\n]]>\n</note>\n"+
				`<info>Note SOUP has 4 lines and is truncated before line 3. Request it again with lines "3-4" to see more.</info>`)
	})
}

// An answer without confirmation has at most 80,000 bytes, and says how to read the rest.
func TestAnswersFit(t *testing.T) {
	kit := createShelf(t, largeNotes()...).kit(t)
	for _, arguments := range []string{`{"ids":["LARGE0"]}`, `{"ids":["LARGE0","LARGE1","LARGE2"]}`, `{"ids":["LARGE0"],"lines":["1-12800"]}`} {
		text := kit.Call("note_get", raw("%s", arguments)).OK(t)
		if len(text) > 80_000 || !strings.Contains(text, "Request it again") {
			t.Errorf("%s: %d bytes, and %q", arguments, len(text), text[max(0, len(text)-300):])
		}
	}
	if text := kit.Call("note_search", raw(`{"queries":["0123456789abcde"]}`)).OK(t); len(text) > 80_000 {
		t.Errorf("note_search: %d bytes", len(text))
	}
}

func TestNoLibraryAtAll(t *testing.T) {
	kit := jptest.New(t, notes.NewServer(&notes.Notes{}))
	for tool, arguments := range map[string]string{"note_get": `{"ids":["SOUP"]}`, "note_search": `{}`} {
		out := kit.Call(tool, json.RawMessage(arguments))
		if message := out.Failed(t, fault.Unavailable); out.Transient || !strings.Contains(message, "no Bear library found") {
			t.Errorf("%s: transient %t, message %q", tool, out.Transient, message)
		}
	}
}
