// Package render writes notes and matches as the text that a model reads.
//
// The text is a sequence of XML elements, one to a line or more. It is well-formed
// whatever the notes hold: a text that imitates the markup stays text. Every answer
// has a limit in bytes; elements that do not fit are left out whole, and a last
// element says so.
package render

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/internal/xmltext"
)

// DefaultLimit is the largest answer in bytes when the caller names none.
const DefaultLimit = 1 << 20

// maxAttribute bounds an attribute's value in runes: a title can be as long as a note.
const maxAttribute = 300

// element is an opening tag under construction.
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

// end closes the tag around content, which is markup already.
func (e *element) end(name, content string) string {
	return e.String() + ">" + content + "</" + name + ">"
}

// Info is an element that speaks about the answer. Its text is formatted as by
// [fmt.Sprintf] and cannot end the element.
func Info(format string, args ...any) string {
	return "<info>" + xmltext.Escape(fmt.Sprintf(format, args...)) + "</info>"
}

// date is a time in UTC as Bear's users know it, or "unknown".
func date(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format(time.DateTime)
}

// tagList is tags with a space between them; one that has a space itself stands
// between #, as it does in a note.
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

// room is kept for the remarks at the end of an answer.
const room = 4 << 10

func newAnswer(limit int) *answer {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &answer{limit: max(limit-room, 0)}
}

// add appends an element unless it does not fit.
func (a *answer) add(element string) bool {
	if a.Len()+len(element)+1 > a.limit {
		return false
	}
	a.line(element)
	return true
}

// remark appends an element for which there is room.
func (a *answer) remark(element string) { a.line(element) }

func (a *answer) line(element string) {
	if a.Len() > 0 {
		a.WriteByte('\n')
	}
	a.WriteString(element)
}
