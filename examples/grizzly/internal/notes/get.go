package notes

import (
	"context"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// GetInput is the input of note_get.
type GetInput struct {
	// Notes are returned in this order.
	IDs []string `json:"ids" jsonschema:"minItems=1,maxItems=1000,single"`
	// Return only these lines of each note, counted from 1: 7, or a range such as 3:9, 3-9 or 3..9.
	Lines []bear.LineSpec `json:"lines,omitempty" jsonschema:"maxItems=1000,single"`
}

// GetQuestions are the questions of note_get.
type GetQuestions struct {
	// Which note to return if an id is the title of one or more notes.
	PickNote elicit.Pick `ask:"pick-note"`
	// Whether to return more than 1 MiB of notes.
	ConfirmLarge elicit.Confirm `ask:"confirm-large" default:"false"`
}

// GetOptions configures note_get.
//
//jp:options
type GetOptions struct {
	// Maximum number of bytes to return from one note.
	MaxNoteBytes int `json:"max_note_bytes" jsonschema:"minimum=1,maximum=16777216,default=262144"`
}

// large is the number of bytes above which the user is asked to confirm.
const large = 1 << 20

// Read Bear notes by the ids that note_search returns, whole or by lines, as XML. Unknown ids are listed as
// missing. Long notes are cut; the result says how to read the rest.
//
//jp:tool name=note_get title="Read notes" readonly=true openworld=false
//jp:fails unavailable permission_denied
func (n *Notes) Get(ctx context.Context, in GetInput, ask GetQuestions, opt GetOptions) (string, error) {
	library, err := n.library()
	if err != nil {
		return "", err
	}
	lines, err := bear.ParseLines(in.Lines)
	if err != nil {
		return "", faultOf(err)
	}
	notes, missing, err := library.Get(ctx, in.IDs, lines, opt.MaxNoteBytes)
	if err != nil {
		return "", faultOf(err)
	}
	ids, remark, err := resolveTitles(ctx, library, in.IDs, missing, ask.PickNote)
	if err != nil {
		return "", err
	}
	if ids == nil {
		ids = in.IDs
	} else if notes, missing, err = library.Get(ctx, ids, lines, opt.MaxNoteBytes); err != nil {
		return "", faultOf(err)
	}
	if size := volume(notes); size > large {
		yes, err := ask.ConfirmLarge.Ask(ctx, "Return %.1f MiB of notes?", float64(size)/(1<<20))
		if err != nil {
			return "", err
		}
		if !yes {
			return "", fault.New(fault.InputDeclined, "the requested notes contain %.1f MiB of text, which requires confirmation: request fewer ids, or set lines to return only part of each note", float64(size)/(1<<20))
		}
	}
	if notes, err = fitting(ctx, library, ids, lines, opt.MaxNoteBytes, notes); err != nil {
		return "", faultOf(err)
	}
	if len(notes) == 0 && remark == "" {
		if remark, err = searchRemark(ctx, library, missing); err != nil {
			return "", err
		}
	}
	return render.Notes(notes, missing, 0) + remark, nil
}

// fitting cuts notes until each of them fits into an answer. limit is the maximum number of bytes of a note.
func fitting(ctx context.Context, library *bear.DB, ids []string, lines bear.Lines, limit int, notes []bear.Note) ([]bear.Note, error) {
	share := 0.0 // the share of an answer that the largest note needs
	for _, note := range notes {
		share = max(share, render.Share(note))
	}
	if share <= 1 || limit == 1 {
		return notes, nil
	}
	limit = max(int(0.9*float64(limit)/share), 1)
	notes, _, err := library.Get(ctx, ids, lines, limit)
	if err != nil {
		return nil, err
	}
	return fitting(ctx, library, ids, lines, limit, notes)
}

// volume returns the number of bytes of text in notes.
func volume(notes []bear.Note) int {
	total := 0
	for _, note := range notes {
		total += len(note.Body.Text)
		for _, l := range note.Body.Lines {
			total += len(l.Text)
		}
	}
	return total
}
