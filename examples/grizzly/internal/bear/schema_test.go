package bear_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

func TestLayouts(t *testing.T) {
	notes := []beartest.Note{
		{ID: "A", Title: "Soup", Text: "soup", Modified: beartest.Day(3), Tags: []string{"food", "home"}, Pinned: []string{"work"}},
		{ID: "B", Title: "Plan", Text: "soup on friday", Modified: beartest.Day(2), Tags: []string{"work"}, Pinned: []string{"food"}},
		{ID: "C", Title: "Untagged soup", Modified: beartest.Day(1)},
	}
	for _, c := range []struct {
		name   string
		layout beartest.Layout
		tags   []string
		food   []string
	}{
		{"today", beartest.Layout{}, []string{"food", "home"}, []string{"A"}},
		{"other numbers", beartest.Layout{NoteEntity: 12, TagEntity: 7}, []string{"food", "home"}, []string{"A"}},
		{"no entity numbers", beartest.Layout{NoKeys: true}, []string{"food", "home"}, []string{"A"}},
		{"other and no entity numbers", beartest.Layout{NoteEntity: 9, TagEntity: 10, NoKeys: true}, []string{"food", "home"}, []string{"A"}},
		{"link table left over", beartest.Layout{Stale: true}, []string{"food", "home"}, []string{"A"}},
		{"left over, no entity numbers", beartest.Layout{Stale: true, NoKeys: true}, []string{"food", "home"}, []string{"A"}},
		{"old", beartest.Layout{Old: true}, []string{"food", "home"}, []string{"A"}},
		{"write-ahead log", beartest.Layout{WAL: true}, []string{"food", "home"}, []string{"A"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := open(t, library(t, c.layout, notes...))
			got, _, err := db.Get(context.Background(), []string{"A"}, bear.Lines{}, 0)
			if err != nil {
				t.Fatal(explain(err))
			}
			if !slices.Equal(got[0].Tags, c.tags) {
				t.Errorf("tags %q, want %q", got[0].Tags, c.tags)
			}
			wantIDs(t, noteIDs(search(t, db, bear.Query{Tags: []string{"food"}})), c.food...)
			wantIDs(t, noteIDs(search(t, db, bear.Query{Queries: []string{"soup"}, Tags: []string{"food"}})), c.food...)
			wantIDs(t, noteIDs(search(t, db, bear.Query{Queries: []string{"oup"}, Tags: []string{"food"}})), c.food...)
		})
	}
}

func TestLibraryWithoutTags(t *testing.T) {
	note := beartest.Note{ID: "A", Title: "Soup", Text: "soup"}
	for _, c := range []struct {
		name   string
		layout beartest.Layout
	}{
		{"no link yet", beartest.Layout{}},
		{"no link table", beartest.Layout{NoLink: true}},
		{"no tag table", beartest.Layout{NoTags: true}},
		{"no tag table and no entity numbers", beartest.Layout{NoTags: true, NoKeys: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := open(t, library(t, c.layout, note))
			wantIDs(t, noteIDs(search(t, db, bear.Query{})), "A")
			wantIDs(t, noteIDs(search(t, db, bear.Query{Queries: []string{"soup"}})), "A")
			wantIDs(t, noteIDs(search(t, db, bear.Query{Tags: []string{"food"}})))
			wantIDs(t, noteIDs(search(t, db, bear.Query{Queries: []string{"soup"}, Tags: []string{"food"}})))
			names, err := db.Tags(context.Background())
			if err != nil || len(names) != 0 {
				t.Errorf("Tags: %q, %v; want none", names, err)
			}
		})
	}
}

func TestTags(t *testing.T) {
	db := openNotes(t, beartest.Note{Tags: []string{"b", "a/b", "two words"}}, beartest.Note{Tags: []string{"b", "a"}})
	names, err := db.Tags(context.Background())
	if want := []string{"a", "a/b", "b", "two words"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("got %q, %v; want %q", names, err, want)
	}
	for tag, want := range map[string]string{"b": "b", "#b": "b", " #two words# ": "two words", "c#": "c#", "": ""} {
		if got := bear.TagName(tag); got != want {
			t.Errorf("TagName(%q) = %q, want %q", tag, got, want)
		}
	}
}

func TestSimilarTags(t *testing.T) {
	existing := []string{"Work", "cooking", "cooking/soups", "projects/jp", "WORK"}
	for _, c := range []struct {
		tag  string
		want []string
	}{
		{"", nil},
		{"garden", nil},
		{"cook", nil},
		{"Work", nil},
		{"#work", []string{"Work", "WORK"}},
		{"projects", []string{"projects/jp"}},
		{"Cooking/bread", []string{"cooking"}},
		{"COOKING", []string{"cooking", "cooking/soups"}},
	} {
		if got := bear.SimilarTags(c.tag, existing); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.tag, got, c.want)
		}
	}
}
