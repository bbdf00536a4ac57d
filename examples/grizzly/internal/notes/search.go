package notes

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
)

// SearchInput says what to look for.
type SearchInput struct {
	// Words or phrases that must all be in the title or the text, letter case aside. Leave it out, or write "*", to list notes by tags and ids alone.
	Queries Queries `json:"queries,omitempty"`
	// Tags that must all be on the note, without the leading #.
	Tags []string `json:"tags,omitempty" jsonschema:"maxItems=64"`
	// Ids of the notes to search in.
	IDs []string `json:"ids,omitempty" jsonschema:"maxItems=1000"`
}

// Queries is a list of strings. Models write a single one as a string.
//
//jp:schema type=array items=string
type Queries []string

// UnmarshalJSON takes a list of strings or a string.
func (q *Queries) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*q = list
		return nil
	}
	var text string
	if json.Unmarshal(data, &text) != nil {
		return errors.New("a string or a list of strings")
	}
	// Some models send the text of a list.
	if json.Unmarshal([]byte(text), &list) == nil && list != nil {
		*q = list
		return nil
	}
	*q = Queries{text}
	return nil
}

// SearchOptions configures searching.
//
//jp:options
type SearchOptions struct {
	// The most matches to return.
	MaxResults int `json:"max_results" jsonschema:"minimum=1,maximum=1000,default=50"`
}

// Find notes by words, tags and ids. The matches come as XML, best first: the id of each note for note_get, its title, tags, date, a snippet, and the numbers of the lines that match. Notes in the trash are never found; of archived ones only the title is shown.
//
//jp:tool name=note_search title="Search notes" readonly=true openworld=false
//jp:fails unavailable permission_denied
func (n *Notes) Search(ctx context.Context, in SearchInput, opt SearchOptions) (string, error) {
	result, err := n.Library.Search(ctx, bear.Query{Queries: in.Queries, Tags: in.Tags, IDs: in.IDs, Limit: opt.MaxResults})
	if err != nil {
		return "", failed(err)
	}
	return render.Matches(result, 0), nil
}
