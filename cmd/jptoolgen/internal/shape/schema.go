// Package shape reads JSON Schemas, says in English what they allow, and reads the words of a command line as values
// that they allow.
//
// Schemas are read loosely, since any server may have written them: a keyword that is not understood allows
// everything, and the server judges.
package shape

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// A Schema is what is understood of a JSON Schema.
type Schema struct {
	// Types are those of JSON, null apart; none means any.
	Types []string
	// Nullable says that null is allowed, too.
	Nullable    bool
	Title       string
	Description string
	// Format is the format of a string, or its encoding.
	Format string
	// Choices are the only values allowed, if there are any.
	Choices []Choice
	// Default is the value of what is left out, as JSON.
	Default jsontext.Value
	// Limits are the other constraints.
	Limits phrase.Limits
	// Items is the schema of a list's items.
	Items *Schema
	// Properties are those of an object, in the order of the schema.
	Properties []Property
	// Open says that an object takes properties beyond those declared. One that declares none takes any,
	// unless it says otherwise.
	Open bool
	// Written is the schema as it was written, with its references.
	Written jsontext.Value
}

// A Choice is a value, and what it means.
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

// Property returns the property of that name.
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

// Values returns the only values allowed, as JSON: of a list, those of its items.
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
