package schema

import (
	"bytes"
	"fmt"

	"github.com/invopop/jsonschema"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Write returns the text of a schema with its keywords in reading order. It only writes keywords that this
// package generates.
func Write(s *jsonschema.Schema) (manifest.Schema, error) {
	var b bytes.Buffer
	if err := write(&b, s); err != nil {
		return nil, fmt.Errorf("writing a schema: %w", err)
	}
	return b.Bytes(), nil
}

func write(b *bytes.Buffer, s *jsonschema.Schema) error {
	if s == jsonschema.FalseSchema {
		b.WriteString("false")
		return nil
	}
	b.WriteByte('{')
	first := true
	member := func(name string, v any) error {
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.WriteString(string(rawjson.Quote(name)) + ":")
		switch v := v.(type) {
		case *jsonschema.Schema:
			return write(b, v)
		case []*jsonschema.Schema:
			return writeList(b, v)
		}
		text, err := rawjson.Encode(v)
		b.Write(text)
		return err
	}
	for _, k := range keywordsOf(s) {
		if err := member(k.name, k.value); err != nil {
			return err
		}
	}
	if s.Properties != nil {
		if !first {
			b.WriteByte(',')
		}
		first = false
		if err := writeProperties(b, s); err != nil {
			return err
		}
	}
	if len(s.Required) > 0 {
		if err := member("required", s.Required); err != nil {
			return err
		}
	}
	if s.AdditionalProperties != nil {
		if err := member("additionalProperties", s.AdditionalProperties); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func writeList(b *bytes.Buffer, list []*jsonschema.Schema) error {
	for i, s := range list {
		b.WriteByte("[,"[min(i, 1)])
		if err := write(b, s); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

func writeProperties(b *bytes.Buffer, s *jsonschema.Schema) error {
	b.WriteString(`"properties":{`)
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		b.WriteString(string(rawjson.Quote(p.Key)) + ":")
		if err := write(b, p.Value); err != nil {
			return err
		}
		if p.Next() != nil {
			b.WriteByte(',')
		}
	}
	b.WriteByte('}')
	return nil
}

type named struct {
	name  string
	value any
}

// keywordsOf returns the keywords that are set, except those of objects.
func keywordsOf(s *jsonschema.Schema) []named {
	var set []named
	add := func(is bool, name string, value any) {
		if is {
			set = append(set, named{name, value})
		}
	}
	_, null := s.Extras[orNull]
	add(s.Type != "" && !null, "type", s.Type)
	add(null, "type", []string{s.Type, "null"})
	add(s.Title != "", "title", s.Title)
	add(s.Description != "", "description", s.Description)
	add(len(s.AnyOf) > 0, "anyOf", s.AnyOf)
	add(len(s.OneOf) > 0, "oneOf", s.OneOf)
	add(len(s.Enum) > 0, "enum", s.Enum)
	add(s.Format != "", "format", s.Format)
	add(s.ContentEncoding != "", "contentEncoding", s.ContentEncoding)
	add(s.Pattern != "", "pattern", s.Pattern)
	add(s.MinLength != nil, "minLength", s.MinLength)
	add(s.MaxLength != nil, "maxLength", s.MaxLength)
	add(s.Minimum != "", "minimum", s.Minimum)
	add(s.ExclusiveMinimum != "", "exclusiveMinimum", s.ExclusiveMinimum)
	add(s.Maximum != "", "maximum", s.Maximum)
	add(s.ExclusiveMaximum != "", "exclusiveMaximum", s.ExclusiveMaximum)
	add(s.MultipleOf != "", "multipleOf", s.MultipleOf)
	add(s.Items != nil, "items", s.Items)
	add(s.MinItems != nil, "minItems", s.MinItems)
	add(s.MaxItems != nil, "maxItems", s.MaxItems)
	add(s.UniqueItems, "uniqueItems", s.UniqueItems)
	add(s.MinProperties != nil, "minProperties", s.MinProperties)
	add(s.MaxProperties != nil, "maxProperties", s.MaxProperties)
	add(s.WriteOnly, "writeOnly", true)
	add(s.Default != nil, "default", s.Default)
	add(len(s.Examples) > 0, "examples", s.Examples)
	return set
}
