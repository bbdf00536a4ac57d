package bear

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Every letter is found by every other letter that differs only in case.
func TestFoldCoversUnicode(t *testing.T) {
	const last = 0x1f000 // no letter above this rune has case
	for r := rune(0); r < last; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, other := range []rune{unicode.ToLower(r), unicode.ToUpper(r), unicode.SimpleFold(r)} {
			if r == 'ı' && other == 'I' {
				continue // the capital of ı is I, whose lower case is i
			}
			if fold(other) != fold(r) {
				t.Errorf("%U and %U fold to %U and %U", r, other, fold(r), fold(other))
			}
			if text := "x" + string(r); !newNeedle(string(other)).in(text) {
				t.Errorf("%U is not found by %U", r, other)
			}
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		needle, text string
		begin, end   int
	}{
		{"a", "", -1, -1},
		{"abc", "ab", -1, -1},
		{"abc", "aabABC", 3, 6},
		{"aab", "aaaab", 2, 5},
		{"straße", "die STRASSE", -1, -1},
		{"straße", "die STRAẞE", 4, 12},
		{"λόγος", "ΛΌΓΟΣ", 0, 10},
		{"é", "e\u0301", -1, -1},
		{"日本", "于日本語", 3, 9},
		{"k", "\u212a", 0, 3},
		{"a", "\xff\xfea", 2, 3},
		{"\u00ff", "\xff", -1, -1},
	} {
		want := span{c.begin, c.end}
		if c.begin < 0 {
			want = span{len(c.text), len(c.text)}
		}
		if got := newNeedle(c.needle).finder(c.text).find(0); got != want {
			t.Errorf("%q in %q: got %v, want %v", c.needle, c.text, got, want)
		}
	}
}

// Finding all hits takes time linear in the length of the text, even if a spelling of a query does not occur.
func TestHitsAreLinear(t *testing.T) {
	const lines = 20_000
	text := strings.Repeat("Welcome, old friend\n", lines)
	for _, queries := range [][]string{{"elcom"}, {"w"}, {"k"}, {"friend", "old", "xyz"}, {"d\nW"}} {
		var finders []*finder
		leads := 0
		for _, q := range queries {
			n := newNeedle(q)
			leads += len(n.leads)
			finders = append(finders, n.finder(text))
		}
		found := 0
		for range hits(text, finders) {
			found++
		}
		if found < lines-1 && queries[0] != "k" {
			t.Errorf("%q: %d hits", queries, found)
		}
		read := 0
		for _, f := range finders {
			read += f.read
		}
		if read > leads*len(text) {
			t.Errorf("%q: read %d bytes of a text of %d", queries, read, len(text))
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("ß", "straẞe")
	f.Add("\xff", "a\xff")
	f.Fuzz(func(t *testing.T, text, part string) {
		part = strings.TrimSpace(part)
		if part == "" || !utf8.ValidString(text) || !utf8.ValidString(part) {
			return // plan does not create such a needle
		}
		got := newNeedle(part).finder(text).find(0)
		want := strings.Contains(strings.Map(fold, text), strings.Map(fold, part))
		if (got.begin < len(text)) != want {
			t.Fatalf("%q in %q: got %v, want %v", part, text, got, want)
		}
		if want && strings.Map(fold, text[got.begin:got.end]) != strings.Map(fold, part) {
			t.Fatalf("%q in %q: %q is not it", part, text, text[got.begin:got.end])
		}
	})
}
