package notes

import (
	"context"

	"github.com/jptool/jptool/examples/grizzly/internal/advice"
	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
)

// SearchInput is the input of note_search.
type SearchInput struct {
	// Phrases of at most 1024 bytes that must all occur in title or text, case-insensitive; pass words that need not be
	// adjacent as separate entries. Empty or "*" selects by tags and ids only, newest first.
	Queries []string `json:"queries,omitempty" jsonschema:"maxItems=32,single"`
	// Return only notes with all these tags: exact, without #; work also finds work/ops.
	Tags []string `json:"tags,omitempty" jsonschema:"maxItems=64,single"`
	// Search only these notes; empty for all.
	IDs []string `json:"ids,omitempty" jsonschema:"maxItems=1000,single"`
}

// SearchOptions configures note_search.
//
//jp:options
type SearchOptions struct {
	// Maximum number of matches to return.
	MaxResults int `json:"max_results" jsonschema:"minimum=1,maximum=1000,default=50"`
}

// SearchResult holds the found notes as fields for programs. Models read its text.
type SearchResult struct {
	bear.Result
	// What to search for instead, if no notes match.
	Advice string `json:"advice,omitempty"`
}

// Text formats the matches as XML.
func (r SearchResult) Text() string { return render.Matches(r.Result, r.Advice, 0) }

// Find the user's Bear notes by words, tags and ids, as XML, best match first: id for note_get, title, tags, date,
// snippet, numbers of matching lines. Omits notes in the trash, and the text of archived notes.
//
//jp:tool name=note_search title="Search notes" readonly=true openworld=false budget=80000
//jp:fails unavailable permission_denied
func (n *Notes) Search(ctx context.Context, in SearchInput, opt SearchOptions) (SearchResult, error) {
	library, err := n.library()
	if err != nil {
		return SearchResult{}, err
	}
	query := bear.Query{Queries: in.Queries, Tags: in.Tags, IDs: in.IDs, Limit: opt.MaxResults}
	var result SearchResult
	if result.Result, err = library.Search(ctx, query); err != nil {
		return SearchResult{}, faultOf(err)
	}
	result.Matches = result.Matches[:render.Fitting(result.Matches)]
	if result.Total == 0 {
		if result.Advice, err = advice.For(ctx, library, query); err != nil {
			return SearchResult{}, faultOf(err)
		}
	}
	return result, nil
}
