// Package shape reads JSON Schemas, describes in English which values they allow, and converts command-line
// words to such values.
//
// It reads schemas leniently, because any server may have written them: an unknown keyword allows every value,
// and the server validates the arguments.
package shape

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// A Schema holds the supported keywords of a JSON Schema.
type Schema struct {
	// Types are the JSON types except null. If Types is empty, any type is allowed.
	Types []string
	// Nullable is set if null is allowed as well.
	Nullable    bool
	Title       string
	Description string
	// Format is the format of a string, or its encoding.
	Format string
	// Choices are the allowed values. If Choices is empty, any value is allowed.
	Choices []Choice
	// Secret is set if a value must not be shown.
	Secret bool
	// Default is the value of an omitted property, as JSON.
	Default jsontext.Value
	// Limits are the remaining constraints, such as a maximum length.
	Limits phrase.Limits
	// Items is the schema of list items.
	Items *Schema
	// Properties are the properties of an object, in the order of the schema.
	Properties []Property
	// Cases holds the possible objects if there are several. Properties then holds the properties of all of
	// them.
	Cases []Schema
	// Open is set if an object may have undeclared properties. An object without declared properties is open
	// unless the schema says otherwise.
	Open bool
	// Others is the schema of undeclared properties, or nil if the schema does not describe them.
	Others *Schema
	// Definition is the name of the definition that the schema refers to, alone or as an alternative to null. It
	// is "" for a schema without such a reference.
	Definition string
	// Written is the original schema, with its references.
	Written jsontext.Value
}

// A Choice is an allowed value and its label.
type Choice struct {
	Value jsontext.Value
	Label string
}

// A Property is a named part of an object.
type Property struct {
	Schema
	Name     string
	Required bool
}

// Property returns the property with the given name.
func (s *Schema) Property(name string) (*Property, bool) {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i], true
		}
	}
	return nil, false
}

// Names returns the names of the properties.
func (s *Schema) Names() []string {
	names := make([]string, len(s.Properties))
	for i := range s.Properties {
		names[i] = s.Properties[i].Name
	}
	return names
}

// Values returns the allowed values as JSON. For a list, these are the values of its items.
func (s *Schema) Values() []string {
	if len(s.Choices) == 0 && s.Items != nil {
		s = s.Items
	}
	values := make([]string, len(s.Choices))
	for i, c := range s.Choices {
		values[i] = compact(c.Value)
	}
	return values
}

// maxPath is the maximum length of an object's path. The properties of objects with longer paths do
// not become rows, because each row repeats the path.
const maxPath = 1000

// A Row is a property of an object or of a nested object.
type Row struct {
	*Property
	// Path is the path of the property, such as "lines", "filter.after" or "edits[].text".
	Path string
	// Depth is the nesting depth. It is 0 for the properties of the outermost object.
	Depth int
}

// Rows returns the properties of an object in order, each followed by its nested properties. Objects at a path
// of more than 1,000 bytes are left out.
func (s *Schema) Rows() []Row { return s.rows(nil, "", 0) }

func (s *Schema) rows(all []Row, prefix string, depth int) []Row {
	if len(prefix) > maxPath {
		return all
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		all = append(all, Row{p, prefix + p.Name, depth})
		inner, path := &p.Schema, prefix+p.Name
		for inner.Items != nil {
			inner, path = inner.Items, path+"[]"
		}
		all = inner.rows(all, path+".", depth+1)
	}
	return all
}

// Kinds returns the types of the values except null. If the schema has no types, Kinds derives them from the
// choices or from other keywords. An empty result means any type.
func (s *Schema) Kinds() []string {
	switch {
	case len(s.Types) > 0:
		return s.Types
	case len(s.Choices) > 0:
		var all []string
		for _, c := range s.Choices {
			if t := kindNames[c.Value.Kind()]; t != "" && !slices.Contains(all, t) {
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

// kindNames holds the types of JSON values except null.
var kindNames = map[jsontext.Kind]string{'"': "string", '0': "number", 't': "boolean", 'f': "boolean", '[': "array", '{': "object"}

// Kind describes the type of the values, such as "string" or "list of integers".
func (s *Schema) Kind() string { return s.kind("") }

// kind is like [Schema.Kind], but adds an ending for the plural.
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
