package notes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// GetInput names the notes to read.
type GetInput struct {
	// The ids of the notes, in the order in which to return them.
	IDs []string `json:"ids" jsonschema:"minItems=1,maxItems=1000"`
	// Lines to return instead of the whole text, counted from 1: a number such as 7, or a range such as "3:9", "3-9" or "3..9".
	Lines []Line `json:"lines,omitempty" jsonschema:"maxItems=1000"`
}

// Line is a line or a range of lines. Models write it as a string or a number.
//
//jp:schema type=string
type Line string

// UnmarshalJSON takes a string or a whole number.
func (l *Line) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil && data[0] == '"' {
		*l = Line(text)
		return nil
	}
	var n json.Number
	if json.Unmarshal(data, &n) != nil || strings.ContainsAny(n.String(), ".eE") || n == "" {
		return errors.New(`a line number, or a range such as "3:9"`)
	}
	*l = Line(n)
	return nil
}

// MarshalJSON returns the line as a string.
func (l Line) MarshalJSON() ([]byte, error) { return json.Marshal(string(l)) }

// GetQuestions is what reading notes may ask.
type GetQuestions struct {
	// PickNote asks which note is meant by an id that is the title of one or more notes.
	PickNote elicit.Pick `ask:"pick-note"`
	// ConfirmLarge asks before more than 1 MiB of notes is returned.
	ConfirmLarge elicit.Confirm `ask:"confirm-large" default:"false"`
}

// GetOptions configures reading notes.
//
//jp:options
type GetOptions struct {
	// The most bytes of one note to return.
	MaxNoteBytes int `json:"max_note_bytes" jsonschema:"minimum=1,maximum=16777216,default=262144"`
}

// large is how many bytes of notes are returned without asking.
const large = 1 << 20

// Read notes by id, as XML with the text of each note, whole or by lines. Ids come from note_search; those of no note are listed as missing. Long notes are cut at a line, with a remark how to read on.
//
//jp:tool name=note_get title="Read notes" readonly=true openworld=false
//jp:fails unavailable permission_denied
func (n *Notes) Get(ctx context.Context, in GetInput, ask GetQuestions, opt GetOptions) (string, error) {
	specs := make([]bear.LineSpec, len(in.Lines))
	for i, l := range in.Lines {
		specs[i] = bear.LineSpec(l)
	}
	lines, err := bear.ParseLines(specs)
	if err != nil {
		return "", failed(err)
	}
	read := func(ids []string) ([]bear.Note, []string, error) {
		return n.Library.Get(ctx, ids, lines, opt.MaxNoteBytes)
	}
	notes, missing, err := read(in.IDs)
	if err != nil {
		return "", failed(err)
	}
	if len(missing) > 0 {
		ids, err := n.meant(ctx, in.IDs, missing, ask.PickNote)
		if err != nil {
			return "", err
		}
		if notes, missing, err = read(ids); err != nil {
			return "", failed(err)
		}
	}
	if size := volume(notes); size > large {
		yes, err := ask.ConfirmLarge.Ask(ctx, "Return %.1f MiB of notes?", float64(size)/(1<<20))
		if err != nil {
			return "", err
		}
		if !yes {
			return "", fault.New(fault.InputDeclined, "%d notes hold %d bytes, more than is returned unasked: ask for fewer ids, or for lines", len(notes), size)
		}
	}
	// What was confirmed, or is small, is not cut again as a whole.
	return render.Notes(notes, missing, max(render.DefaultLimit, 2*volume(notes)+render.DefaultLimit)), nil
}

// none is offered beside the notes that may be meant.
const none = "none of these"

// meant returns ids with those that are missing replaced by the note that has the
// id for its title, after asking. The first is asked for under the plain id of the
// question, any further one under an id of its own.
func (n *Notes) meant(ctx context.Context, ids, missing []string, pick elicit.Pick) ([]string, error) {
	picked := map[string]string{}
	for _, title := range missing {
		found, err := n.Library.ByTitle(ctx, title)
		if err != nil {
			return nil, failed(err)
		}
		if len(found) == 0 {
			continue
		}
		byLabel := map[string]string{}
		labels := make([]string, 0, len(found)+1)
		for _, info := range found {
			l := label(info)
			labels, byLabel[l] = append(labels, l), info.ID
		}
		question := pick
		if len(picked) > 0 {
			question = pick.For(title)
		}
		choice, err := question.Among(append(labels, none)...).Default(none).
			Ask(ctx, "No note has the id %q, but it is the title of %d. Which one is meant?", title, len(found))
		if err != nil {
			return nil, err
		}
		picked[title] = byLabel[choice]
	}
	out := make([]string, len(ids))
	for i, id := range ids {
		if out[i] = id; picked[id] != "" {
			out[i] = picked[id]
		}
	}
	return out, nil
}

// label tells notes of one title apart.
func label(info bear.Info) string {
	text := info.Title + " [" + info.ID + "]"
	if len(info.Tags) > 0 {
		text += " #" + strings.Join(info.Tags, " #")
	}
	if !info.Modified.IsZero() {
		text += fmt.Sprintf(", changed %s", info.Modified.Format("2006-01-02"))
	}
	return text
}

// volume returns how many bytes of text notes carry.
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
