// Package directives has every directive and every argument of one.
package directives

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"math/big"
	"os"
	"sort"
	"strings"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// Notes keeps notes.
//
//jp:server name=my-notes description="Keeps notes. Search before you save." clients=mcp names=any unknown=ignore output=always list-budget=1000 envelope=true conventions=rfc010
//jp:toolset reading text="Reads notes." default=true
//jp:scope notes:write implies=notes:read
//jp:skills skills
//jp:describe SaveInput.Link text="The address of a page, which begins with https."
//jp:foreign big.Float type=string format=decimal pattern=^-?[0-9]
//jp:foreign sort.IntSlice type=array items=integer
//jp:foreign sql.NullString as=Author
//jp:foreign sql.NullInt64 reason="The names of its fields explain them."
type Notes struct {
	//jp:include prefix=tags_
	Index Index
}

// Index is an index of tags.
type Index struct{}

// Count counts the tags.
//
//jp:tool readonly=true task=auto after=10s ttl=2h poll=2s
func (Index) Count(ctx context.Context) (int, error) { return 0, ctx.Err() }

// Full is returned when no more notes fit.
const Full fault.Code = "full"

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// NoteID is the id of the note.
	NoteID string `json:"note_id"`
	// Tags of the note.
	Tags Tags `json:"tags"`
	// Link is the address of a page.
	Link Link `json:"link"`
	// Weight of the note.
	Weight big.Float `json:"weight"`
	// Pages of the note.
	Pages sort.IntSlice `json:"pages"`
	// Author of the note.
	Author sql.NullString `json:"author"`
	// Year of the note.
	Year sql.NullInt64 `json:"year"`
	// Access of other users.
	Access Access `json:"access"`
}

// Author is the name of an author.
type Author struct {
	// String is the name.
	String string
	// Valid is set if the author is known.
	Valid bool
}

// Access is what a user may do.
//
//jp:enum flags as=names
type Access uint8

// The kinds of access.
const (
	Read  Access = 1 << iota // May read.
	Write                    // May write.
)

// Tags are sorted.
//
//jp:schema type=array items=string
type Tags []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *Tags) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, (*[]string)(t)) }

// Link is an address.
//
//jp:schema type=string format=uri pattern=^https://
type Link struct{ host string }

// UnmarshalJSON implements json.Unmarshaler.
func (l *Link) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &l.host) }

// SaveOptions configure Save.
//
//jp:options scope=tool
type SaveOptions struct {
	// Limit is the maximum number of tags of a note.
	Limit int `json:"limit" default:"10"`
}

// Saved is the result of Save.
type Saved struct {
	// After is the text of the note after the change.
	After string `json:"state_after"`
}

// Save saves a note.
//
//jp:tool name=save_note title="Save a note" destructive=false idempotent=true mutates=true scopes=notes:write
//jp:alias save store until=2999-12-31
//jp:fails full
func (Notes) Save(ctx context.Context, in SaveInput, opt SaveOptions) (Saved, error) {
	if len(in.Tags) > opt.Limit {
		return Saved{}, fault.New(Full, "a note has at most %d tags", opt.Limit)
	}
	return Saved{strings.Join(in.Tags, " ")}, nil
}

// NoteInput is the id of a note.
type NoteInput struct {
	// ID of the note.
	ID string `json:"id"`
}

// Note returns the text of a note.
//
//jp:resource name=note uri=note://{id} mime=text/markdown title="A note" description="The text of a note." icon=https://example.com/note.png ttl=5m timeout=10s toolset=reading scopes=notes:read
//jp:fails not_found
func (Notes) Note(ctx context.Context, in NoteInput) (string, error) {
	return "", fault.New(fault.NotFound, "there is no note %s", in.ID)
}

// PageInput is a position in the list of notes.
type PageInput struct {
	// Cursor of the page.
	Cursor tool.Cursor `json:"cursor,omitempty"`
}

// ListNotes lists the notes. A tool can link to them with NoteURI, which is generated.
//
//jp:list note
func (Notes) ListNotes(ctx context.Context, in PageInput) (tool.Page[tool.Listed[NoteInput]], error) {
	return tool.Page[tool.Listed[NoteInput]]{Items: []tool.Listed[NoteInput]{{Variables: NoteInput{ID: "1"}, Name: "First"}}}, ctx.Err()
}

// WatchNotes reports changes of notes. Instead of an iterator, it could return a channel.
//
//jp:watch note
func (Notes) WatchNotes(ctx context.Context) iter.Seq[tool.Change[NoteInput]] {
	return func(yield func(tool.Change[NoteInput]) bool) { <-ctx.Done() }
}

// CompleteID completes the id of a note.
//
//jp:complete note id
//jp:complete summarize id
func (Notes) CompleteID(ctx context.Context, c tool.Completion[NoteInput]) ([]string, error) {
	return []string{c.Value + "1"}, ctx.Err()
}

// Summarize asks for a summary of a note.
//
//jp:prompt name=summarize title="Summarize a note" description="Asks for a summary." icon=https://example.com/sum.png timeout=10s toolset=reading scopes=notes:read
func (Notes) Summarize(ctx context.Context, in NoteInput) (content.Messages, error) {
	return content.Messages{content.Say(content.User, "Summarize "+NoteURI(in.ID))}, ctx.Err()
}

// List lists the notes.
//
//jp:tool readonly=true rows=csv schema=exact toolset=reading
func (Notes) List(ctx context.Context) ([]Saved, error) { return nil, nil }

// Count counts the notes.
//
//jp:tool description="Counts the notes of this user." readonly=true openworld=false timeout=30s budget=16000 version=2 icon=https://example.com/count.png
//jp:meta anthropic/alwaysLoad=true anthropic/searchHint="notes, memos" anthropic/requiresUserInteraction=false
func (Notes) Count(ctx context.Context) (int, error) {
	//jp:allow JP715 reason="the file is a cache, and each run writes the same content"
	if err := os.WriteFile("count", nil, 0o600); err != nil {
		return 0, err
	}
	return 0, nil
}
