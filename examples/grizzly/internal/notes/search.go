package notes

import (
	"context"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
)

// SearchInput says what to look for.
type SearchInput struct {
	// Words or phrases, all of which must be in the title or the text. Each is looked for as it stands, letter case aside: write words that may stand apart as several entries. Without any, or with "*", notes are listed by tags and ids alone, newest first.
	Queries []string `json:"queries,omitempty"`
	// Tags, all of which must be on the note. Names are exact and go without the leading #; a parent tag such as "work" finds the notes of "work/ops" too.
	Tags []string `json:"tags,omitempty"`
	// Ids of the notes to search in, when not all.
	IDs []string `json:"ids,omitempty"`
}

// SearchOptions configures searching.
//
//jp:options
type SearchOptions struct {
	// The most matches to return.
	MaxResults int `json:"max_results" jsonschema:"minimum=1,maximum=1000,default=50"`
}

// SearchResult is the notes that were found, for programs; models read its text.
type SearchResult bear.Result

// Text returns the matches as XML.
func (r SearchResult) Text() string { return render.Matches(bear.Result(r), 0) }

// Find the user's notes in Bear by words, tags and ids. The answer is XML, the best match first: the id that note_get takes, the title, tags, date, a snippet, and the numbers of the lines that match. Notes in the trash are not found, and of archived ones no text is shown.
//
//jp:tool name=note_search title="Search notes" readonly=true openworld=false
//jp:fails unavailable permission_denied
func (n *Notes) Search(ctx context.Context, in SearchInput, opt SearchOptions) (SearchResult, error) {
	library, err := n.library()
	if err != nil {
		return SearchResult{}, err
	}
	result, err := library.Search(ctx, bear.Query{Queries: in.Queries, Tags: in.Tags, IDs: in.IDs, Limit: opt.MaxResults})
	if err != nil {
		return SearchResult{}, failed(err)
	}
	return SearchResult(result), nil
}
