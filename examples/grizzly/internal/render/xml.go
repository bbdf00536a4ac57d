// Package render formats notes and matches as text for a model.
//
// The text is a sequence of XML elements, each on one or more lines. It is well-formed for any content of the
// notes, because text that imitates markup is escaped. Every answer has limits in bytes and in tokens. Elements
// that do not fit are omitted completely, and the last element mentions them.
package render

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/internal/xmltext"
)

// Limits of an answer. Some text has only two bytes per token.
const (
	DefaultLimit = 80_000 // bytes
	maxTokens    = 19_000 // according to [Tokens]
)

// maxAttribute is the maximum length of an attribute value in runes. A title can be as long as a note.
const maxAttribute = 300

// element builds an opening tag.
type element struct{ strings.Builder }

func open(name string) *element {
	e := &element{}
	e.WriteString("<" + name)
	return e
}

func (e *element) attr(name, value string) *element {
	if utf8.RuneCountInString(value) > maxAttribute {
		value = string([]rune(value)[:maxAttribute]) + "…"
	}
	fmt.Fprintf(e, ` %s="%s"`, name, xmltext.Escape(value))
	return e
}

// flag adds an attribute if value is true.
func (e *element) flag(name string, value bool) *element {
	if value {
		e.attr(name, "true")
	}
	return e
}

// end closes the tag around content, which must be markup.
func (e *element) end(name, content string) string {
	return e.String() + ">" + content + "</" + name + ">"
}

// Info returns an element with a note about the answer. The text is formatted as in [fmt.Sprintf] and escaped,
// but it keeps its quotes, because the note can contain arguments that a model copies.
func Info(format string, args ...any) string {
	text := xmltext.Escape(strings.TrimSpace(fmt.Sprintf(format, args...)))
	return "<info>" + strings.ReplaceAll(text, "&quot;", `"`) + "</info>"
}

// date formats a time in UTC, or returns "unknown".
func date(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format(time.DateTime)
}

// tagList joins tags with spaces. A tag that contains a space is enclosed in #, as in a note.
func tagList(tags []string) string {
	shown := make([]string, len(tags))
	for i, tag := range tags {
		shown[i] = tag
		if strings.ContainsAny(tag, " \t") {
			shown[i] = "#" + tag + "#"
		}
	}
	return strings.Join(shown, " ")
}

// answer collects elements up to a limit.
type answer struct {
	strings.Builder
	limit int
	used  float64 // used share of the tokens
}

// Space that is reserved for the remarks at the end of an answer.
const (
	room      = 4 << 10 // bytes
	spareRoom = 2_000   // tokens
)

func newAnswer(limit int) *answer {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &answer{limit: max(limit-room, 0)}
}

// add appends an element if it fits.
func (a *answer) add(element string) bool {
	tokens := tokenShare(element)
	if a.Len()+len(element)+1 > a.limit || a.used+tokens > 1 {
		return false
	}
	a.used += tokens
	a.line(element)
	return true
}

// tokenShare returns the share of the tokens of an answer that an element needs.
func tokenShare(element string) float64 { return float64(Tokens(element)+1) / (maxTokens - spareRoom) }

// share returns the share of an answer that an element needs.
func share(element string) float64 {
	return max(tokenShare(element), float64(len(element)+1)/(DefaultLimit-room))
}

// remark appends an element in the reserved room.
func (a *answer) remark(element string) { a.line(element) }

func (a *answer) line(element string) {
	if a.Len() > 0 {
		a.WriteByte('\n')
	}
	a.WriteString(element)
}
