package question

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Schema returns the JSON Schema of the answer to q. The keyword writeOnly marks a secret.
func (q Question) Schema() json.RawMessage { return q.schema(false).json() }

// FormSchema is like Schema, for hosts that show forms (MCP 2025-06-18, Elicitation).
// Descriptions of values are in the keyword enumNames. The form itself has no description: MCP
// does not define one, and Codex cancels forms that have it.
func (q Question) FormSchema() json.RawMessage {
	s := q.schema(true)
	if q.Kind == KindForm {
		s.Description = ""
	}
	return s.json()
}

func (s schema) json() json.RawMessage {
	data, err := json.Marshal(s)
	if err != nil { // only if Default is not JSON
		return json.RawMessage("{}")
	}
	return data
}

func (q Question) schema(titled bool) schema {
	s := schema{Description: q.Description, Default: json.RawMessage(q.Default)}
	switch q.Kind {
	case KindConfirm:
		s.Type = "boolean"
	case KindNumber:
		s.Type, s.Minimum, s.Maximum = "number", q.Minimum, q.Maximum
		if q.Integer {
			s.Type = "integer"
		}
	case KindText, KindSecret:
		s.WriteOnly = q.Kind == KindSecret
		s.Type, s.Format, s.Pattern, s.MinLength, s.MaxLength = "string", q.Format, q.Pattern, q.MinLength, q.MaxLength
	case KindForm:
		s.Type = "object"
		s.Properties, s.Required = properties{}, []string{}
		for _, f := range q.Fields {
			s.Properties = append(s.Properties, property{f.ID, f.question().schema(titled)})
			if !f.Optional {
				s.Required = append(s.Required, f.ID)
			}
		}
	default:
		s.Type = "string"
		for _, o := range q.Options {
			s.Enum = append(s.Enum, o.Value)
		}
		if titled && slices.ContainsFunc(q.Options, func(o Option) bool { return o.Description != "" }) {
			for _, o := range q.Options {
				s.EnumNames = append(s.EnumNames, cmp.Or(strings.TrimSuffix(o.Description, "."), o.Value))
			}
		}
	}
	return s
}

type schema struct {
	Type        string          `json:"type"`
	Description string          `json:"description,omitempty"`
	Enum        []string        `json:"enum,omitempty"`
	EnumNames   []string        `json:"enumNames,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	MinLength   int             `json:"minLength,omitempty"`
	MaxLength   int             `json:"maxLength,omitempty"`
	Pattern     string          `json:"pattern,omitempty"`
	Format      string          `json:"format,omitempty"`
	Minimum     *float64        `json:"minimum,omitempty"`
	Maximum     *float64        `json:"maximum,omitempty"`
	WriteOnly   bool            `json:"writeOnly,omitempty"`
	Properties  properties      `json:"properties,omitempty"`
	Required    []string        `json:"required,omitempty"`
}

type property struct {
	name   string
	schema schema
}

// properties preserves the order of declaration, in which clients show a form.
type properties []property

func (p properties) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, one := range p {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(one.name)
		if err != nil {
			return nil, err
		}
		body, err := json.Marshal(one.schema)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), body...)
	}
	return append(out, '}'), nil
}
