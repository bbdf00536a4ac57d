// Package uris has a server with resources and prompts, whose methods are checked like those of tools.
package uris

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// Server is the server of this package.
//
//jp:server
type Server struct{}

// NoteInput is the id of a note.
type NoteInput struct {
	// ID of the note.
	ID string `json:"id"`
}

// Options configure notes.
//
//jp:options
type Options struct {
	// Loud is read where notes are listed.
	Loud bool `json:"loud,omitempty"`
	// Idle is not read.
	Idle bool `json:"idle,omitempty"` // want `JP708: option idle is declared, but resource note never reads it`
}

// want +5 `JP705: resource note fails with conflict, which //jp:fails does not list; add conflict to //jp:fails`

// Note is a note.
//
//jp:resource uri=note://{id}
//jp:fails rate_limited
func (s *Server) Note(ctx context.Context, in NoteInput, opt Options) (string, error) {
	return "", fault.New(fault.Conflict, "changed")
}

// Limited is the code of the list.
const Limited fault.Code = "rate_limited"

// PageInput is a position in the list.
type PageInput struct {
	// Cursor of the page.
	Cursor tool.Cursor `json:"cursor,omitempty"`
}

// ListNotes fails with a code that the resource declares.
//
//jp:list note
func (s *Server) ListNotes(ctx context.Context, in PageInput, opt Options) (tool.Page[tool.Listed[NoteInput]], error) {
	if opt.Loud {
		return tool.Page[tool.Listed[NoteInput]]{}, errors.New("loud") // want `JP720: resource note returns an error without a code`
	}
	return tool.Page[tool.Listed[NoteInput]]{}, fault.New(Limited, "later")
}

// Changes returns an error that no caller receives.
//
//jp:watch note
func (s *Server) Changes(ctx context.Context) (iter.Seq[tool.Change[NoteInput]], error) {
	return nil, errors.New("cannot watch")
}

// CompleteID reads a file that the user types.
//
//jp:complete note id
func (s *Server) CompleteID(ctx context.Context, c tool.Completion[NoteInput]) ([]string, error) {
	if _, err := os.Stat(c.Arguments.ID); err != nil { // want `JP718: .*argument id of resource note`
		return nil, nil
	}
	_, err := os.ReadFile(c.Value) // want `JP718: .*argument value of resource note`
	return nil, err
}

// File reads any file.
//
//jp:resource uri=files://{+id}
func (s *Server) File(ctx context.Context, in NoteInput) ([]byte, error) {
	return os.ReadFile(in.ID) // want `JP718: .*argument id of resource file`
}

// Ask asks.
type Ask struct {
	// Sure asks.
	Sure elicit.Confirm
	// Idle is not asked.
	Idle elicit.Confirm // want `JP707: question Idle is declared, but prompt summarize never asks it`
}

// Summarize writes before it asks.
//
//jp:prompt
func (s *Server) Summarize(ctx context.Context, in NoteInput, ask Ask) (content.Messages, error) {
	if err := os.WriteFile("log", nil, 0o600); err != nil { // want `JP704: os.WriteFile runs before the question`
		return nil, err
	}
	if ok, err := ask.Sure.Ask(ctx, "Sure?"); err != nil || !ok {
		return nil, err
	}
	return nil, fault.New(fault.Internal, "no")
}

// About is a static resource.
//
//jp:resource uri=note://about
func (s *Server) About(ctx context.Context) (string, error) { return NoteURI("1"), ctx.Err() }

// Page is at a scheme that others use.
//
//jp:resource uri=https://example.com/notes/{id}
func (s *Server) Page(ctx context.Context, in NoteInput) (string, error) { return "", ctx.Err() }

const start = "note://" // want `JP729: the string "note://" begins like the URI of resource note; call AboutURI or NoteURI, which is generated`

// A link has tags, which are not URIs.
type link struct {
	URI string `note:"note://"`
}

func links(id string) []string {
	//jp:allow JP729 reason="the prefix of all notes"
	all := "note://"
	return []string{
		all,
		"note://" + id,                // want `JP729: .*; call AboutURI or NoteURI`
		fmt.Sprintf("files://%s", id), // want `JP729: the string "files://%s" begins like the URI of resource file; call FileURI`
		"note://about",                // want `JP729: .* of resource about; call AboutURI`
		"https://example.com/notes/1", // want `JP729: .*; call PageURI`
		"https://example.com/other",
		"see note://1",
		"tags://1",
		strings.TrimPrefix(id, start),
		link{NoteURI(id)}.URI,
	}
}
