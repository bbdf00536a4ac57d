package docgen

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "[", `\[`, "]", `\]`, "|", `\|`)

// plain makes text that no part of which Markdown takes for more than text. A line
// that would begin a list, a heading or a quotation is kept from it, too.
func plain(text string) string {
	lines := strings.Split(clean(text), "\n")
	for i, line := range lines {
		lines[i] = escapes.Replace(strings.TrimSpace(line))
		if rest := lines[i]; rest != "" && strings.ContainsRune("#+-=~", rune(rest[0])) {
			lines[i] = `\` + rest
		}
	}
	return strings.Join(lines, "\n")
}

// cell makes text for one cell of a table.
func cell(text string) string {
	return escapes.Replace(phrase.OneLine(text))
}

// code makes a code span. Its fence is longer than any run of backquotes inside; a
// table is cut by a bar even there.
func code(text string) string {
	text = phrase.OneLine(text)
	text = strings.ReplaceAll(text, "|", `\|`)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 || text == "" {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

// clean drops control characters, which a terminal would obey.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// example makes arguments of the members that are required, in order. Each gets its
// default, its first allowed value, or the plainest of its type; nested members are
// left to the reader.
func example(input []shape.Property) string {
	var members []string
	for _, p := range input {
		if p.Required {
			members = append(members, quote(p.Name)+": "+sample(p.Schema))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func quote(s string) string { return string(rawjson.Quote(s)) }

func sample(s shape.Schema) string {
	switch {
	case s.Default != nil:
		return string(s.Default)
	case len(s.Choices) > 0:
		return s.Values()[0]
	}
	switch kind := s.Kind(); {
	case s.Items != nil && (len(s.Items.Choices) > 0 || slices.Contains(s.Items.Kinds(), "string")):
		return "[" + sample(*s.Items) + "]"
	case s.Items != nil:
		return "[]"
	case kind == "integer", kind == "number":
		return cmp.Or(s.Limits.Minimum, "1")
	case kind == "boolean":
		return "true"
	case kind == "object":
		return "{}"
	}
	return `"…"`
}
