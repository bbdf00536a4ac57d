package bear_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

func TestHitsAndSnippets(t *testing.T) {
	long := strings.Repeat("x", 150) + "needle" + strings.Repeat("y", 150)
	dotted := strings.Repeat("İ", 250) + " needle"
	for _, c := range []struct {
		name    string
		note    beartest.Note
		queries []string
		hits    []int
		snippet bear.Snippet
	}{
		{"first line that matches", beartest.Note{Text: "a\r\nthe needle\r\n\nneedles"}, []string{"Needle"}, []int{2, 4}, bear.Snippet{Line: 2, Text: "the needle"}},
		{"several queries", beartest.Note{Text: "pin\nneedle\npin needle\nneither"}, []string{"needle", "pin"}, []int{1, 2, 3}, bear.Snippet{Line: 1, Text: "pin"}},
		{"twice in a line", beartest.Note{Text: "needle needle"}, []string{"needle"}, []int{1}, bear.Snippet{Line: 1, Text: "needle needle"}},
		{"only in the title", beartest.Note{Title: "needle", Text: "\n \nother\n"}, []string{"needle"}, nil, bear.Snippet{Line: 3, Text: "other"}},
		{"no text", beartest.Note{Title: "needle"}, []string{"needle"}, nil, bear.Snippet{}},
		{"no query", beartest.Note{Text: "\nfirst\nsecond"}, nil, nil, bear.Snippet{Line: 2, Text: "first"}},
		{"archived", beartest.Note{Text: "needle\nneedle", Archived: true}, []string{"needle"}, []int{1, 2}, bear.Snippet{}},
		{"window in the middle", beartest.Note{Text: long}, []string{"needle"}, []int{1},
			bear.Snippet{Line: 1, Text: "…" + strings.Repeat("x", 97) + "needle" + strings.Repeat("y", 97) + "…"}},
		{"window at the start", beartest.Note{Text: "needle" + long[150:] + long}, []string{"needle"}, []int{1},
			bear.Snippet{Line: 1, Text: ("needle" + long[150:] + long)[:200] + "…"}},
		{"letters that grow in lower case", beartest.Note{Text: dotted}, []string{"needle"}, []int{1},
			bear.Snippet{Line: 1, Text: "…" + strings.Repeat("İ", 193) + " needle"}},
		{"letters that shrink", beartest.Note{Text: "300 K needle"}, []string{"k needle"}, []int{1}, bear.Snippet{Line: 1, Text: "300 K needle"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := search(t, openNotes(t, c.note), bear.Query{Queries: c.queries})
			if len(r.Matches) != 1 {
				t.Fatalf("%d matches", len(r.Matches))
			}
			m := r.Matches[0]
			want := c.hits
			if c.note.Archived {
				want = nil
			}
			if m.TotalHits != len(c.hits) || !slices.Equal(m.Hits, want) {
				t.Errorf("hits %d %v, want %v", m.TotalHits, m.Hits, c.hits)
			}
			if m.Snippet != c.snippet {
				t.Errorf("snippet %+v,\nwant %+v", m.Snippet, c.snippet)
			}
			if !utf8.ValidString(m.Snippet.Text) {
				t.Errorf("%q is cut within a character", m.Snippet.Text)
			}
		})
	}
}

func TestFirstTwentyHits(t *testing.T) {
	r := search(t, openNotes(t, beartest.Note{Text: strings.Repeat("needle\n", 25)}), bear.Query{Queries: []string{"needle"}})
	if m := r.Matches[0]; m.TotalHits != 25 || len(m.Hits) != 20 || m.Hits[19] != 20 {
		t.Errorf("got %d, %v", m.TotalHits, m.Hits)
	}
}
