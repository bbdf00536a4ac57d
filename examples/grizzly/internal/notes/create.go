package notes

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/opener"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// CreateInput is the input of note_create.
type CreateInput struct {
	// Title of the note, one line.
	Title string `json:"title" jsonschema:"minLength=1,maxLength=256"`
	// Tags of the note, without the leading #. A tag may contain spaces, and slashes for nesting, such as
	// "work/ops".
	Tags []string `json:"tags,omitempty" jsonschema:"single"`
	// Text of the note in Markdown, at most 64 KiB. Omit the title and the tags; Bear adds them above the text.
	Content string `json:"content,omitempty"`
}

// OnDuplicate is the action if a note with the same title already exists.
type OnDuplicate string

const (
	CreateAnother OnDuplicate = "create another"        // Create a second note with that title.
	ShowExisting  OnDuplicate = "show the existing one" // Create nothing and return the existing note.
	CancelCreate  OnDuplicate = "cancel"                // Create nothing.
)

// CreateQuestions are the questions of note_create.
type CreateQuestions struct {
	// What to do if a note with the same title already exists.
	DuplicateTitle elicit.Choice[OnDuplicate] `ask:"duplicate-title" default:"cancel"`
	// Which tag to use if a new tag is similar to an existing one.
	NewTag elicit.Pick `ask:"new-tag"`
	// Whether to create the note.
	ConfirmCreate elicit.Confirm `ask:"confirm-create"`
}

// CreateOptions configures note_create.
//
//jp:options
type CreateOptions struct {
	// Create notes without asking for confirmation.
	AutoApprove bool `json:"auto_approve,omitempty"`
}

// CreateResult is the result of note_create.
type CreateResult struct {
	// Whether Bear was asked to create the note.
	Created bool `json:"created"`
	// Id of the new note, if Bear stores it within a few seconds, or of the existing note.
	ID string `json:"id,omitempty"`
	// Description of the result, or the text of the existing note.
	Message string `json:"message"`
}

// Text returns the message.
func (r CreateResult) Text() string { return r.Message }

// Create a note in Bear, after asking the user. Returns the id of the new note if Bear stores it within a few
// seconds. Notes cannot be changed afterwards, so search for an existing note first.
//
//jp:tool name=note_create title="Create a note" readonly=false destructive=false idempotent=false openworld=false
//jp:fails unavailable permission_denied conflict
func (n *Notes) Create(ctx context.Context, in CreateInput, ask CreateQuestions, opt CreateOptions) (CreateResult, error) {
	draft := opener.Draft{Title: in.Title, Tags: make([]string, len(in.Tags)), Content: in.Content}
	for i, tag := range in.Tags {
		draft.Tags[i] = bear.TagName(tag)
	}
	if err := draft.Validate(); err != nil {
		return CreateResult{}, faultOf(err)
	}
	// Check this before asking: the user should not have to answer questions about a note that cannot be created.
	if err := n.Opener.Ready(); err != nil {
		return CreateResult{}, faultOf(err)
	}
	library, err := n.library()
	if err != nil {
		return CreateResult{}, err
	}
	before, err := library.ByTitle(ctx, draft.Title)
	if err != nil {
		return CreateResult{}, faultOf(err)
	}
	if len(before) > 0 {
		answer, err := askAboutDuplicate(ctx, library, before[0], ask.DuplicateTitle)
		if answer.Message != "" || err != nil {
			return answer, err
		}
	}
	if draft.Tags, err = tags(ctx, library, draft.Tags, ask.NewTag); err != nil {
		return CreateResult{}, err
	}
	if !opt.AutoApprove {
		yes, err := ask.ConfirmCreate.Preamble(preview(draft)).Ask(ctx, "Create the note %q%s?", draft.Title, tagPhrase(draft.Tags))
		if err != nil {
			return CreateResult{}, err
		}
		if !yes {
			return CreateResult{}, fault.New(fault.InputDeclined, "the note %q was not created, because the question was declined", draft.Title)
		}
	}
	if err := n.Opener.Create(ctx, draft); err != nil {
		return CreateResult{}, faultOf(err)
	}
	if id := findCreated(ctx, library, draft.Title, before); id != "" {
		return CreateResult{true, id, fmt.Sprintf("Created the note %q with the id %s.", draft.Title, id)}, nil
	}
	return CreateResult{true, "", fmt.Sprintf("Bear was asked to create the note %q, but its library does not contain the note yet.", draft.Title)}, nil
}

// askAboutDuplicate asks what to do about a note with the same title. An empty message means to create another note.
func askAboutDuplicate(ctx context.Context, library *bear.DB, existing bear.Info, ask elicit.Choice[OnDuplicate]) (CreateResult, error) {
	how, err := ask.Preamble(label(existing)).
		Ask(ctx, "A note called %q already exists. Create another one, show the existing one, or cancel?", existing.Title)
	if err != nil {
		return CreateResult{}, err
	}
	switch how {
	case CreateAnother:
		return CreateResult{}, nil
	case ShowExisting:
		notes, missing, err := library.Get(ctx, []string{existing.ID}, bear.Lines{}, 0)
		if err != nil {
			return CreateResult{}, faultOf(err)
		}
		message := render.Info("Nothing was created. A note with that title already exists:") + "\n" + render.Notes(notes, missing, 0)
		return CreateResult{false, existing.ID, message}, nil
	}
	f := fault.New(fault.Conflict, "no note was created: a note with the title %q already exists, with the id %s; read it with note_get, or use another title", existing.Title, existing.ID)
	f.Details = map[string]any{"id": existing.ID}
	return CreateResult{}, f
}

// How long and how often to look for a new note.
const (
	pollTimeout  = 2 * time.Second
	pollInterval = 100 * time.Millisecond
)

// findCreated returns the id of a note with that title that is not in before, or "" if no such note appears in time.
// It ignores errors, because Bear has already been asked to create the note.
func findCreated(ctx context.Context, library *bear.DB, title string, before []bear.Info) string {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		now, err := library.ByTitle(ctx, title)
		if err != nil {
			return ""
		}
		for _, info := range now {
			if !slices.ContainsFunc(before, func(b bear.Info) bool { return b.ID == info.ID }) {
				return info.ID
			}
		}
		select {
		case <-ctx.Done():
			return ""
		case <-tick.C:
		}
	}
}
