package render

import (
	"strings"

	"github.com/jptool/jptool/examples/internal/xmltext"
)

// An element is an XML element with simple fields, one below another.
type element struct {
	name   string
	fields []field
}

type field struct{ name, value string }

// add appends a field if it has a value.
func (e *element) add(name, value string) *element {
	if value != "" {
		e.fields = append(e.fields, field{name, value})
	}
	return e
}

func (e *element) addAll(name string, values []string) *element {
	for _, v := range values {
		e.add(name, v)
	}
	return e
}

func (e element) String() string {
	var b strings.Builder
	b.WriteString("<" + e.name + ">\n")
	for _, f := range e.fields {
		b.WriteString("  <" + f.name + ">" + content(f.value) + "</" + f.name + ">\n")
	}
	b.WriteString("</" + e.name + ">")
	return b.String()
}

// line formats the element on one line.
func (e element) line() string {
	var b strings.Builder
	b.WriteString("<" + e.name + ">")
	for _, f := range e.fields {
		b.WriteString("<" + f.name + ">" + content(strings.ReplaceAll(f.value, "\n", " ")) + "</" + f.name + ">")
	}
	b.WriteString("</" + e.name + ">")
	return b.String()
}

// content formats a value of one line unchanged, or as CDATA if it contains markup. It puts a value of several
// lines on its own lines with a uniform indent, so that a reader can remove the indent.
func content(value string) string {
	markup := strings.ContainsAny(value, "<>&")
	if !strings.Contains(value, "\n") {
		if markup {
			return xmltext.CDATA(value)
		}
		return xmltext.Legible(value)
	}
	const indent = "\n    "
	var b strings.Builder
	for line := range strings.Lines(value) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			b.WriteByte('\n')
		} else {
			b.WriteString(indent + line)
		}
	}
	if markup {
		return indent + xmltext.CDATA(b.String()+indent) + "\n  "
	}
	return xmltext.Legible(b.String()) + "\n  "
}

// shorten formats the element in at most limit bytes, if possible. It cuts the longest field until the element
// fits, and marks the cut with an ellipsis.
func (e element) shorten(limit int) string {
	e.fields = append([]field(nil), e.fields...)
	for {
		text := e.String()
		over := len(text) - limit
		longest := e.longestField()
		if over <= 0 || longest == nil || len(longest.value) <= len("…") {
			return text
		}
		// A byte of a value may take several bytes in XML, so the result may be shorter than the limit, but the
		// loop ends quickly.
		longest.value = strings.TrimSuffix(longest.value, "…")
		longest.value = trimRune(longest.value[:max(0, len(longest.value)-max(over, 4))]) + "…"
	}
}

func (e element) longestField() *field {
	var longest *field
	for i := range e.fields {
		if longest == nil || len(e.fields[i].value) > len(longest.value) {
			longest = &e.fields[i]
		}
	}
	return longest
}
