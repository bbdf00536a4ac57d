package breaking

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

const (
	// maxShown is the maximum number of characters of a value in a report.
	maxShown = 80
	// maxWhere is the maximum number of characters of a place in a report.
	maxWhere = 300
)

// became describes the old and the new value.
func became(from, to any) string {
	switch {
	case from == nil && to == nil:
		return "is now null"
	case from == nil:
		return "is now " + show(to)
	case to == nil:
		return "was " + show(from)
	}
	return "was " + show(from) + " and is now " + show(to)
}

// show returns a value as short JSON that is safe to print.
func show(v any) string {
	text, err := rawjson.Encode(v)
	if err != nil {
		return "?"
	}
	return Printable(phrase.Clip(string(text), maxShown))
}

// Printable escapes every character that could move a cursor, color a terminal or change the direction of a
// line, because contracts can come from untrusted sources.
func Printable(text string) string {
	harmless := func(r rune) bool { return unicode.IsPrint(r) && r != utf8.RuneError }
	if strings.IndexFunc(text, func(r rune) bool { return !harmless(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if harmless(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}
