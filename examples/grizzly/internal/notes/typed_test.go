package notes_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/notes"
	"github.com/jptool/jptool/sdk/elicit"
)

// person answers the questions of note_create.
type person struct{ duplicate notes.OnDuplicate }

func (p person) DuplicateTitle(context.Context, elicit.Request) (elicit.Response[notes.OnDuplicate], error) {
	return elicit.Accepted(p.duplicate), nil
}

func (person) NewTag(context.Context, elicit.Request) (elicit.Response[string], error) {
	return elicit.Canceled[string](), nil
}

func (person) ConfirmCreate(context.Context, elicit.Request) (elicit.Response[bool], error) {
	return elicit.Accepted(true), nil
}

// A program gets fields and a model gets text.
func TestTypedResults(t *testing.T) {
	s := createShelf(t, kitchen()...)
	found, err := s.notes.Search(t.Context(), notes.SearchInput{Queries: []string{"leek"}}, notes.SearchOptions{MaxResults: 5})
	if err != nil || found.Total != 1 || found.Matches[0].ID != "SOUP" || !slices.Equal(found.Matches[0].Hits, []int{2}) {
		t.Errorf("found %+v, %v", found, err)
	}
	for _, c := range []struct {
		answer notes.OnDuplicate
		want   notes.CreateResult
	}{
		{notes.ShowExisting, notes.CreateResult{Created: false, ID: "SOUP", Message: "<info>Nothing was created."}},
		{notes.CreateAnother, notes.CreateResult{Created: true, ID: "NEW", Message: "Created the note"}},
	} {
		got, err := notes.CallCreate(t.Context(), s.notes, notes.CreateInput{Title: "soup"}, notes.CreateOptions{}, person{c.answer})
		if err != nil || got.Created != c.want.Created || got.ID != c.want.ID || !strings.HasPrefix(got.Message, c.want.Message) {
			t.Errorf("%s: %+v, %v", c.answer, got, err)
		}
	}
}
