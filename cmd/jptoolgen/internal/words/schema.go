// Package words reads the words of a command line as the values that a JSON Schema wants.
//
// Schemas are read loosely, since any server may have written them: what is not understood allows
// everything, and the server judges.
package words

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/outline"
)

// A Schema is what is understood of a JSON Schema.
type Schema struct {
	// Types are those of JSON, null apart; none means any.
	Types []string
	// Nullable says that null is allowed, too.
	Nullable    bool
	Title       string
	Description string
	Format      string
	// Choices are the only values allowed, if there are any.
	Choices []Choice
	Default jsontext.Value
	// Bounds say what else a value is held to, in words.
	Bounds []string
	// Items is the schema of a list's items.
	Items *Schema
	// Properties are those of an object, in the order of the schema.
	Properties []Property
	// Open says that an object takes properties beyond those declared. One that declares none takes any,
	// unless it says otherwise.
	Open bool

	minimum, maximum     *float64
	above, below         *float64
	minLength, maxLength *int
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

// deepest is how far into a schema properties are read.
const deepest = 8

// keywords are what is read of a schema.
type keywords struct {
	Type                 jsontext.Value   `json:"type"`
	Title                string           `json:"title"`
	Description          string           `json:"description"`
	Format               string           `json:"format"`
	Enum                 []jsontext.Value `json:"enum"`
	EnumNames            []string         `json:"enumNames"`
	Const                jsontext.Value   `json:"const"`
	OneOf                []jsontext.Value `json:"oneOf"`
	AnyOf                []jsontext.Value `json:"anyOf"`
	AllOf                []jsontext.Value `json:"allOf"`
	Default              jsontext.Value   `json:"default"`
	Items                jsontext.Value   `json:"items"`
	Properties           jsontext.Value   `json:"properties"`
	PatternProperties    jsontext.Value   `json:"patternProperties"`
	Required             []string         `json:"required"`
	AdditionalProperties jsontext.Value   `json:"additionalProperties"`
	Minimum              *float64         `json:"minimum"`
	Maximum              *float64         `json:"maximum"`
	ExclusiveMinimum     *float64         `json:"exclusiveMinimum"`
	ExclusiveMaximum     *float64         `json:"exclusiveMaximum"`
	MinLength            *int             `json:"minLength"`
	MaxLength            *int             `json:"maxLength"`
	MinItems             *int             `json:"minItems"`
	MaxItems             *int             `json:"maxItems"`
	Pattern              string           `json:"pattern"`
}

// Read returns what is understood of a schema.
func Read(schema jsontext.Value) Schema { return read(outline.Inline(schema), 0) }

func read(schema jsontext.Value, depth int) Schema {
	var k keywords
	if depth > deepest || json.Unmarshal(schema, &k) != nil {
		k = keywords{}
		if depth <= deepest {
			k = loosely(schema)
		}
	}
	s := Schema{
		Title: k.Title, Description: k.Description, Format: k.Format, Default: k.Default, Bounds: k.bounds(),
		minimum: k.Minimum, maximum: k.Maximum, above: k.ExclusiveMinimum, below: k.ExclusiveMaximum,
		minLength: k.MinLength, maxLength: k.MaxLength,
	}
	s.types(k.Type)
	for i, value := range k.Enum {
		c := Choice{Value: value}
		if i < len(k.EnumNames) {
			c.Label = k.EnumNames[i]
		}
		s.Choices = append(s.Choices, c)
	}
	if k.Const != nil {
		s.Choices = []Choice{{Value: k.Const}}
	}
	if k.Items.Kind() == '{' {
		items := read(k.Items, depth+1)
		s.Items = &items
	}
	s.properties(k, depth)
	s.variants(slices.Concat(k.OneOf, k.AnyOf), depth)
	for _, part := range k.AllOf {
		s.variants([]jsontext.Value{part}, depth)
	}
	s.Open = s.Open || len(s.Properties) == 0 && k.AdditionalProperties.Kind() != 'f'
	return s
}

// loosely reads a schema of which a keyword has a value that it never has, keyword by keyword.
func loosely(schema jsontext.Value) keywords {
	var k keywords
	var members map[string]jsontext.Value
	if json.Unmarshal(schema, &members) != nil {
		return k
	}
	for name, value := range members {
		one, err := json.Marshal(map[string]jsontext.Value{name: value})
		if err == nil {
			_ = json.Unmarshal(one, &k) // a keyword that cannot be read says nothing
		}
	}
	return k
}

func (s *Schema) types(value jsontext.Value) {
	var one string
	var several []string
	if json.Unmarshal(value, &one) == nil && one != "" {
		several = []string{one}
	} else if json.Unmarshal(value, &several) != nil {
		several = nil // types that are no words allow everything
	}
	for _, t := range several {
		if t == "null" {
			s.Nullable = true
		} else {
			s.Types = append(s.Types, t)
		}
	}
}

// variants joins the alternatives of a schema: constants with titles, and types.
func (s *Schema) variants(list []jsontext.Value, depth int) {
	var ones []Schema
	for _, v := range list {
		one := read(v, depth+1)
		if one.Nullable && len(one.Types) == 0 {
			s.Nullable = true
			continue
		}
		ones = append(ones, one)
	}
	several := len(ones) > 1
	for _, one := range ones {
		if len(one.Choices) == 1 && one.Choices[0].Label == "" {
			one.Choices[0].Label = one.Title
		}
		s.Choices = append(s.Choices, one.Choices...)
		for _, t := range one.Types {
			if !slices.Contains(s.Types, t) {
				s.Types = append(s.Types, t)
			}
		}
		if s.Items == nil {
			s.Items = one.Items
		}
		for _, p := range one.Properties {
			if _, has := s.Property(p.Name); !has {
				p.Required = p.Required && !several
				s.Properties = append(s.Properties, p)
			}
		}
		s.Open = s.Open || one.Open && len(one.Properties) > 0
		if !several {
			s.Bounds = append(s.Bounds, one.Bounds...)
			s.minimum, s.maximum = cmp.Or(s.minimum, one.minimum), cmp.Or(s.maximum, one.maximum)
			s.above, s.below = cmp.Or(s.above, one.above), cmp.Or(s.below, one.below)
			s.minLength, s.maxLength = cmp.Or(s.minLength, one.minLength), cmp.Or(s.maxLength, one.maxLength)
		}
	}
}

func (s *Schema) properties(k keywords, depth int) {
	if len(s.Types) > 0 && !slices.Contains(s.Types, "object") {
		return
	}
	s.Open = k.AdditionalProperties.Kind() == 't' || k.AdditionalProperties.Kind() == '{' || k.PatternProperties.Kind() == '{'
	if k.Properties.Kind() != '{' {
		return
	}
	d := jsontext.NewDecoder(strings.NewReader(string(k.Properties)))
	if _, err := d.ReadToken(); err != nil {
		return
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return
		}
		p := Property{Name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return
		}
		p.Schema, p.Required = read(value, depth+1), slices.Contains(k.Required, p.Name)
		s.Properties = append(s.Properties, p)
	}
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

// names returns those of the properties.
func (s *Schema) names() []string {
	names := make([]string, len(s.Properties))
	for i := range s.Properties {
		names[i] = s.Properties[i].Name
	}
	return names
}
