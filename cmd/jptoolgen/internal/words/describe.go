package words

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// bounds says in words what a value is held to beside its type.
func (k keywords) bounds() []string {
	var out []string
	number := func(format string, n *float64) {
		if n != nil {
			out = append(out, fmt.Sprintf(format, strconv.FormatFloat(*n, 'f', -1, 64)))
		}
	}
	number("at least %s", k.Minimum)
	number("more than %s", k.ExclusiveMinimum)
	number("at most %s", k.Maximum)
	number("less than %s", k.ExclusiveMaximum)
	span := func(what string, least, most *int) {
		switch {
		case least != nil && most != nil && *least > 0:
			out = append(out, fmt.Sprintf("%d to %d %s", *least, *most, what))
		case most != nil:
			out = append(out, fmt.Sprintf("at most %d %s", *most, what))
		case least != nil && *least > 0:
			out = append(out, fmt.Sprintf("at least %d %s", *least, what))
		}
	}
	span("characters", k.MinLength, k.MaxLength)
	span("items", k.MinItems, k.MaxItems)
	if k.Pattern != "" {
		out = append(out, "matching "+k.Pattern)
	}
	return out
}

// Type says in words what a value is: "string", "list of integers", "one of a, b".
func (s *Schema) Type() string {
	if len(s.Choices) > 0 {
		return "one of " + strings.Join(s.ChoiceWords(), ", ")
	}
	if len(s.Types) == 0 {
		return "anything"
	}
	names := make([]string, len(s.Types))
	for i, t := range s.Types {
		names[i] = t
		if t == "array" {
			names[i] = "list"
			if s.Items != nil {
				names[i] += " of " + plural(s.Items)
			}
		}
	}
	if s.Nullable {
		names = append(names, "null")
	}
	text := strings.Join(names, " or ")
	if s.Format != "" {
		text += " (" + s.Format + ")"
	}
	return text
}

func plural(s *Schema) string {
	if len(s.Choices) > 0 {
		return strings.Join(s.ChoiceWords(), ", ")
	}
	if len(s.Types) != 1 {
		return "anything"
	}
	return s.Types[0] + "s"
}

// ChoiceWords returns the choices as they are typed.
func (s *Schema) ChoiceWords() []string {
	out := make([]string, len(s.Choices))
	for i, c := range s.Choices {
		out[i] = Word(c.Value)
	}
	return out
}

// Word returns a value as it is typed: a string without quotes, anything else as JSON.
func Word(value jsontext.Value) string {
	var text string
	if value.Kind() == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	compact := value.Clone()
	_ = compact.Compact() // a value that was read is JSON
	return string(compact)
}
