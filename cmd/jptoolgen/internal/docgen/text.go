package docgen

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/outline"
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
	return escapes.Replace(strings.Join(strings.Fields(clean(text)), " "))
}

// code makes a code span. Its fence is longer than any run of backquotes inside; a
// table is cut by a bar even there.
func code(text string) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
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
func example(input []outline.Property) string {
	var b strings.Builder
	b.WriteByte('{')
	for _, p := range input {
		if p.Depth > 0 || !p.Required {
			continue
		}
		if b.Len() > 1 {
			b.WriteString(", ")
		}
		b.WriteString(quote(p.Name))
		b.WriteString(": ")
		b.WriteString(sample(p))
	}
	b.WriteByte('}')
	return b.String()
}

func quote(s string) string {
	text, _ := json.Marshal(s) // a string always can
	return string(text)
}

func sample(p outline.Property) string {
	list := strings.HasPrefix(p.Type, "list of ")
	switch {
	case p.Default != "":
		return p.Default
	case len(p.Values) > 0 && list:
		return "[" + p.Values[0] + "]"
	case len(p.Values) > 0:
		return p.Values[0]
	case list && strings.Contains(p.Type, "string"):
		return `["…"]`
	case list:
		return "[]"
	}
	switch p.Type {
	case "integer", "number":
		if v, ok := p.Schema["minimum"].(json.Number); ok {
			return v.String()
		}
		return "1"
	case "boolean":
		return "true"
	case "object":
		return "{}"
	}
	return `"…"`
}
