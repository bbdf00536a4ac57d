// Package render formats notes and matches as text for a model.
//
// The text is a sequence of XML elements, each on one or more lines. It is well-formed for any content of the
// notes: text that imitates markup is escaped. Every answer has a limit in bytes; elements that do not fit are
// omitted as a whole, and a last element mentions that.
package render

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/internal/xmltext"
)

// DefaultLimit is the default maximum number of bytes in an answer, about 20,000 tokens.
const DefaultLimit = 80_000

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

// flag adds an attribute only when it is true.
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

// Info returns an element with a remark about the answer. The text is formatted like [fmt.Sprintf] and escaped,
// but its quotes remain, because a remark can contain arguments to use as they are.
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
}

// room is reserved for the remarks at the end of an answer.
const room = 4 << 10

func newAnswer(limit int) *answer {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &answer{limit: max(limit-room, 0)}
}

// add appends an element if it fits.
func (a *answer) add(element string) bool {
	if a.Len()+len(element)+1 > a.limit {
		return false
	}
	a.line(element)
	return true
}

// remark appends an element to the reserved room.
func (a *answer) remark(element string) { a.line(element) }

func (a *answer) line(element string) {
	if a.Len() > 0 {
		a.WriteByte('\n')
	}
	a.WriteString(element)
}
