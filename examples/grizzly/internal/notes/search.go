package notes

import (
	"context"

	"github.com/jptool/jptool/examples/grizzly/internal/advice"
	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
)

// SearchInput is the input of note_search.
type SearchInput struct {
	// Words or phrases that must all occur in the title or the text, case-insensitive. Each entry is searched
	// for as one phrase of at most 1024 bytes: put words that need not be adjacent into separate entries. If
	// empty, or with "*", notes are selected by tags and ids only, newest first.
	Queries []string `json:"queries,omitempty" jsonschema:"maxItems=32,single"`
	// Tags that must all be on the note. Names are exact, without the leading #; a parent tag such as "work"
	// also finds the notes of "work/ops".
	Tags []string `json:"tags,omitempty" jsonschema:"maxItems=64,single"`
	// Ids of the notes to search; all notes if empty.
	IDs []string `json:"ids,omitempty" jsonschema:"maxItems=1000,single"`
}

// SearchOptions configures note_search.
//
//jp:options
type SearchOptions struct {
	// Maximum number of matches to return.
	MaxResults int `json:"max_results" jsonschema:"minimum=1,maximum=1000,default=50"`
}

// SearchResult has the notes that were found as fields for programs; models read its text.
type SearchResult struct {
	bear.Result
	// What to search for instead, if no notes match.
	Advice string `json:"advice,omitempty"`
}

// Text formats the matches as XML.
func (r SearchResult) Text() string { return render.Matches(r.Result, r.Advice, 0) }

// Find the user's notes in Bear by words, tags and ids. The answer is XML, best match first: the id for
// note_get, the title, tags, date, a snippet, and the numbers of the lines that match. Notes in the trash are
// not found, and archived notes are shown without text.
//
//jp:tool name=note_search title="Search notes" readonly=true openworld=false
//jp:fails unavailable permission_denied
func (n *Notes) Search(ctx context.Context, in SearchInput, opt SearchOptions) (SearchResult, error) {
	library, err := n.library()
	if err != nil {
		return SearchResult{}, err
	}
	query := bear.Query{Queries: in.Queries, Tags: in.Tags, IDs: in.IDs, Limit: opt.MaxResults}
	var result SearchResult
	if result.Result, err = library.Search(ctx, query); err != nil {
		return SearchResult{}, failed(err)
	}
	if result.Total == 0 {
		if result.Advice, err = advice.For(ctx, library, query); err != nil {
			return SearchResult{}, failed(err)
		}
	}
	return result, nil
}
