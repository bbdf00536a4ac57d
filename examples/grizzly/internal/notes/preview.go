package notes

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/grizzly/internal/opener"
)

// Limits of the preview of a new note.
const (
	previewLines = 10
	previewRunes = 1000
)

// preview returns the title, the tags and the first lines of a draft.
func preview(d opener.Draft) string {
	text := "# " + d.Title
	if len(d.Tags) > 0 {
		text += "\nTags: " + strings.Join(d.Tags, ", ")
	}
	if d.Content == "" {
		return text
	}
	shown, cut := d.Content, false
	if lines := strings.SplitAfterN(shown, "\n", previewLines+1); len(lines) > previewLines {
		shown, cut = strings.Join(lines[:previewLines], ""), lines[previewLines] != ""
	}
	if utf8.RuneCountInString(shown) > previewRunes {
		shown, cut = string([]rune(shown)[:previewRunes]), true
	}
	if cut {
		shown += "…"
	}
	return text + "\n\n" + shown
}

// tagPhrase returns the tags as a phrase for a question.
func tagPhrase(tags []string) string {
	if len(tags) == 0 {
		return ""
	}
	quoted := make([]string, len(tags))
	for i, tag := range tags {
		quoted[i] = strconv.Quote(tag)
	}
	if len(tags) == 1 {
		return " with the tag " + quoted[0]
	}
	return " with the tags " + strings.Join(quoted, ", ")
}
