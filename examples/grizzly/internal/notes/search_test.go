package notes_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

func TestSearchRefuses(t *testing.T) {
	kit := createShelf(t, kitchen()...).kit(t)
	for _, c := range []struct{ name, arguments, want string }{
		{"a number", `{"queries":5}`, "argument queries: "},
		{"numbers", `{"queries":["a",5]}`, "argument queries[1]: "},
		{"several values in a string", `{"tags":"work, home"}`, "write several values as a list"},
		{"an object", `{"tags":{"a":"b"}}`, "argument tags: "},
		{"a misspelt filter", `{"tag":["cooking"]}`, "argument tag: "},
		{"another name for the words", `{"query":"soup"}`, "argument query: "},
		{"too many words", `{"queries":["` + strings.Repeat(`a","`, 32) + `a"]}`, "at most 32 items"},
		{"too long a word", `{"queries":["` + strings.Repeat("a", 1025) + `"]}`, "an entry has 1025 bytes, more than the limit of 1024"},
		{"too many tags", `{"tags":["` + strings.Repeat(`a","`, 64) + `a"]}`, "at most 64 items"},
	} {
		t.Run(c.name, func(t *testing.T) {
			message := kit.Call("note_search", json.RawMessage(c.arguments)).Failed(t, fault.InvalidInput)
			if !strings.Contains(message, c.want) {
				t.Errorf("the message %q lacks %q", message, c.want)
			}
		})
	}
}

var noteID = regexp.MustCompile(`<match note-id="([A-Z]+)"`)

func TestSearch(t *testing.T) {
	kit := createShelf(t, kitchen()...).kit(t)
	for _, c := range []struct{ name, arguments, want string }{
		{"everything, newest first", `{}`, "SOUP STEW ARCH SAFE VOID"},
		{"a star", `{"queries":["*"]}`, "SOUP STEW ARCH SAFE VOID"},
		{"blanks", `{"queries":["  ",""],"tags":["cooking"]}`, "SOUP STEW"},
		{"null", `{"queries":null,"tags":null,"ids":null}`, "SOUP STEW ARCH SAFE VOID"},
		{"the whole title first", `{"queries":["safe"]}`, "SAFE STEW"},
		{"a string for a list", `{"queries":"soup","tags":"cooking"}`, "SOUP STEW"},
		{"a list in a string", `{"queries":"[\"soup\"]","tags":"[\"cooking\"]"}`, "SOUP STEW"},
		{"a word that is JSON", `{"queries":"null"}`, ""},
		{"a phrase", `{"queries":["like a soup"]}`, "STEW"},
		{"all words, anywhere", `{"queries":["soup","beef"]}`, "STEW"},
		{"letter case", `{"queries":["LEEK"]}`, "SOUP"},
		{"a part of a word", `{"queries":["umplin"]}`, "STEW"},
		{"a percent sign is one", `{"queries":["%"]}`, "STEW"},
		{"an underscore is one", `{"queries":["_"]}`, ""},
		{"a quote is one", `{"queries":["\"soup\""]}`, ""},
		{"a tag", `{"tags":["#cooking"]}`, "SOUP STEW"},
		{"a tag of two words", `{"tags":["#this week#"]}`, "SOUP"},
		{"tags together, one twice", `{"tags":["cooking","this week","cooking"]}`, "SOUP"},
		{"no such tag", `{"tags":["Cooking"]}`, ""},
		{"ids", `{"ids":["STEW","BIN","nope"]}`, "STEW"},
		{"ids and words", `{"ids":["STEW"],"queries":["leek"]}`, ""},
		{"the trash", `{"queries":["binned"]}`, ""},
		{"a secret", `{"queries":["secret"]}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := kit.Call("note_search", json.RawMessage(c.arguments)).OK(t)
			var ids []string
			for _, m := range noteID.FindAllStringSubmatch(text, -1) {
				ids = append(ids, m[1])
			}
			if got := strings.Join(ids, " "); got != c.want {
				t.Errorf("found %q, want %q:\n%s", got, c.want, text)
			}
			if c.want == "" && !strings.HasPrefix(text, "<info>No notes match. ") {
				t.Errorf("the answer is %s", text)
			}
		})
	}
}

func TestMatches(t *testing.T) {
	s := createShelf(t, kitchen()...)
	wantText(t, s.kit(t).Call("note_search", raw(`{"queries":["like a soup"]}`)).OK(t),
		`<match note-id="STEW" title="Stew &amp; dumplings" tags="cooking" updated-at="2024-05-01 12:02:00" total-hits="1">
  <snippet line="2">Eats like a soup.</snippet>
  <hits>2</hits>
</match>`)
	wantText(t, s.kit(t).Call("note_search", raw(`{"ids":["ARCH","SAFE"],"queries":["s"]}`)).OK(t),
		`<match note-id="ARCH" title="Old soups" tags="" updated-at="2024-05-01 12:01:00" total-hits="2" archived="true"/>`+"\n"+
			`<match note-id="SAFE" title="Safe" tags="" updated-at="2024-05-01 12:00:00" total-hits="0" encrypted="true"/>`)
	wantText(t, s.kit(t).Call("note_search", raw(`{"ids":["SOUP"]}`)).OK(t),
		`<match note-id="SOUP" title="Soup" tags="cooking cooking/soups #this week#" updated-at="2024-05-01 12:03:00" total-hits="0">
  <snippet line="1"># Soup</snippet>
</match>`)
}

func TestMaxResults(t *testing.T) {
	s := createShelf(t, kitchen()...)
	t.Run("refused", func(t *testing.T) {
		for _, value := range []any{0, 1001, "all"} {
			kit := s.kitWith(t, jptest.Options{ToolOptions: map[string]any{"note_search": map[string]any{"max_results": value}}})
			kit.Call("note_search", raw(`{}`)).Failed(t, fault.InvalidInput)
		}
	})
	t.Run("shown of found", func(t *testing.T) {
		kit := s.kitWith(t, jptest.Options{ToolOptions: map[string]any{"note_search": map[string]any{"max_results": 1}}})
		wantText(t, kit.Call("note_search", raw(`{"queries":["beef"]}`)).OK(t),
			`<match note-id="STEW" title="Stew &amp; dumplings" tags="cooking" updated-at="2024-05-01 12:02:00" total-hits="1">
  <snippet line="3">100% beef, safe for all.</snippet>
  <hits>3</hits>
</match>`)
		text := kit.Call("note_search", raw(`{"tags":["cooking"]}`)).OK(t)
		if want := "<info>Showing 1 of 2 notes that match."; !strings.Contains(text, want) || strings.Count(text, "<match ") != 1 {
			t.Errorf("the answer lacks %q or shows more:\n%s", want, text)
		}
	})
}
