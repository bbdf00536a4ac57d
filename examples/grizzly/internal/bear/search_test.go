package bear_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

func TestSearchRefuses(t *testing.T) {
	db := openNotes(t)
	var long *bear.LongQueryError
	_, err := db.Search(context.Background(), bear.Query{Queries: []string{"x", strings.Repeat("x", 1025)}})
	if !errors.As(err, &long) || long.Bytes != 1025 {
		t.Errorf("got %v", err)
	}
	search(t, db, bear.Query{Queries: []string{strings.Repeat("x", 1024)}, Tags: make([]string, 65), IDs: make([]string, 1001)})
}

func TestSearch(t *testing.T) {
	db := openNotes(t,
		beartest.Note{ID: "A", Title: "École", Text: "la rentrée\n100% sure", Modified: beartest.Day(9), Tags: []string{"work", "work/jp"}},
		beartest.Note{ID: "B", Title: "Istanbul", Text: "İstanbul is big\nsnake_case", Modified: beartest.Day(8), Tags: []string{"travel"}},
		beartest.Note{ID: "C", Title: "snake case", Text: "one hundred 100 \"quoted\" words", Modified: beartest.Day(7), Tags: []string{"Work"}},
		beartest.Note{ID: "D", Title: "Plain", Text: "nothing special here, says Kubernetes", Modified: beartest.Day(6), Tags: []string{"work"}},
		beartest.Note{ID: "E", Title: "special", Text: "here", Trashed: true},
		beartest.Note{ID: "F", Title: "special", Text: "here", Deleted: true},
		beartest.Note{ID: "G", Title: "Locked special", Text: "here", Encrypted: true, Modified: beartest.Day(5)},
		beartest.Note{ID: "H"},
	)
	all := []string{"A", "B", "C", "D", "G", "H"}
	for _, c := range []struct {
		name  string
		query bear.Query
		want  []string
	}{
		{"nothing asked", bear.Query{}, all},
		{"star", bear.Query{Queries: []string{" * "}}, all},
		{"blank", bear.Query{Queries: []string{"  ", ""}}, all},
		{"blank with a tag", bear.Query{Queries: []string{"  "}, Tags: []string{"work"}}, []string{"A", "D"}},
		{"star beside a word", bear.Query{Queries: []string{"*", "snake"}}, []string{"B", "C"}},
		{"word", bear.Query{Queries: []string{"kubernetes"}}, []string{"D"}},
		{"word in other letter case", bear.Query{Queries: []string{"éCOLE"}}, []string{"A"}},
		{"word without its accent", bear.Query{Queries: []string{"rentree"}}, []string{"A"}},
		{"part of a word, other letter case", bear.Query{Queries: []string{"COL"}}, []string{"A"}},
		{"part with an accent", bear.Query{Queries: []string{"ÉCO"}}, []string{"A"}},
		{"capital dotted i", bear.Query{Queries: []string{"stanbul is"}}, []string{"B"}},
		{"phrase", bear.Query{Queries: []string{"special here"}}, []string{"D"}},
		{"phrase in the wrong order", bear.Query{Queries: []string{"here special"}}, []string{}},
		{"all queries must match", bear.Query{Queries: []string{"nothing", "Plain"}}, []string{"D"}},
		{"all parts must match", bear.Query{Queries: []string{"othin", "nake"}}, []string{}},
		{"percent is a character", bear.Query{Queries: []string{"%"}}, []string{"A"}},
		{"percent after a number", bear.Query{Queries: []string{"100%"}}, []string{"A"}},
		{"underscore is a character", bear.Query{Queries: []string{"_"}}, []string{"B"}},
		{"underscore between words", bear.Query{Queries: []string{"snake_case"}}, []string{"B"}},
		{"quotes are characters", bear.Query{Queries: []string{`"quoted"`}}, []string{"C"}},
		{"a quote alone", bear.Query{Queries: []string{`"`}}, []string{"C"}},
		{"an apostrophe", bear.Query{Queries: []string{`'`}}, []string{}},
		{"search syntax is text", bear.Query{Queries: []string{"nothing OR quoted"}}, []string{}},
		{"column syntax is text", bear.Query{Queries: []string{"title:Plain"}}, []string{}},
		{"prefix syntax is text", bear.Query{Queries: []string{"noth*"}}, []string{}},
		{"encrypted text is not searched", bear.Query{Queries: []string{"special"}}, []string{"G", "D"}},
		{"tag", bear.Query{Tags: []string{"work"}}, []string{"A", "D"}},
		{"tag with its mark", bear.Query{Tags: []string{"#work"}}, []string{"A", "D"}},
		{"tag twice", bear.Query{Tags: []string{"work", "work", "#work"}}, []string{"A", "D"}},
		{"tag in other letter case", bear.Query{Tags: []string{"WORK"}}, []string{}},
		{"all tags must be there", bear.Query{Tags: []string{"work", "work/jp"}}, []string{"A"}},
		{"wildcards in a tag", bear.Query{Tags: []string{"wor_", "%"}}, []string{}},
		{"empty tag", bear.Query{Tags: []string{"#", " "}}, all},
		{"id", bear.Query{IDs: []string{"D", "nope", "E"}}, []string{"D"}},
		{"ids, a tag and a word", bear.Query{IDs: []string{"A", "D"}, Tags: []string{"work"}, Queries: []string{"sure"}}, []string{"A"}},
		{"ids, a tag and a part", bear.Query{IDs: []string{"A", "D"}, Tags: []string{"work"}, Queries: []string{"%"}}, []string{"A"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := search(t, db, c.query)
			got := noteIDs(r)
			if c.name != "encrypted text is not searched" && len(c.query.Queries) > 0 {
				slices.Sort(got)
			}
			wantIDs(t, got, c.want...)
			if r.Total != len(c.want) {
				t.Errorf("total %d, want %d", r.Total, len(c.want))
			}
		})
	}
}

func TestExactTitleComesFirst(t *testing.T) {
	db := openNotes(t,
		beartest.Note{ID: "DIARY", Title: "Cluster diary", Text: strings.Repeat("Kubernetes kubernetes\n", 100), Modified: beartest.Day(3)},
		beartest.Note{ID: "NET", Title: "Kubernetes networking", Text: strings.Repeat("on Kubernetes\n", 31), Modified: beartest.Day(2)},
		beartest.Note{ID: "TITLE", Title: "Kubernetes", Text: "see elsewhere: a long text about something else, and about more than that\n", Modified: beartest.Day(1)},
		beartest.Note{ID: "ONCE", Title: "Other", Text: "kubernetes", Modified: beartest.Day(0)},
	)
	for _, query := range []string{"kubernetes", " KUBERNETES "} {
		r := search(t, db, bear.Query{Queries: []string{query}})
		if len(r.Matches) != 4 || r.Matches[0].ID != "TITLE" {
			t.Errorf("%q: got %q", query, noteIDs(r))
		}
	}
	if r := search(t, db, bear.Query{Queries: []string{"kubernetes"}, Limit: 1}); r.Matches[0].ID != "TITLE" || r.Total != 4 {
		t.Errorf("limit 1: got %q of %d", noteIDs(r), r.Total)
	}
}

func TestOrderOfParts(t *testing.T) {
	db := openNotes(t,
		beartest.Note{ID: "MANY", Title: "x", Text: "a+b\na+b\na+b", Modified: beartest.Day(1)},
		beartest.Note{ID: "TWO-OLD", Title: "x", Text: "a+b\na+b", Modified: beartest.Day(2)},
		beartest.Note{ID: "TWO-NEW", Title: "x", Text: "a+b\na+b", Modified: beartest.Day(3)},
		beartest.Note{ID: "TWO-NEW-A", Title: "x", Text: "a+b\nA+B", Modified: beartest.Day(3)},
		beartest.Note{ID: "UNDATED", Title: "x", Text: "a+b\na+b"},
		beartest.Note{ID: "IN-TITLE", Title: "about a+b", Modified: beartest.Day(0)},
		beartest.Note{ID: "TITLE", Title: "A+B", Modified: beartest.Day(0)},
	)
	r := search(t, db, bear.Query{Queries: []string{"a+b"}})
	wantIDs(t, noteIDs(r), "TITLE", "IN-TITLE", "MANY", "TWO-NEW", "TWO-NEW-A", "TWO-OLD", "UNDATED")
}

func TestOrderOfEqualWords(t *testing.T) {
	db := openNotes(t,
		beartest.Note{ID: "OLD", Title: "x", Text: "same words", Modified: beartest.Day(1)},
		beartest.Note{ID: "B", Title: "x", Text: "same words", Modified: beartest.Day(2)},
		beartest.Note{ID: "A", Title: "x", Text: "same words", Modified: beartest.Day(2)},
		beartest.Note{ID: "UNDATED", Title: "x", Text: "same words"},
	)
	wantIDs(t, noteIDs(search(t, db, bear.Query{Queries: []string{"words"}})), "A", "B", "OLD", "UNDATED")
}

// Filters apply before the limit: a tagged note is found behind any number of better matches.
func TestFilterBeforeLimit(t *testing.T) {
	var notes []beartest.Note
	for i := range 400 {
		notes = append(notes, beartest.Note{ID: fmt.Sprint("N", i), Title: "apple", Text: "apple apple apple"})
	}
	notes = append(notes, beartest.Note{ID: "TAGGED", Title: "pie", Text: strings.Repeat("long text ", 200) + "apple", Tags: []string{"t"}})
	db := openNotes(t, notes...)
	for _, q := range []string{"apple", "appl", ""} {
		wantIDs(t, noteIDs(search(t, db, bear.Query{Queries: []string{q}, Tags: []string{"t"}})), "TAGGED")
		r := search(t, db, bear.Query{Queries: []string{q}})
		if len(r.Matches) != 50 || r.Total != 401 {
			t.Errorf("%q: %d of %d", q, len(r.Matches), r.Total)
		}
	}
}

func TestLimit(t *testing.T) {
	var notes []beartest.Note
	for i := range 1100 {
		notes = append(notes, beartest.Note{ID: fmt.Sprintf("%04d", i), Title: "apple", Modified: beartest.Day(i * 7 % 1100)})
	}
	db := openNotes(t, notes...)
	slices.SortFunc(notes, func(a, b beartest.Note) int { return b.Modified.Compare(a.Modified) })
	for limit, want := range map[int]int{-1: 50, 0: 50, 1: 1, 300: 300, 1 << 40: 1000} {
		for _, query := range []string{"apple", "appl", "*"} {
			r := search(t, db, bear.Query{Queries: []string{query}, Limit: limit})
			if len(r.Matches) != want || r.Total != 1100 {
				t.Fatalf("limit %d: %d of %d, want %d", limit, len(r.Matches), r.Total, want)
			}
			for i, m := range r.Matches {
				if m.ID != notes[i].ID {
					t.Fatalf("limit %d: %s in place %d, want %s", limit, m.ID, i, notes[i].ID)
				}
			}
		}
	}
}
