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
	// maxShown is how many characters of a value a report shows.
	maxShown = 80
	// maxWhere is how many of a place.
	maxWhere = 300
)

// became tells what something was and what it is.
func became(from, to any) string {
	switch {
	case from == nil && to == nil:
		return "is null"
	case from == nil:
		return "is " + show(to)
	case to == nil:
		return "was " + show(from)
	}
	return "was " + show(from) + ", is " + show(to)
}

// show returns a value as short JSON that is safe to print.
func show(v any) string {
	text, err := rawjson.Encode(v)
	if err != nil {
		return "?"
	}
	return Printable(phrase.Clip(string(text), maxShown))
}

// Printable returns text with everything escaped that could move a cursor, color a
// terminal or turn the direction of a line: contracts come from strangers.
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
