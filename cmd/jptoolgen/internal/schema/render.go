package schema

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
)

// Of returns the JSON Schema of an object in a form that all clients accept: inline, with one type per node, and
// without optional members in "required". The schema excludes undeclared members only if the object has no members.
// Other objects do not need this: a model does not invent members, and the policy of the server covers undeclared
// members.
func Of(o *Object, d Direction) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties()}
	if len(o.Members) == 0 {
		s.AdditionalProperties = jsonschema.FalseSchema
	}
	for _, f := range o.Fields() {
		p := OfShape(f.Shape, d)
		p.Title, p.Description = f.Constraints.Title, f.Description
		f.Constraints.put(p, f.Shape.Base(), d)
		s.Properties.Set(f.Name, p)
		// A field behind an embedded pointer is only present if the pointer is not nil. A host must not send its
		// default, because that would set the pointer.
		if !o.holds(f) {
			p.Default = nil
		} else if f.Required {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

// Open permits undeclared members. Use it for objects whose decoder ignores them.
func Open(s *jsonschema.Schema) {
	if s.AdditionalProperties == jsonschema.FalseSchema {
		s.AdditionalProperties = nil
	}
	for _, inner := range subschemas(s) {
		Open(inner)
	}
}

// Close excludes undeclared members. Use it for objects whose decoder rejects them.
func Close(s *jsonschema.Schema) {
	if s.Properties != nil && s.AdditionalProperties == nil {
		s.AdditionalProperties = jsonschema.FalseSchema
	}
	for _, inner := range subschemas(s) {
		Close(inner)
	}
}

// subschemas returns the direct subschemas of a schema.
func subschemas(s *jsonschema.Schema) []*jsonschema.Schema {
	all := slices.Concat(s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Items, s.AdditionalProperties})
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		all = append(all, p.Value)
	}
	return slices.DeleteFunc(all, func(s *jsonschema.Schema) bool { return s == nil || s == jsonschema.FalseSchema })
}

// holds reports whether f is a field of o that is not behind an embedded pointer.
func (o *Object) holds(f *Field) bool {
	return slices.ContainsFunc(o.Members, func(m Member) bool { return m.Field == f })
}

// Wrapped returns the schema of an object whose only member is "result" with the schema of s. Such objects wrap
// results that are not objects.
func Wrapped(s *Shape, description string) *jsonschema.Schema {
	inner := OfShape(s, Out)
	if inner.Description != "" {
		description += "\n" + inner.Description
	}
	inner.Description = description
	wrapped := &jsonschema.Schema{
		Type: "object", Properties: jsonschema.NewProperties(), Required: []string{"result"},
	}
	wrapped.Properties.Set("result", inner)
	return wrapped
}

// OfShape returns the schema of a shape. Its description lists the constants that the schema itself does not list.
func OfShape(s *Shape, d Direction) *jsonschema.Schema {
	one := ofKind(s, d)
	if s.Set == OpenSet || s.Set == FlagSet {
		one.Description = strings.TrimPrefix(s.legend(), "\n")
	}
	return one
}

func ofKind(s *Shape, d Direction) *jsonschema.Schema {
	switch s.Kind {
	case Pointer:
		return OfShape(s.Elem, d)
	case Nullable:
		return nullable(OfShape(s.Elem, d))
	case Struct:
		return Of(s.Object, d)
	case Map:
		return &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: ofElement(s.Elem, d)}
	case Std:
		switch {
		case s.As != nil:
			return OfShape(s.As, d)
		case s.Custom != nil:
			return s.Custom.schema()
		}
		return &jsonschema.Schema{}
	case List, Array:
		list := &jsonschema.Schema{Type: "array", Items: ofElement(s.Elem, d)}
		if s.Kind == Array {
			n := uint64(s.Len)
			list.MinItems, list.MaxItems = &n, &n
		}
		return list
	case Flags:
		return &jsonschema.Schema{Type: "array", Items: OfShape(s.Elem, d), UniqueItems: true}
	case Bool, Float:
		if s.Quoted {
			return &jsonschema.Schema{Type: "string", Pattern: map[Kind]string{Bool: "^(true|false)$", Float: numberPattern}[s.Kind]}
		}
	case Int, Uint:
		return integer(s, d)
	case Enum, IntEnum:
		return enumeration(s)
	case Sum:
		union := &jsonschema.Schema{}
		for _, c := range s.Cases {
			one := OfShape(c.Shape, d)
			one.Description = c.Description
			union.AnyOf = append(union.AnyOf, one)
		}
		if s.Cases[0].Value == "" { // an object with the members of two cases is rejected
			union.AnyOf, union.OneOf = nil, union.AnyOf
		}
		return union
	case JSON, Text:
		if s.Custom != nil {
			return s.Custom.schema()
		}
	}
	return plain(s.Kind)
}

// ofElement returns the schema of the elements of a list or map. In results, a nil pointer is null there.
func ofElement(s *Shape, d Direction) *jsonschema.Schema {
	schema := OfShape(s, d)
	if s.Kind == Pointer && !s.Base().Open() && d == Out {
		return nullable(schema)
	}
	return schema
}

// orNull is the member of [jsonschema.Schema.Extras] that marks a schema that also allows null.
const orNull = "null"

// nullable returns a schema that also allows null.
func nullable(s *jsonschema.Schema) *jsonschema.Schema {
	null := &jsonschema.Schema{Type: "null"}
	switch {
	case s.AnyOf != nil:
		s.AnyOf = append(s.AnyOf, null)
	case s.OneOf != nil:
		s.OneOf = append(s.OneOf, null)
	default:
		s.Extras = map[string]any{orNull: true}
	}
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

// plain returns the schema of a kind without parameters.
func plain(k Kind) *jsonschema.Schema {
	switch k {
	case Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case Float:
		return &jsonschema.Schema{Type: "number"}
	case Bytes:
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	case Time:
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case Duration:
		return &jsonschema.Schema{Type: "string", Pattern: durationPattern}
	case Any, Raw:
		return &jsonschema.Schema{}
	}
	return &jsonschema.Schema{Type: "string"}
}

// numberPattern matches a JSON number.
const numberPattern = `^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$`

// durationPattern matches the syntax of time.ParseDuration with ASCII units.
const durationPattern = `^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|ms|s|m|h))+)$`

// Range returns the limits in the schema of an integer type. A limit is "" if the schema does not have it.
func (s *Shape) Range() (low, high string) {
	c := Constraints{}.withTypeRange(s, Out)
	return c.Minimum, c.Maximum
}

func integer(s *Shape, d Direction) *jsonschema.Schema {
	if s.AsString(d) {
		return &jsonschema.Schema{Type: "string", Pattern: "^-?[0-9]+$"}
	}
	c := Constraints{}.withTypeRange(s, d)
	return &jsonschema.Schema{Type: "integer", Minimum: json.Number(c.Minimum), Maximum: json.Number(c.Maximum)}
}

func enumeration(s *Shape) *jsonschema.Schema {
	e := &jsonschema.Schema{Type: "string"}
	if s.Kind == IntEnum {
		e.Type = "integer"
	}
	for _, v := range s.Values {
		e.Enum = append(e.Enum, json.RawMessage(v.Text))
	}
	return e
}

func (c *Custom) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: c.Type, Format: c.Format, Pattern: c.Pattern, WriteOnly: c.Secret}
	if c.Type == "array" {
		s.Items = &jsonschema.Schema{Type: c.Items}
	}
	return s
}

// put adds the constraints to a schema, including the range of integer types.
func (c Constraints) put(s *jsonschema.Schema, shape *Shape, d Direction) {
	if s.Type == "integer" && (shape.Kind == Int || shape.Kind == Uint) {
		c = c.withTypeRange(shape, d)
		if c.Number {
			s.Type = "number"
		}
	}
	if c.Format != "" {
		s.Format = c.Format
	}
	if c.Pattern != "" {
		s.Pattern = c.Pattern
	}
	s.UniqueItems = s.UniqueItems || c.UniqueItems
	for _, n := range []struct {
		to   **uint64
		text string
	}{
		{&s.MinLength, c.MinLength}, {&s.MaxLength, c.MaxLength},
		{&s.MinItems, c.MinItems}, {&s.MaxItems, c.MaxItems},
		{&s.MinProperties, c.MinProperties}, {&s.MaxProperties, c.MaxProperties},
	} {
		if v, err := strconv.ParseUint(n.text, 10, 64); err == nil {
			*n.to = &v
		}
	}
	if s.Type != "string" {
		s.Minimum, s.Maximum = json.Number(c.Minimum), json.Number(c.Maximum)
		s.ExclusiveMinimum, s.ExclusiveMaximum = json.Number(c.ExclusiveMinimum), json.Number(c.ExclusiveMaximum)
		s.MultipleOf = json.Number(c.MultipleOf)
	}
	written := func(number string) json.RawMessage {
		if shape.AsString(d) {
			return json.RawMessage(strconv.Quote(number))
		}
		return json.RawMessage(number)
	}
	if d == In && c.Default != "" {
		s.Default = written(c.Default)
	}
	for _, e := range c.Examples {
		s.Examples = append(s.Examples, written(e))
	}
}

// withTypeRange adds the range of integer types with up to 32 bits, the minimum of unsigned types, and for arguments
// of 64 bits, the range in which floats are exact: a client that uses floats rounds other numbers.
func (c Constraints) withTypeRange(s *Shape, d Direction) Constraints {
	low, high := typeRange(s.Type)
	b := boundsOf(s, c)
	if !b.openLow && b.low.Cmp(low) == 0 {
		c.Minimum, c.ExclusiveMinimum = "", ""
		if s.Kind == Uint || high.Cmp(power(32, 0)) < 0 {
			c.Minimum = decimal(low)
		}
	}
	if !b.openHigh && b.high.Cmp(high) == 0 {
		c.Maximum, c.ExclusiveMaximum = "", ""
		if high.Cmp(power(32, 0)) < 0 {
			c.Maximum = decimal(high)
		}
	}
	least := new(big.Rat).Neg(maxSafe())
	if d != In || !s.Exact || b.low.Cmp(maxSafe()) > 0 || b.high.Cmp(least) < 0 {
		return c
	}
	if b.low.Cmp(least) < 0 {
		c.Minimum, c.ExclusiveMinimum = decimal(least), ""
	}
	if b.high.Cmp(maxSafe()) > 0 {
		c.Maximum, c.ExclusiveMaximum = decimal(maxSafe()), ""
	}
	return c
}
