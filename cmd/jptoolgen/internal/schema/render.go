package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/jptool/jptool/internal/rawjson"
)

// A Schema is a JSON Schema. Its keywords are written in this order.
type Schema struct {
	Type             Types             `json:"type,omitempty"`
	Title            string            `json:"title,omitempty"`
	Description      string            `json:"description,omitempty"`
	AnyOf            []*Schema         `json:"anyOf,omitempty"`
	OneOf            []*Schema         `json:"oneOf,omitempty"`
	Enum             []any             `json:"enum,omitempty"`
	Format           string            `json:"format,omitempty"`
	ContentEncoding  string            `json:"contentEncoding,omitempty"`
	Pattern          string            `json:"pattern,omitempty"`
	MinLength        json.Number       `json:"minLength,omitempty"`
	MaxLength        json.Number       `json:"maxLength,omitempty"`
	Minimum          json.Number       `json:"minimum,omitempty"`
	ExclusiveMinimum json.Number       `json:"exclusiveMinimum,omitempty"`
	Maximum          json.Number       `json:"maximum,omitempty"`
	ExclusiveMaximum json.Number       `json:"exclusiveMaximum,omitempty"`
	MultipleOf       json.Number       `json:"multipleOf,omitempty"`
	Items            *Schema           `json:"items,omitempty"`
	MinItems         json.Number       `json:"minItems,omitempty"`
	MaxItems         json.Number       `json:"maxItems,omitempty"`
	UniqueItems      bool              `json:"uniqueItems,omitempty"`
	MinProperties    json.Number       `json:"minProperties,omitempty"`
	MaxProperties    json.Number       `json:"maxProperties,omitempty"`
	WriteOnly        bool              `json:"writeOnly,omitempty"`
	Default          json.RawMessage   `json:"default,omitempty"`
	Examples         []json.RawMessage `json:"examples,omitempty"`
	Properties       Properties        `json:"properties,omitzero"`
	Required         []string          `json:"required,omitempty"`
	// AdditionalProperties is nil, false or a *Schema.
	AdditionalProperties any `json:"additionalProperties,omitempty"`
}

// Types are the types of a schema. A single type is written as a string.
type Types []string

// MarshalJSON implements [json.Marshaler].
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return rawjson.Quote(t[0]), nil
	}
	return json.Marshal([]string(t))
}

// Properties are the properties of an object, in the order in which they are written.
type Properties []Property

// A Property is a named part of an object.
type Property struct {
	Name string
	*Schema
}

// MarshalJSON implements [json.Marshaler].
func (p Properties) MarshalJSON() ([]byte, error) {
	members := make([]rawjson.Member, len(p))
	for i, m := range p {
		text, err := rawjson.Encode(m.Schema)
		if err != nil {
			return nil, err
		}
		members[i] = rawjson.Member{Name: m.Name, Value: text}
	}
	return rawjson.Object(members), nil
}

// Of returns the JSON Schema of an object in a form that all clients accept: inline, with one type per node, and
// with optional members that are not required. The schema excludes undeclared members only if the object has no
// members. Other objects do not need this: a model does not invent members, and the policy of the server covers
// undeclared ones.
func Of(o *Object, d Direction) *Schema {
	s := object()
	if len(o.Members) == 0 {
		s.AdditionalProperties = false
	}
	for _, f := range o.Fields() {
		s.set(f.Name, property(f, d))
		// A field behind an embedded pointer is only present if the pointer is not nil.
		if f.Required && o.holds(f) {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

// Open permits undeclared members, for objects whose decoder ignores them.
func (s *Schema) Open() {
	if s.AdditionalProperties == false {
		s.AdditionalProperties = nil
	}
	for _, inner := range s.within() {
		inner.Open()
	}
}

// Close refuses undeclared members, for objects whose decoder refuses them.
func (s *Schema) Close() {
	if s.Properties != nil && s.AdditionalProperties == nil {
		s.AdditionalProperties = false
	}
	for _, inner := range s.within() {
		inner.Close()
	}
}

// within returns the direct subschemas of a schema.
func (s *Schema) within() []*Schema {
	others, _ := s.AdditionalProperties.(*Schema)
	all := slices.Concat(s.AnyOf, s.OneOf, []*Schema{s.Items, others})
	for _, p := range s.Properties {
		all = append(all, p.Schema)
	}
	return slices.DeleteFunc(all, func(s *Schema) bool { return s == nil })
}

// holds reports whether f is a field of o that is not behind an embedded pointer.
func (o *Object) holds(f *Field) bool {
	return slices.ContainsFunc(o.Members, func(m Member) bool { return m.Field == f })
}

// Wrapped returns the schema of an object whose only member is "result" with the schema of s. Such objects wrap
// results that are not objects.
func Wrapped(s *Shape, description string) *Schema {
	inner := OfShape(s, Out)
	inner.Description = description
	wrapped := object("result")
	wrapped.set("result", inner)
	return wrapped
}

func property(f *Field, d Direction) *Schema {
	s := OfShape(f.Shape, d)
	s.Title, s.Description = f.Constraints.Title, f.Description
	f.Constraints.put(s, f.Shape.Base(), d)
	return s
}

// OfShape returns the schema of a shape.
func OfShape(s *Shape, d Direction) *Schema {
	switch s.Kind {
	case Pointer:
		return OfShape(s.Elem, d)
	case Nullable:
		return nullable(OfShape(s.Elem, d))
	case Struct:
		return Of(s.Object, d)
	case Map:
		values := object()
		values.AdditionalProperties = OfShape(s.Elem, d)
		return values
	case List, Array:
		list := &Schema{Type: Types{"array"}, Items: OfShape(s.Elem, d)}
		if s.Kind == Array {
			n := json.Number(strconv.FormatInt(s.Len, 10))
			list.MinItems, list.MaxItems = n, n
		}
		return list
	case Int, Uint:
		if s.Exact && d == Out {
			return &Schema{Type: Types{"string"}, Pattern: "^-?[0-9]+$"}
		}
		low, high := s.Range()
		return &Schema{Type: Types{"integer"}, Minimum: json.Number(low), Maximum: json.Number(high)}
	case Enum, IntEnum:
		e := &Schema{Type: Types{"string"}}
		if s.Kind == IntEnum {
			e.Type = Types{"integer"}
		}
		for _, v := range s.Values {
			e.Enum = append(e.Enum, json.RawMessage(v.Text))
		}
		return e
	case Sum:
		union := &Schema{}
		for _, c := range s.Cases {
			one := OfShape(c.Shape, d)
			one.Description = c.Description
			union.AnyOf = append(union.AnyOf, one)
		}
		if s.Cases[0].Value == "" { // an object with the members of two cases is refused
			union.AnyOf, union.OneOf = nil, union.AnyOf
		}
		return union
	case JSON, Text:
		if s.Custom != nil {
			return s.Custom.schema()
		}
	case Bool:
		return &Schema{Type: Types{"boolean"}}
	case Float:
		return &Schema{Type: Types{"number"}}
	case Bytes:
		return &Schema{Type: Types{"string"}, ContentEncoding: "base64"}
	case Time:
		return &Schema{Type: Types{"string"}, Format: "date-time"}
	case Duration:
		return &Schema{Type: Types{"string"}, Pattern: durationPattern}
	case Any, Raw:
		return &Schema{}
	}
	return &Schema{Type: Types{"string"}}
}

// nullable returns a schema that also allows null.
func nullable(s *Schema) *Schema {
	switch {
	case s.AnyOf != nil:
		s.AnyOf = append(s.AnyOf, &Schema{Type: Types{"null"}})
	case s.OneOf != nil:
		s.OneOf = append(s.OneOf, &Schema{Type: Types{"null"}})
	default:
		s.Type = append(s.Type, "null")
	}
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

// durationPattern matches the syntax of time.ParseDuration with ASCII units.
const durationPattern = `^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|ms|s|m|h))+)$`

// Range returns the limits in the schema of an integer type. A limit is "" if the schema does not have it.
func (s *Shape) Range() (low, high string) {
	c := Constraints{}.sized(s)
	return c.Minimum, c.Maximum
}

func (c *Custom) schema() *Schema {
	s := &Schema{Type: Types{c.Type}, Format: c.Format, Pattern: c.Pattern, WriteOnly: c.Secret}
	if c.Type == "array" {
		s.Items = &Schema{Type: Types{c.Items}}
	}
	return s
}

// put adds the constraints to a schema, including the range of integer types.
func (c Constraints) put(s *Schema, shape *Shape, d Direction) {
	if slices.Contains(s.Type, "integer") && (shape.Kind == Int || shape.Kind == Uint) {
		c = c.sized(shape)
		if c.Number {
			s.Type[0] = "number"
		}
	}
	s.Format, s.Pattern, s.UniqueItems = cmp.Or(c.Format, s.Format), cmp.Or(c.Pattern, s.Pattern), c.UniqueItems
	s.MinLength, s.MaxLength = json.Number(c.MinLength), json.Number(c.MaxLength)
	s.MinItems, s.MaxItems = cmp.Or(json.Number(c.MinItems), s.MinItems), cmp.Or(json.Number(c.MaxItems), s.MaxItems)
	s.MinProperties, s.MaxProperties = json.Number(c.MinProperties), json.Number(c.MaxProperties)
	if !slices.Contains(s.Type, "string") {
		s.Minimum, s.Maximum = json.Number(c.Minimum), json.Number(c.Maximum)
		s.ExclusiveMinimum, s.ExclusiveMaximum = json.Number(c.ExclusiveMinimum), json.Number(c.ExclusiveMaximum)
		s.MultipleOf = json.Number(c.MultipleOf)
	}
	if d == In {
		s.Default = json.RawMessage(c.Default)
	}
	if shape.Exact && d == Out {
		return // the examples are numbers, but results are strings
	}
	for _, e := range c.Examples {
		s.Examples = append(s.Examples, json.RawMessage(e))
	}
}

// sized adds the range of integer types with up to 32 bits, and the minimum of unsigned types. Larger limits
// would not be exact in clients that use floats.
func (c Constraints) sized(s *Shape) Constraints {
	low, high := typeRange(s.Type)
	b := boundsOf(s, c)
	if !b.low.open && b.low.n.Cmp(low) == 0 {
		c.Minimum, c.ExclusiveMinimum = "", ""
		if s.Kind == Uint || high.Cmp(power(32, 0)) < 0 {
			c.Minimum = decimal(low)
		}
	}
	if !b.high.open && b.high.n.Cmp(high) == 0 {
		c.Maximum, c.ExclusiveMaximum = "", ""
		if high.Cmp(power(32, 0)) < 0 {
			c.Maximum = decimal(high)
		}
	}
	return c
}
