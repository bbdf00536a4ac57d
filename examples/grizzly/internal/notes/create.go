package notes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/opener"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// CreateInput is the new note.
type CreateInput struct {
	// Title of the note, one line.
	Title string `json:"title" jsonschema:"minLength=1,maxLength=256"`
	// Tags of the note, without the leading #. A tag may have spaces and, for nesting, slashes.
	Tags []string `json:"tags,omitempty" jsonschema:"maxItems=64"`
	// Text of the note in Markdown, at most 64 KiB, without the title and the tags.
	Content string `json:"content,omitempty"`
}

// OnDuplicate is what to do about a note of the same title.
type OnDuplicate string

const (
	CreateAnother OnDuplicate = "create another"        // Create a second note of that title.
	ShowExisting  OnDuplicate = "show the existing one" // Create nothing and name the note that exists.
	CancelCreate  OnDuplicate = "cancel"                // Create nothing.
)

// CreateQuestions is what creating a note may ask.
type CreateQuestions struct {
	// DuplicateTitle asks what to do when a note of that title exists.
	DuplicateTitle elicit.Choice[OnDuplicate] `ask:"duplicate-title" default:"cancel"`
	// NewTag asks whether a tag that is close to an existing one is really meant to be new.
	NewTag elicit.Pick `ask:"new-tag"`
	// ConfirmCreate asks before the note is created.
	ConfirmCreate elicit.Confirm `ask:"confirm-create"`
}

// CreateOptions configures creating notes.
//
//jp:options
type CreateOptions struct {
	// Create notes without asking for confirmation.
	AutoApprove bool `json:"auto_approve,omitempty"`
}

// Create a note in Bear. The user is asked first. Returns the id of the new note if Bear shows it within a moment.
//
//jp:tool name=note_create title="Create a note" readonly=false destructive=false idempotent=false openworld=false
//jp:fails unavailable permission_denied conflict
func (n *Notes) Create(ctx context.Context, in CreateInput, ask CreateQuestions, opt CreateOptions) (string, error) {
	draft := opener.Draft{Title: in.Title, Tags: in.Tags, Content: in.Content}
	if err := draft.Validate(); err != nil {
		return "", failed(err)
	}
	before, err := n.Library.ByTitle(ctx, draft.Title)
	if err != nil {
		return "", failed(err)
	}
	if len(before) > 0 {
		answer, err := n.duplicate(ctx, before, ask.DuplicateTitle)
		if answer != "" || err != nil {
			return answer, err
		}
	}
	if draft.Tags, err = n.tags(ctx, in.Tags, ask.NewTag); err != nil {
		return "", err
	}
	if !opt.AutoApprove {
		yes, err := ask.ConfirmCreate.Preamble(preview(draft)).Ask(ctx, "Create the note %q%s?", draft.Title, tagged(draft.Tags))
		if err != nil {
			return "", err
		}
		if !yes {
			return "", fault.New(fault.InputDeclined, "the user does not want the note %q created", draft.Title)
		}
	}
	if err := n.Opener.Create(ctx, draft); err != nil {
		return "", failed(err)
	}
	if id := n.arrived(ctx, draft.Title, before); id != "" {
		return fmt.Sprintf("Created the note %q with the id %s.", draft.Title, id), nil
	}
	return fmt.Sprintf("Bear was asked to create the note %q.", draft.Title), nil
}

// duplicate asks what to do about notes of the same title. It returns "" to create
// another.
func (n *Notes) duplicate(ctx context.Context, existing []bear.Info, ask elicit.Choice[OnDuplicate]) (string, error) {
	how, err := ask.Ask(ctx, "A note called %q exists. What now?", existing[0].Title)
	if err != nil {
		return "", err
	}
	switch how {
	case CreateAnother:
		return "", nil
	case ShowExisting:
		return "Nothing was created. The note exists: " + label(existing[0]), nil
	}
	f := fault.New(fault.Conflict, "nothing was created: a note called %q exists, with the id %s", existing[0].Title, existing[0].ID)
	f.Details = map[string]any{"id": existing[0].ID}
	return "", f
}

// tags returns the tags of a new note, after asking for each that is close to one
// that exists. The first is asked for under the plain id of the question, any
// further one under an id of its own.
func (n *Notes) tags(ctx context.Context, wanted []string, ask elicit.Pick) ([]string, error) {
	if len(wanted) == 0 {
		return nil, nil
	}
	existing, err := n.Library.Tags(ctx)
	if err != nil {
		return nil, failed(err)
	}
	asked := false
	var tags []string
	for _, want := range wanted {
		tag := bear.TagName(want)
		if similar := bear.SimilarTags(tag, existing); len(similar) > 0 {
			question := ask
			if asked {
				question = ask.For(tag)
			}
			asked = true
			offer := slices.Compact(append([]string{tag}, similar[:min(len(similar), 7)]...))
			if tag, err = question.Among(offer...).Default(tag).
				Ask(ctx, "The tag %q is new, but close to one that exists. Which tag should the note have?", tag); err != nil {
				return nil, err
			}
		}
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags, nil
}

// How long a new note is looked for, and how often.
const (
	arrival = 2 * time.Second
	glance  = 100 * time.Millisecond
)

// arrived returns the id of a note of that title that is not among those before,
// and "" if none shows up in time. The note was asked for, whatever goes wrong here.
func (n *Notes) arrived(ctx context.Context, title string, before []bear.Info) string {
	ctx, cancel := context.WithTimeout(ctx, arrival)
	defer cancel()
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		now, err := n.Library.ByTitle(ctx, title)
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

// preview shows what would be created: title, tags and the first lines.
func preview(d opener.Draft) string {
	const most = 10
	lines := strings.SplitAfterN(d.Content, "\n", most+1)
	text := "# " + d.Title + "\n" + strings.Join(d.Tags, ", ") + "\n\n" + strings.Join(lines[:min(len(lines), most)], "")
	if len(lines) > most {
		text += "…"
	}
	return text
}

func tagged(tags []string) string {
	if len(tags) == 0 {
		return ""
	}
	return " with the tags " + strings.Join(tags, ", ")
}
