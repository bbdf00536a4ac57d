package shape

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// Kinds returns the types of the values except null. If the schema has no types, Kinds derives them from the
// choices or from other keywords. An empty result means any type.
func (s *Schema) Kinds() []string {
	switch {
	case len(s.Types) > 0:
		return s.Types
	case len(s.Choices) > 0:
		var all []string
		for _, c := range s.Choices {
			if t := typeOf(c.Value); t != "null" && !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
		return all
	case len(s.Properties) > 0:
		return []string{"object"}
	case s.Items != nil:
		return []string{"array"}
	}
	return nil
}

func typeOf(value jsontext.Value) string {
	switch value.Kind() {
	case '"':
		return "string"
	case '0':
		return "number"
	case 't', 'f':
		return "boolean"
	case '[':
		return "array"
	case '{':
		return "object"
	}
	return "null"
}

// Kind describes the type of the values, such as "string" or "list of integers".
func (s *Schema) Kind() string { return s.kind("") }

// kind does the same as [Schema.Kind], and adds an ending for the plural.
func (s *Schema) kind(ending string) string {
	var names []string
	for _, t := range s.Kinds() {
		switch {
		case t == "array" && s.Items != nil:
			t = "list" + ending + " of " + s.Items.kind("s")
		case t == "array":
			t = "list" + ending
		default:
			t += ending
		}
		if t == "string"+ending && s.Format != "" {
			t += " (" + s.Format + ")"
		}
		names = append(names, t)
	}
	switch {
	case len(names) == 0 && !s.Nullable:
		names = []string{"any value" + ending}
	case s.Nullable:
		names = append(names, "null")
	}
	return strings.Join(names, " or ")
}

// Type describes the allowed values, such as "string" or "one of "a", "b"".
func (s *Schema) Type() string {
	values := s.Values()
	switch {
	case len(s.Choices) > 0:
		return phrase.OneOf(values)
	case len(values) > 0:
		return "list of " + strings.Join(values, ", ")
	}
	return s.Kind()
}

// words returns the choices as a user types them.
func (s *Schema) words() []string {
	out := make([]string, len(s.Choices))
	for i, c := range s.Choices {
		out[i] = Word(c.Value)
	}
	return out
}

// Word returns a value as a user types it: a string without quotes, other values as JSON.
func Word(value jsontext.Value) string {
	var text string
	if value.Kind() == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	return compact(value)
}

// compact returns a value on one line.
func compact(value jsontext.Value) string {
	value = value.Clone()
	_ = value.Compact(jsontext.AllowDuplicateNames(true)) // cannot fail: the value is valid JSON
	return string(value)
}
