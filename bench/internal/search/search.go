// Package search implements the tool of every measured server.
//
// The tool has eight input fields and six output fields, some of them nested. Its work costs almost nothing, so
// that the measurements show the cost of the SDK.
package search

import "strconv"

// In is the input of the tool.
type In struct {
	Query    string   `json:"query" jsonschema:"Words to find."`
	Folder   string   `json:"folder" jsonschema:"Folder to search."`
	Kind     string   `json:"kind" jsonschema:"Kind of the notes."`
	Limit    int      `json:"limit" jsonschema:"Maximum number of hits to return."`
	Offset   int      `json:"offset" jsonschema:"Number of hits to skip."`
	Tags     []string `json:"tags" jsonschema:"Tags that a note must have."`
	Window   Window   `json:"window" jsonschema:"Days to search."`
	Archived bool     `json:"archived" jsonschema:"Whether to search archived notes."`
}

// Window is a span of days.
type Window struct {
	From string `json:"from" jsonschema:"The first day."`
	To   string `json:"to" jsonschema:"The last day."`
	Zone string `json:"zone" jsonschema:"The time zone of both."`
}

// Out is the output of the tool.
type Out struct {
	Total    int     `json:"total" jsonschema:"Number of hits."`
	Kind     string  `json:"kind" jsonschema:"Kind of the notes."`
	Score    float64 `json:"score" jsonschema:"Score of the best hit."`
	Hits     []Hit   `json:"hits" jsonschema:"The hits, best first."`
	Next     string  `json:"next" jsonschema:"Cursor of the next page."`
	Complete bool    `json:"complete" jsonschema:"Whether all hits are included."`
}

// Hit is one match.
type Hit struct {
	ID    string `json:"id" jsonschema:"Id of the note."`
	Title string `json:"title" jsonschema:"Its title."`
	Line  int    `json:"line" jsonschema:"The line that matches."`
}

// Run returns three hits for the input.
func Run(in In) Out {
	return Out{
		Total: in.Limit + in.Offset,
		Kind:  in.Kind,
		Score: 0.75,
		Hits: []Hit{
			{ID: "n-1", Title: "Minutes of " + in.Folder, Line: 3},
			{ID: "n-2", Title: "Plans for " + in.Window.From, Line: 14},
			{ID: "n-3", Title: "Letters to the harbour office", Line: len(in.Tags)},
		},
		Next:     strconv.Itoa(in.Offset + in.Limit),
		Complete: in.Archived,
	}
}

// Name returns the name of the i-th tool, from 1.
func Name(i int) string { return "search_" + strconv.Itoa(i) }

// Description is the description of the tool in each server's list.
const Description = "Search the notes by words, folder, tags and days."
