// Package shape reads JSON Schemas, describes in English which values they allow, and converts command-line
// words to such values.
//
// It reads schemas leniently, because any server may have written them: an unknown keyword allows every value,
// and the server validates the arguments.
package shape

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// A Schema holds the supported keywords of a JSON Schema.
type Schema struct {
	// Types are the JSON types except null. If it is empty, any type is allowed.
	Types []string
	// Nullable is set if null is allowed as well.
	Nullable    bool
	Title       string
	Description string
	// Format is the format of a string, or its encoding.
	Format string
	// Choices are the allowed values. If it is empty, any value is allowed.
	Choices []Choice
	// Secret is set if a value must not be shown.
	Secret bool
	// Exemplified is set if the schema has examples.
	Exemplified bool
	// Default is the value of an omitted property, as JSON.
	Default jsontext.Value
	// Limits are the other constraints.
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
	// is "" for a schema that refers to nothing.
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
