// Package phrase describes allowed values in English, and shortens text for messages. The generator and the
// runtime use the same wording.
package phrase

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits holds the constraints of a JSON Schema. Numbers and counts are JSON text. "" means that there is no
// limit.
type Limits struct {
	Minimum, ExclusiveMinimum    string
	Maximum, ExclusiveMaximum    string
	MinLength, MaxLength         string
	MinItems, MaxItems           string
	MinProperties, MaxProperties string
	MultipleOf                   string
	UniqueItems                  bool
	Pattern                      string
}

// A part is a phrase, such as "at least 1", and the word that joins it to a noun, such as "of".
type part struct{ joint, text string }

// List returns a phrase for each limit: "at least 1", "2 to 20 characters".
func (l Limits) List() []string {
	var all []string
	for _, p := range append(l.numbers(), l.others()...) {
		all = append(all, p.text)
	}
	return all
}

// Of returns a noun followed by the limits: "an integer from 1 to 10".
func (l Limits) Of(noun string) string {
	numbers := l.numbers()
	for i, p := range numbers {
		if i > 0 {
			noun += " and"
		}
		noun += " " + p.joint + p.text
	}
	for _, p := range l.others() {
		noun += " " + p.joint + p.text
	}
	return noun
}

// BoundNumbers reports whether there is a minimum or a maximum number.
func (l Limits) BoundNumbers() bool { return l.numbers() != nil }

func (l Limits) numbers() (all []part) {
	if l.Minimum != "" && l.Maximum != "" && l.ExclusiveMinimum == "" && l.ExclusiveMaximum == "" {
		return []part{{"", "from " + l.Minimum + " to " + l.Maximum}}
	}
	add := func(joint, words, number string) {
		if number != "" {
			all = append(all, part{joint, words + number})
		}
	}
	add("of ", "at least ", l.Minimum)
	add("", "greater than ", l.ExclusiveMinimum)
	add("of ", "at most ", l.Maximum)
	add("", "less than ", l.ExclusiveMaximum)
	return all
}

func (l Limits) others() (all []part) {
	for _, c := range [...]struct{ low, high, noun string }{
		{l.MinLength, l.MaxLength, "character"}, {l.MinItems, l.MaxItems, "item"}, {l.MinProperties, l.MaxProperties, "member"},
	} {
		if text := Span(c.low, c.high); text != "" {
			n := cmp.Or(c.high, c.low)
			all = append(all, part{"of ", text + strings.TrimPrefix(plural(n, c.noun), n)})
		}
	}
	if l.MultipleOf != "" {
		all = append(all, part{"that is ", "a multiple of " + l.MultipleOf})
	}
	if l.UniqueItems {
		all = append(all, part{"", "without duplicates"})
	}
	if l.Pattern != "" {
		all = append(all, part{"", "matching " + l.Pattern})
	}
	return all
}

// Span describes a minimum and a maximum count, such as "2 to 5". "" means that there is no limit.
func Span(low, high string) string {
	switch {
	case low != "" && low == high:
		return "exactly " + low
	case low != "" && high != "":
		return low + " to " + high
	case low != "":
		return "at least " + low
	case high != "":
		return "at most " + high
	}
	return ""
}

// Plural returns a count with its noun: "1 item", "2 items".
func Plural(n int, noun string) string { return plural(strconv.Itoa(n), noun) }

func plural(n, noun string) string {
	if n == "1" {
		return "1 " + noun
	}
	return n + " " + noun + "s"
}

// OneOf lists the allowed values, which are JSON text: "one of 1, 2".
func OneOf(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return "one of " + strings.Join(values, ", ")
}

// A returns the noun of a JSON type with its article: "an integer".
func A(jsonType string) string {
	switch jsonType {
	case "boolean":
		return "true or false"
	case "array":
		return "a list"
	case "null":
		return jsonType
	case "integer", "object":
		return "an " + jsonType
	}
	return "a " + jsonType
}

// Clip returns the first characters of text, followed by an ellipsis if it omits any.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for i := range text {
		if limit == 0 {
			return text[:i] + "…"
		}
		limit--
	}
	return text
}

// Quoted returns the first characters of untrusted text in quotation marks. Bytes that are not UTF-8 become
// U+FFFD.
func Quoted(text string, limit int) string {
	return `"` + strings.ToValidUTF8(Clip(text, limit), "\uFFFD") + `"`
}

// OneLine replaces white space and control characters with single spaces.
func OneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// FirstSentence returns the first sentence of text, on one line.
func FirstSentence(text string) string {
	first, _ := SplitSentence(OneLine(text))
	return first
}

// SplitSentence returns the first sentence of text, and the rest. A sentence ends with a period before a line
// break, or before spaces and an upper-case letter, so it may contain "e.g. a". If there is no such period, the
// sentence is the first line. JP splits the descriptions of MCP tools in the same way (split_description in
// jp_llm).
func SplitSentence(text string) (first, rest string) {
	text = strings.TrimSpace(text)
	end := strings.IndexByte(text, '\n')
	for i := range len(text) - 1 {
		if text[i] != '.' || text[i+1] != ' ' && text[i+1] != '\n' {
			continue
		}
		next, _ := utf8.DecodeRuneInString(strings.TrimSpace(text[i+1:]))
		if text[i+1] == '\n' || unicode.IsUpper(next) {
			end = i + 1
			break
		}
	}
	if end < 0 {
		return text, ""
	}
	return strings.TrimSpace(text[:end]), strings.TrimSpace(text[end:])
}
