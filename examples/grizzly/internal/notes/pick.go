package notes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jptool/jptool/examples/grizzly/internal/advice"
	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/render"
	"github.com/jptool/jptool/sdk/elicit"
)

const (
	// none is the option to choose no note.
	none = "none of these"
	// maxTitles is the maximum number of missing ids to try as titles, because each of them requires a scan of
	// all titles, and a question.
	maxTitles = 10
)

// resolveTitles treats missing ids as the beginnings of ids, or else as titles. For each title, it asks which note is meant. It returns ids with the
// ids of the chosen notes in place of the titles, or nil if nothing was replaced. The first question has the
// declared id; further questions have their own ids. If the user chose no note, the remark lists the notes with that
// title, so that a model whose user cannot be asked can choose.
func resolveTitles(ctx context.Context, library *bear.DB, ids, missing []string, pick elicit.Pick) (replaced []string, remark string, err error) {
	picked, asked := map[string]string{}, false
	for _, title := range missing[:min(len(missing), maxTitles)] {
		if id, err := library.ByPrefix(ctx, title); err != nil {
			return nil, "", faultOf(err)
		} else if id != "" {
			picked[title] = id
			continue
		}
		found, err := library.ByTitle(ctx, title)
		if err != nil {
			return nil, "", faultOf(err)
		}
		if len(found) == 0 {
			continue
		}
		labels, options := make([]string, len(found)), make([]elicit.Option, len(found))
		for i, info := range found {
			labels[i] = label(info)
			options[i] = elicit.Option{Value: info.ID, Title: labels[i]}
		}
		question := pick
		if asked {
			question = pick.For(title)
		}
		asked = true
		which := "one note has that title. Did you mean this note?"
		if len(found) > 1 {
			which = fmt.Sprintf("%d notes have that title. Which one did you mean?", len(found))
		}
		choice, err := question.Offer(append(options, elicit.Option{Value: none})...).Default(none).
			Ask(ctx, "No note has the id %q, but %s", title, which)
		if err != nil {
			return nil, "", err
		}
		if choice == none {
			remark += "\n" + render.Info("No note has the id %q. A note with that title exists: %s", title, strings.Join(labels, "; "))
		} else {
			picked[title] = choice
		}
	}
	if len(picked) == 0 {
		return nil, remark, nil
	}
	replaced = slices.Clone(ids)
	for i, id := range ids {
		if picked[id] != "" {
			replaced[i] = picked[id]
		}
	}
	return replaced, remark, nil
}

// searchRemark returns a remark that says how to find notes, if no note has any of the ids.
func searchRemark(ctx context.Context, library *bear.DB, ids []string) (string, error) {
	text, err := advice.For(ctx, library, bear.Query{IDs: ids})
	if err != nil {
		return "", faultOf(err)
	}
	return "\n" + render.Info("No note has these ids. %s", text), nil
}

// label returns text that distinguishes notes with the same title.
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
