package terminal

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n\ttext":                           "plain\n\ttext",
		"Grüße, 世界 👋🏽":                            "Grüße, 世界 👋🏽",
		"\x1b[31mred\x1b[0m":                      "red",
		"\x1b[2J\x1b[1;1Hhome":                    "home",
		"\u009b31mred":                            "red",
		"\x1b]0;title\x07text":                    "text",
		"\x1b]8;;http://a.example\x1b\\link":      "link",
		"\x1b]52;c;aGk=":                          "",
		"\x1bPq#0\x1b\\sixel":                     "sixel",
		"\x1b_apc\x1b\\a":                         "a",
		"\x1b(0box":                               "box",
		"\x1bcreset":                              "reset",
		"a\x1b":                                   "a",
		"a\x1b\x1b[31mb":                          "ab",
		"over\rwritten":                           "overwritten",
		"back\x08\x08space":                       "backspace",
		"nul\x00bell\x07del\x7f":                  "nulbelldel",
		"safe\u202ecod.exe":                       `safe\u{202e}cod.exe`,
		"\u2066iso\u2069la\u061cte\u200f\ufeff":   `\u{2066}iso\u{2069}la\u{61c}te\u{200f}\u{feff}`,
		"line\u2028separator":                     `line\u{2028}separator`,
		"bad \xff byte":                           "bad \uFFFD byte",
		"\x1b]0;never ends\nnext line is there":   "\nnext line is there",
		"\x1b[38;5;196mcolor\x1b[48:2:1:2:3mmore": "colormore",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzClean checks that cleaned text contains no control sequences, and that cleaning it again does not change
// it.
func FuzzClean(f *testing.F) {
	f.Add("\x1b]8;;x\x1b\\\u009b\x1b[")
	f.Add("\x1b\x9b31m\u202e\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got := Clean(text)
		if i := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
			t.Fatalf("Clean(%q) = %q", text, got)
		}
		if again := Clean(got); again != got {
			t.Fatalf("Clean(%q) = %q, then %q", text, got, again)
		}
	})
}

func TestEscapeKeepsTheMeaning(t *testing.T) {
	const value = "a\u009b31m\u202e\u2028 ü\U000e0041\n"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	text := Escape(b.String())
	if strings.ContainsAny(text, "\u009b\u202e\u2028\U000e0041") || !strings.Contains(text, "ü") {
		t.Errorf("Escape = %s", text)
	}
	var back string
	if err := json.Unmarshal([]byte(text), &back); err != nil || back != value {
		t.Errorf("%s is decoded as %q (%v)", text, back, err)
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"one\n two\x1b[31m":       "one two",
		"exactly10!":              "exactly10!",
		"more than ten":           "more than…",
		strings.Repeat("ü", 5000): strings.Repeat("ü", 9) + "…",
	} {
		if got := Line(in, 10); got != want {
			t.Errorf("Line(%.20q) = %q, want %q", in, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	page := Page{Width: 20}
	for in, want := range map[string]string{
		"one two three four five":               "  one two three four\n  five",
		"averyveryverylongwordindeed x":         "  averyveryverylongwordindeed\n  x",
		"first\n\n  - item of a lists":          "  first\n\n    - item of a\n    lists",
		"":                                      "",
		"x\n" + strings.Repeat(" ", 90) + "a b": "  x\n" + strings.Repeat(" ", 12) + "a b",
	} {
		if got := page.Wrap(in, "  "); got != want {
			t.Errorf("Wrap(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPipedOutputHasNoColor(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	if p := PageOf(new(bytes.Buffer)); p.Color || p.Bold("a") != "a" || p.Width != widest {
		t.Errorf("page %+v", p)
	}
}
