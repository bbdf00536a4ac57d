package bear_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

func TestGet(t *testing.T) {
	db := openNotes(t,
		beartest.Note{ID: "A", Title: "One", Text: "first\r\nsecond\n", Modified: beartest.Day(0), Tags: []string{"b", "a", "two words"}},
		beartest.Note{ID: "B"}, // all columns are NULL
		beartest.Note{ID: "T", Title: "Trash", Trashed: true},
		beartest.Note{ID: "D", Title: "Gone", Deleted: true},
		beartest.Note{ID: "R", Title: "Archive", Text: "kept", Archived: true},
		beartest.Note{ID: "E", Title: "Secret", Text: "must not show", Encrypted: true},
	)
	ids := []string{"E", "nope", "A", "T", "R", "D", "A", "B", "nope"}
	notes, missing, err := db.Get(context.Background(), ids, bear.Lines{}, 0)
	if err != nil {
		t.Fatal(explain(err))
	}
	order := []string{}
	for _, n := range notes {
		order = append(order, n.ID)
	}
	wantIDs(t, order, "E", "A", "R", "A", "B")
	wantIDs(t, missing, "nope", "T", "D")

	one, null := notes[1], notes[4]
	if one.Body.Text != "first\r\nsecond\n" || one.Body.Total != 2 || one.Size != 14 || one.Title != "One" {
		t.Errorf("A is %+v", one)
	}
	if want := []string{"a", "b", "two words"}; !slices.Equal(one.Tags, want) {
		t.Errorf("A has tags %q, want %q", one.Tags, want)
	}
	if got := one.Modified.Format("2006-01-02 15:04:05"); got != "2024-05-01 12:00:00" {
		t.Errorf("A is of %s", got)
	}
	if null.Title != "" || null.Body.Text != "" || !null.Modified.IsZero() || null.Tags != nil {
		t.Errorf("B is %+v", null)
	}
	if e := notes[0]; !e.Encrypted || e.Body.Text != "" {
		t.Errorf("E is %+v", e)
	}
	if r := notes[2]; !r.Archived || r.Body.Text != "kept" {
		t.Errorf("R is %+v", r)
	}
}

func TestGetNothing(t *testing.T) {
	for _, ids := range [][]string{nil, {}, {"nope"}} {
		notes, missing, err := openNotes(t).Get(context.Background(), ids, bear.Lines{}, 0)
		if err != nil || len(notes) != 0 || len(missing) != len(ids) {
			t.Errorf("%q: got %v, %q, %v", ids, notes, missing, err)
		}
	}
}

// A library may contain values that Bear does not write.
func TestOddValues(t *testing.T) {
	path := library(t, beartest.Layout{NoTags: true}, beartest.Note{ID: "A", Title: "a"})
	l := reopen(t, path)
	for _, set := range []string{
		`ZMODIFICATIONDATE = 1e300`, `ZMODIFICATIONDATE = -1e300`, `ZMODIFICATIONDATE = 9e999`, `ZMODIFICATIONDATE = 'soon'`,
		`ZTITLE = 12`, `ZTITLE = x'ff00'`, `ZTEXT = x'80'`, `ZTEXT = 1.5`, `ZARCHIVED = 'yes'`, `ZTRASHED = NULL`,
	} {
		if _, err := l.Exec("UPDATE ZSFNOTE SET " + set); err != nil {
			t.Fatal(err)
		}
		db := open(t, path)
		if _, missing, err := db.Get(context.Background(), []string{"A"}, bear.Lines{}, 0); err != nil || missing != nil {
			t.Errorf("%s: got %q, %v", set, missing, explain(err))
		}
		wantIDs(t, noteIDs(search(t, db, bear.Query{})), "A")
	}
}

func TestByTitle(t *testing.T) {
	db := openNotes(t,
		beartest.Note{ID: "A", Title: "École", Modified: beartest.Day(1), Tags: []string{"x"}},
		beartest.Note{ID: "B", Title: " éCOLE ", Modified: beartest.Day(2)},
		beartest.Note{ID: "C", Title: "École 2"},
		beartest.Note{ID: "D", Title: "École", Trashed: true},
		beartest.Note{ID: "E"},
	)
	for title, want := range map[string][]string{"école": {"B", "A"}, " École\n": {"B", "A"}, "": {}, "Ecole": {}, "%": {}} {
		infos, err := db.ByTitle(context.Background(), title)
		if err != nil {
			t.Fatal(explain(err))
		}
		ids := []string{}
		for _, n := range infos {
			ids = append(ids, n.ID)
		}
		wantIDs(t, ids, want...)
	}
}

func TestGetLimit(t *testing.T) {
	db := openNotes(t, beartest.Note{ID: "A", Text: strings.Repeat("0123456789\n", 100_000)})
	for limit, want := range map[int]int{0: bear.DefaultBody - bear.DefaultBody%11, -1: bear.DefaultBody - bear.DefaultBody%11, 25: 22, 2 << 20: 1_100_000} {
		notes, _, err := db.Get(context.Background(), []string{"A"}, bear.Lines{}, limit)
		if err != nil {
			t.Fatal(explain(err))
		}
		if got := len(notes[0].Body.Text); got != want || notes[0].Size != 1_100_000 {
			t.Errorf("limit %d: %d of %d bytes, want %d", limit, got, notes[0].Size, want)
		}
	}
}
