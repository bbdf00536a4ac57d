package docgen

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "[", `\[`, "]", `\]`, "|", `\|`)

// plain escapes text so that Markdown has no effect in it. It also escapes a first character that would start a
// list, a heading or a quotation.
func plain(text string) string {
	lines := strings.Split(phrase.Visible(text), "\n")
	for i, line := range lines {
		lines[i] = escapes.Replace(strings.TrimSpace(line))
		if rest := lines[i]; rest != "" && strings.ContainsRune("#+-=~", rune(rest[0])) {
			lines[i] = `\` + rest
		}
	}
	return strings.Join(lines, "\n")
}

// cell escapes text for a table cell.
func cell(text string) string {
	return escapes.Replace(phrase.Visible(phrase.OneLine(text)))
}

// code returns a code span. Its fence is longer than any run of backquotes in the text. Bars are escaped,
// because a bar ends a table cell even in a code span.
func code(text string) string {
	text = phrase.Visible(phrase.OneLine(text))
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

// example returns arguments with values for the required properties, in order. Each value is the default, the
// first allowed value, or a simple value of the type. Nested properties are left out.
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
	case s.Items != nil:
		return "[" + strings.Join(sampleItems(s), ", ") + "]"
	case kind == "integer", kind == "number":
		return cmp.Or(s.Limits.Minimum, "1")
	case kind == "boolean":
		return "true"
	case kind == "object":
		return "{}"
	}
	return `"…"`
}

// sampleItems returns sample items for a list: the required number, but at least one if the item is a string, and
// at most 10.
func sampleItems(s shape.Schema) []string {
	required, _ := strconv.Atoi(s.Limits.MinItems) // 0 if there is no limit
	if len(s.Items.Choices) > 0 || slices.Contains(s.Items.Kinds(), "string") {
		required = max(required, 1)
	}
	required = min(required, 10)
	if required <= len(s.Items.Choices) {
		return s.Items.Values()[:required]
	}
	return slices.Repeat([]string{sample(*s.Items)}, required)
}
