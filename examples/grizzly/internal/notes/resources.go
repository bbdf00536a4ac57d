package notes

import (
	"context"
	"slices"
	"strings"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// NoteInput identifies a note.
type NoteInput struct {
	// Id of the note.
	ID string `json:"id" jsonschema:"minLength=1,maxLength=64"`
}

// maxNote is the maximum size of a note in bytes that a resource contains.
const maxNote = 16 << 20

// Note is the text of a Bear note.
//
//jp:resource name=note uri=bear://note/{id} mime=text/markdown
//jp:fails not_found unavailable permission_denied
func (n *Notes) Note(ctx context.Context, in NoteInput) (string, error) {
	library, err := n.library()
	if err != nil {
		return "", err
	}
	notes, _, err := library.Get(ctx, []string{in.ID}, bear.Lines{}, maxNote)
	switch {
	case err != nil:
		return "", faultOf(err)
	case len(notes) == 0:
		return "", fault.New(fault.NotFound, "there is no note with the id %q", in.ID)
	case notes[0].Encrypted:
		return "", fault.New(fault.PermissionDenied, "the note %q is encrypted", notes[0].Title)
	}
	return notes[0].Body.Text, nil
}

// CompleteNote suggests the ids of the notes that contain the typed words, best match first.
//
//jp:complete note id
func (n *Notes) CompleteNote(ctx context.Context, c tool.Completion[NoteInput]) (tool.Completions, error) {
	library, err := n.library()
	if err != nil {
		return tool.Completions{}, err
	}
	if id, err := library.ByPrefix(ctx, c.Value); err == nil && id != "" {
		return tool.Completions{Values: []string{id}}, nil
	}
	found, err := library.Search(ctx, bear.Query{Queries: []string{c.Value}})
	if err != nil {
		return tool.Completions{}, faultOf(err)
	}
	ids := make([]string, len(found.Matches))
	for i, m := range found.Matches {
		ids[i] = m.ID
	}
	return tool.Completions{Values: ids, Total: found.Total, HasMore: found.Total > len(ids)}, nil
}

// TagInput names a tag.
type TagInput struct {
	// Tag without #, such as work/plans.
	Tag string `json:"tag" jsonschema:"minLength=1,maxLength=1024"`
}

// TaggedNote is a note that has a tag.
type TaggedNote struct {
	// Title of the note.
	Title string `json:"title"`
	// URI of the note.
	URI string `json:"uri"`
}

// Tagged has the notes of a tag.
type Tagged struct {
	// Notes with the tag, newest first, at most 1000.
	Notes []TaggedNote `json:"notes"`
	// Number of all notes with the tag.
	Total int `json:"total"`
}

// Tag lists the notes that have a tag.
//
//jp:resource name=tag uri=bear://tag/{tag}
//jp:fails not_found unavailable permission_denied
func (n *Notes) Tag(ctx context.Context, in TagInput) (Tagged, error) {
	library, err := n.library()
	if err != nil {
		return Tagged{}, err
	}
	found, err := library.Search(ctx, bear.Query{Tags: []string{in.Tag}, Limit: 1000})
	if err != nil {
		return Tagged{}, faultOf(err)
	}
	if found.Total == 0 {
		return Tagged{}, fault.New(fault.NotFound, "no note has the tag %q", in.Tag)
	}
	tagged := Tagged{Total: found.Total}
	for _, m := range found.Matches {
		tagged.Notes = append(tagged.Notes, TaggedNote{Title: m.Title, URI: NoteURI(m.ID)})
	}
	return tagged, nil
}

// TagPage is a position in the list of tags.
type TagPage struct {
	// Cursor of the page.
	Cursor tool.Cursor `json:"cursor,omitempty"`
}

// tagsPerPage is the number of tags on a page.
const tagsPerPage = 100

// ListTags lists the tags in alphabetical order.
//
//jp:list tag
func (n *Notes) ListTags(ctx context.Context, in TagPage) (page tool.Page[tool.Listed[TagInput]], err error) {
	all, err := n.tagNames(ctx)
	if err != nil {
		return page, err
	}
	rest := all[min(len(all), after(all, string(in.Cursor))):]
	page.HasMore, page.Total = len(rest) > tagsPerPage, len(all)
	for _, name := range rest[:min(len(rest), tagsPerPage)] {
		page.Items = append(page.Items, tool.Listed[TagInput]{Variables: TagInput{Tag: name}, Name: "#" + name})
	}
	page.After = func(i int) string { return page.Items[i].Variables.Tag }
	return page, nil
}

// after returns the index of the first name after a position, which may have been removed.
func after(names []string, position string) int {
	i, found := slices.BinarySearch(names, position)
	if found {
		i++
	}
	return i
}

// CompleteTag suggests the tags that contain the typed text.
//
//jp:complete tag tag
//jp:complete summarize_tag tag
func (n *Notes) CompleteTag(ctx context.Context, c tool.Completion[TagInput]) ([]string, error) {
	all, err := n.tagNames(ctx)
	if err != nil {
		return nil, err
	}
	typed := strings.ToLower(bear.TagName(c.Value))
	return slices.DeleteFunc(all, func(name string) bool { return !strings.Contains(strings.ToLower(name), typed) }), nil
}

// tagNames returns the tags of all notes, sorted.
func (n *Notes) tagNames(ctx context.Context) ([]string, error) {
	library, err := n.library()
	if err != nil {
		return nil, err
	}
	names, err := library.Tags(ctx)
	if err != nil {
		return nil, faultOf(err)
	}
	return names, nil
}

// SummarizeTag asks for a summary of the notes that have a tag.
//
//jp:prompt name=summarize_tag title="Summarize the notes of a tag"
//jp:fails not_found unavailable permission_denied
func (n *Notes) SummarizeTag(ctx context.Context, in TagInput) (content.Messages, error) {
	tagged, err := n.Tag(ctx, in)
	if err != nil {
		return nil, err
	}
	messages := content.Messages{content.Say(content.User, "Summarize these notes, which have the tag #"+in.Tag+":")}
	for _, note := range tagged.Notes {
		messages = append(messages, content.Message{
			Role: content.User, Block: content.Link{URI: note.URI, Name: note.Title, MIMEType: "text/markdown"},
		})
	}
	return messages, nil
}
