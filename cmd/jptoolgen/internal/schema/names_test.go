package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func ExampleSnake() {
	for _, name := range []string{"NoteCreate", "HTTPServer", "userID", "Base64Text", "two words", "a-b.c"} {
		fmt.Println(Snake(name))
	}
	// Output:
	// note_create
	// http_server
	// user_id
	// base64_text
	// two_words
	// a_b_c
}

func TestValidName(t *testing.T) {
	for name, want := range map[string]bool{
		"": false, "_a": false, "1a": false, "A": false, "aB": false, "a-b": false, "a.b": false, "é": false, "a b": false,
		strings.Repeat("a", 41): false, strings.Repeat("a", 40): true, "a": true, "a1_b": true,
	} {
		if got := ValidName(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestSplitCommas(t *testing.T) {
	for text, want := range map[string][]string{
		"":                  nil,
		"a=1":               {"a=1"},
		"a=1,b=2":           {"a=1", "b=2"},
		`pattern=a\,b,c=1`:  {"pattern=a,b", "c=1"},
		`pattern=\d+\,\\,x`: {`pattern=\d+,\,x`},
		"a,,b":              {"a", "", "b"},
	} {
		if got := splitCommas(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestPortablePattern(t *testing.T) {
	for re, portable := range map[string]bool{
		"(": false, "a(?=b)": false, "a(?!b)": false, "(?<=a)b": false, `(a)\1`: false, "(?i)a": false, "(?P<n>a)": false,
		"[[:alpha:]]": false, `\Aa`: false, `a\z`: false, `\Qa\E`: false, `\pL`: false, `\C`: false, "a**": false,
		"": true, "^a+$": true, "(?:a|b)": true, `\d{2}-\d`: true, `\\A`: true, `[\w.]+`: true, `\(?=`: true,
	} {
		if must := PortablePattern(re); (must == "") != portable {
			t.Errorf("%q: got %q", re, must)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "x": "", "0x1": "", "1_0": "", "+1": "", ".5": "", "1.": "", "01": "", " 1": "", "NaN": "", `"1"`: "", "null": "",
		strings.Repeat("9", 50): "",
		"0":                     "0", "-1": "-1", "1e3": "1000", "0.5": "0.5", "18446744073709551615": "18446744073709551615",
	} {
		n, ok := parseNumber(text)
		got := ""
		if ok {
			got = decimal(n)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
