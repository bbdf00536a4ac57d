package notes_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

// approved configures a host whose user does not want to confirm.
var approved = jptest.Options{ToolOptions: map[string]any{"note_create": map[string]any{"auto_approve": true}}}

func TestCreateRefuses(t *testing.T) {
	s := createShelf(t, kitchen()...)
	kit := s.kitWith(t, approved)
	for _, c := range []struct{ name, arguments, want string }{
		{"no title", `{}`, "argument title: "},
		{"an empty title", `{"title":""}`, "argument title: "},
		{"a blank title", `{"title":"  "}`, "title: must not be empty"},
		{"two lines", `{"title":"a\nb"}`, "must be one line"},
		{"a separator of lines", `{"title":"a\u2028b"}`, "must be one line"},
		{"a bell", `{"title":"a\u0007b"}`, "control character"},
		{"too long a title", `{"title":"` + strings.Repeat("é", 257) + `"}`, "argument title: "},
		{"an empty tag", `{"title":"a","tags":["x"," "]}`, "a tag must not be empty"},
		{"nothing but the mark", `{"title":"a","tags":["#"]}`, "a tag must not be empty"},
		{"a tag within a tag", `{"title":"a","tags":["a #b"]}`, "contains a #"},
		{"a tag of two lines", `{"title":"a","tags":["a\nb"]}`, "line break"},
		{"a tag with an end", `{"title":"a","tags":["a/"]}`, "does not separate two names"},
		{"too many tags", `{"title":"a","tags":["` + strings.Repeat(`a","`, 50) + `a"]}`, "must have at most 50 items, but has 51"},
		{"too long a tag", `{"title":"a","tags":["` + strings.Repeat("a", 101) + `"]}`, "at most 100 characters; one has 101"},
		{"too much content", `{"title":"a","content":"` + strings.Repeat("a", 64<<10+1) + `"}`, "content: must have at most 65536 bytes, but has 65537"},
		{"a zero byte", `{"title":"a","content":"a\u0000b"}`, "content: must be valid UTF-8"},
		{"another name for the content", `{"title":"a","text":"b"}`, "argument text: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			message := kit.Call("note_create", json.RawMessage(c.arguments)).Failed(t, fault.InvalidInput)
			if !strings.Contains(message, c.want) {
				t.Errorf("the message %q lacks %q", message, c.want)
			}
		})
	}
	if calls := s.calls(t); calls != "" {
		t.Errorf("Bear was started for what was refused: %s", calls)
	}
}

func TestCreateFails(t *testing.T) {
	for _, c := range []struct {
		name, bear, program, want string
		transient                 bool
	}{
		{"no program", "", filepath.Join(t.TempDir(), "none"), "could not be started", false},
		{"no such name", "", "no-such-program-anywhere", "could not be started", false},
		{"not a command line", "", "true; true", "could not be started", false},
		{"refused", "refuse", "", "Bear did not accept the note", false},
		{"out of time", "hang", "", "Bear did not respond in time", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := createShelf(t)
			if c.bear != "" {
				t.Setenv(bearEnv, c.bear)
			}
			if c.program != "" {
				s.notes.Opener.Program = c.program
			}
			s.notes.Opener.Timeout = 10 * time.Second
			if c.transient {
				s.notes.Opener.Timeout = 50 * time.Millisecond
			}
			out := s.kitWith(t, approved).Call("note_create", raw(`{"title":"Private matter"}`))
			message := out.Failed(t, fault.Unavailable)
			if out.Transient != c.transient || !strings.Contains(message, c.want) {
				t.Errorf("transient %t, message %q; want %t, %q", out.Transient, message, c.transient, c.want)
			}
			if told := message + strings.Join(out.Trace, " "); strings.Contains(told, "Private") || strings.Contains(told, s.dir) {
				t.Errorf("the fault mentions the note or files: %q", told)
			}
		})
	}
}

func TestCreate(t *testing.T) {
	const address = "bear://x-callback-url/create?text="
	const rest = "&open_note=no&show_window=no"
	for _, c := range []struct{ name, arguments, text string }{
		{"a title", `{"title":"Plain"}`, "%23%20Plain%0A%0A%0A"},
		{"space around it", `{"title":"  Plain "}`, "%23%20Plain%0A%0A%0A"},
		{"tags", `{"title":"T","tags":["one","#marked","two words","#both words#","a/b","one"],"content":"x"}`,
			"%23%20T%0A%23one%20%23marked%20%23two%20words%23%20%23both%20words%23%20%23a%2Fb%0A%0Ax"},
		{"everything that means something in an address", `{"title":"A & B? #1","content":"100% = 1+1;\n&open_note=yes"}`,
			"%23%20A%20%26%20B%3F%20%231%0A%0A%0A100%25%20%3D%201%2B1%3B%0A%26open_note%3Dyes"},
		{"everything that means something to a shell", `{"title":"$(touch x); 'a' \"b\" \u0060c\u0060 | d > e","content":"\\"}`,
			"%23%20%24%28touch%20x%29%3B%20%27a%27%20%22b%22%20%60c%60%20%7C%20d%20%3E%20e%0A%0A%0A%5C"},
		{"letters of the world", `{"title":"Crème 🍮"}`, "%23%20Cr%C3%A8me%20%F0%9F%8D%AE%0A%0A%0A"},
		{"an option for the program", `{"title":"--help"}`, "%23%20--help%0A%0A%0A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := createShelf(t)
			text := s.kitWith(t, approved).Call("note_create", json.RawMessage(c.arguments)).OK(t)
			if !strings.HasSuffix(text, " with the id NEW.") {
				t.Errorf("the answer is %q", text)
			}
			want := `["` + address + c.text + rest + `"]` + "\n"
			wantText(t, s.calls(t), want)
		})
	}
}

func TestCreateUnseen(t *testing.T) {
	s := createShelf(t)
	t.Setenv(bearEnv, "accept")
	text := s.kitWith(t, approved).Call("note_create", raw(`{"title":"Plain"}`)).OK(t)
	wantText(t, text, `Bear was asked to create the note "Plain", but its library does not contain the note yet.`)
}

// The preview shows the beginning of a note of any length.
func TestPreview(t *testing.T) {
	kit := createShelf(t).kit(t)
	long := strings.Repeat("é", 1000)
	for _, c := range []struct{ content, want string }{
		{"", "# T"},
		{"one", "# T\n\none"},
		{strings.Repeat("a\n", 10), "# T\n\n" + strings.Repeat("a\n", 10)},
		{strings.Repeat("a\n", 10) + "b", "# T\n\n" + strings.Repeat("a\n", 10) + "…"},
		{long, "# T\n\n" + long},
		{long + "b", "# T\n\n" + long + "…"},
	} {
		out := kit.Call("note_create", join(raw(`{"title":"T"}`), arguments("content", c.content)), jptest.Cancel("confirm-create"))
		if !out.Dismissed {
			t.Fatalf("it did not ask: %+v", out)
		}
		wantText(t, out.Asked[0].Preamble, c.want)
	}
}
