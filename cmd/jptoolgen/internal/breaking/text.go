package breaking

import (
	"strings"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

const (
	// maxShown is the maximum number of characters of a value in a report.
	maxShown = 80
	// maxWhere is the maximum number of characters of a location in a report.
	maxWhere = 300
)

// became describes a change from one value to another.
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

// Printable escapes every character that could move a cursor, color a terminal or mislead a reader, because contracts
// can come from untrusted sources.
func Printable(text string) string {
	return strings.NewReplacer("\n", `\u{a}`, "\t", `\u{9}`).Replace(phrase.Visible(text))
}
