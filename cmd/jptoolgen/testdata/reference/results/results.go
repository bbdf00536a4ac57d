// Package results has a tool for every form of a result.
package results

import (
	"context"
	"fmt"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/tool"
)

// Notes keeps notes.
//
//jp:server
type Notes struct{}

// Note is a note.
type Note struct {
	// Title of the note.
	Title string `json:"title"`
	// Words is the number of words.
	Words int `json:"words"`
}

// Counted is a result with a custom text representation.
type Counted struct {
	// Words is the number of words in the note.
	Words int `json:"words"`
}

// Text implements tool.Texter.
func (c Counted) Text() string { return fmt.Sprintf("%d words", c.Words) }

// ListInput holds the arguments of Page.
type ListInput struct {
	// Cursor of the page.
	Cursor tool.Cursor `json:"cursor,omitempty"`
}

// Done returns only an error.
//
//jp:tool
func (Notes) Done(ctx context.Context) error { return nil }

// Text returns a string.
//
//jp:tool
func (Notes) Text(ctx context.Context) (string, error) { return "tea", nil }

// Outside returns text from an untrusted source.
//
//jp:tool
func (Notes) Outside(ctx context.Context) (content.Untrusted, error) { return "tea", nil }

// Blocks returns content: text, images, audio, resources and links.
//
//jp:tool
func (Notes) Blocks(ctx context.Context) (content.Blocks, error) {
	return content.Blocks{
		content.Text{Text: "tea", MIMEType: "text/markdown"},
		content.Image{Data: []byte("…"), MIMEType: "image/png"},
		content.Audio{Data: []byte("…"), MIMEType: "audio/wav"},
		content.Link{URI: "https://example.com/tea", Name: "tea"},
		content.Resource{URI: "notes:tea", MIMEType: "text/plain", Text: "tea"},
		content.Stopped, // a content.Status, sent only as a JP content block
	}, nil
}

// Structured returns a struct.
//
//jp:tool
func (Notes) Structured(ctx context.Context) (Note, error) { return Note{"tea", 2}, nil }

// Texter returns a struct with a Text method.
//
//jp:tool
func (Notes) Texter(ctx context.Context) (Counted, error) { return Counted{2}, nil }

// Pointer returns a pointer to a struct.
//
//jp:tool
func (Notes) Pointer(ctx context.Context) (*Note, error) { return &Note{"tea", 2}, nil }

// Object returns a map.
//
//jp:tool
func (Notes) Object(ctx context.Context) (map[string]int, error) {
	return map[string]int{"tea": 2}, nil
}

// Wrapped returns a list, a number or another value that is not an object.
//
//jp:tool
func (Notes) Wrapped(ctx context.Context) ([]Note, error) { return []Note{{"tea", 2}}, nil }

// With returns a struct and an image.
//
//jp:tool
func (Notes) With(ctx context.Context) (content.With[Note], error) {
	return content.With[Note]{
		Value:  Note{"tea", 2},
		Blocks: content.Blocks{content.Image{Data: []byte("…"), MIMEType: "image/png"}},
	}, nil
}

// Page returns a page of a list.
//
//jp:tool
func (Notes) Page(ctx context.Context, in ListInput) (tool.Page[Note], error) {
	notes := []Note{{"tea", 2}}
	return tool.Page[Note]{Items: notes, After: func(i int) string { return notes[i].Title }}, nil
}
