package schema

import (
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Write returns a schema as text, with its keywords in a readable order. It only writes keywords that this
// package generates.
func Write(s *jsonschema.Schema) (manifest.Schema, error) {
	text, err := write(s)
	if err != nil {
		return nil, fmt.Errorf("writing a schema: %w", err)
	}
	return manifest.Schema(text), nil
}

// write encodes a schema or the value of a keyword. A list of named values becomes an object.
func write(v any) (jsontext.Value, error) {
	switch v := v.(type) {
	case *jsonschema.Schema:
		if v == jsonschema.FalseSchema {
			return jsontext.Value("false"), nil
		}
		return write(keywordsOf(v))
	case []namedValue:
		members := make([]rawjson.Member, len(v))
		for i, m := range v {
			text, err := write(m.value)
			if err != nil {
				return nil, err
			}
			members[i] = rawjson.Member{Name: m.name, Value: text}
		}
		return rawjson.Object(members), nil
	case []*jsonschema.Schema:
		list := make([]json.RawMessage, len(v))
		for i, s := range v {
			text, err := write(s)
			if err != nil {
				return nil, err
			}
			list[i] = json.RawMessage(text)
		}
		return rawjson.Encode(list)
	}
	return rawjson.Encode(v)
}

// A namedValue becomes a member of an object.
type namedValue struct {
	name  string
	value any
}

func keywordsOf(s *jsonschema.Schema) []namedValue {
	var set, properties []namedValue
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		properties = append(properties, namedValue{p.Key, p.Value})
	}
	add := func(is bool, name string, value any) {
		if is {
			set = append(set, namedValue{name, value})
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
	add(s.Properties != nil, "properties", properties)
	add(len(s.Required) > 0, "required", s.Required)
	add(s.AdditionalProperties != nil, "additionalProperties", s.AdditionalProperties)
	return set
}
