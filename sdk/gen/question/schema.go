package question

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// Schema returns the JSON Schema of the answer to q. The keyword writeOnly marks a secret.
func (q Spec) Schema() json.RawMessage { return q.schema(untitled).json() }

// FormSchema is like Schema, but for hosts that show forms: it has the titles of values. The form
// itself has no description: MCP does not define one, and Codex cancels forms that have one. lists
// means that the host can show lists (MCP 2025-11-25, Elicitation). For others (MCP 2025-06-18),
// titles are in the keyword enumNames, and [KindSeveral] is a form with a boolean for each value.
func (q Spec) FormSchema(lists bool) json.RawMessage {
	how := enumNames
	if lists {
		how = constants
	}
	s := q.schema(how)
	if q.IsForm(lists) {
		s.Description = ""
	}
	return s.json()
}

// IsForm reports whether the FormSchema of q is an object.
func (q Spec) IsForm(lists bool) bool {
	return q.Kind == KindForm || q.Kind == KindSeveral && !lists
}

// titles says how a schema represents the titles of values.
type titles int

const (
	untitled  titles = iota
	enumNames        // in a list parallel to the values
	constants        // with each value
)

func (s schema) json() json.RawMessage {
	data, err := json.Marshal(s)
	if err != nil { // only if Default is not JSON
		return json.RawMessage("{}")
	}
	return data
}

func (q Spec) schema(how titles) schema {
	var s schema
	switch q.Kind {
	case KindConfirm, KindVisit:
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
		var fields []rawjson.Member
		for _, f := range q.Fields {
			fields = append(fields, rawjson.Member{Name: f.ID, Value: jsontext.Value(f.schema(how).json())})
			if !f.Optional {
				s.Required = append(s.Required, f.ID)
			}
		}
		s.Properties = json.RawMessage(rawjson.Object(fields))
	case KindSeveral:
		if how == enumNames {
			return q.checkboxSchema()
		}
		s.Type, s.MinItems, s.MaxItems, s.UniqueItems = "array", q.MinItems, q.MaxItems, how == untitled
		s.Items = new(q.one(how))
		if s.Items.OneOf != nil { // MCP has a different keyword for items
			s.Items.Type, s.Items.OneOf, s.Items.AnyOf = "", nil, s.Items.OneOf
		}
	default:
		s = q.one(how)
	}
	s.Description, s.Default = q.Description, json.RawMessage(q.Default)
	return s
}

// one returns the schema of one of the options.
func (q Spec) one(how titles) schema {
	s := schema{Type: "string"}
	titled := slices.ContainsFunc(q.Options, func(o Option) bool { return o.label() != o.Value })
	for _, o := range q.Options {
		if titled && how == constants {
			s.OneOf = append(s.OneOf, constant{o.Value, o.label()})
			continue
		}
		s.Enum = append(s.Enum, o.Value)
		if titled && how == enumNames {
			s.EnumNames = append(s.EnumNames, o.label())
		}
	}
	return s
}

// checkboxSchema returns the schema of a form with a boolean for each option.
func (q Spec) checkboxSchema() schema {
	var boxes []rawjson.Member
	var chosen []string
	_ = json.Unmarshal([]byte(q.Default), &chosen) // without a default, nothing is chosen
	for _, o := range q.Options {
		box := schema{Type: "boolean", Title: o.label(), Default: strconv.AppendBool(nil, slices.Contains(chosen, o.Value))}
		boxes = append(boxes, rawjson.Member{Name: o.Value, Value: jsontext.Value(box.json())})
	}
	return schema{Type: "object", Properties: json.RawMessage(rawjson.Object(boxes))}
}

type schema struct {
	Type        string          `json:"type,omitempty"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Enum        []string        `json:"enum,omitempty"`
	EnumNames   []string        `json:"enumNames,omitempty"`
	OneOf       []constant      `json:"oneOf,omitempty"`
	AnyOf       []constant      `json:"anyOf,omitempty"`
	Items       *schema         `json:"items,omitempty"`
	MinItems    int             `json:"minItems,omitempty"`
	MaxItems    int             `json:"maxItems,omitempty"`
	UniqueItems bool            `json:"uniqueItems,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	MinLength   int             `json:"minLength,omitempty"`
	MaxLength   int             `json:"maxLength,omitempty"`
	Pattern     string          `json:"pattern,omitempty"`
	Format      string          `json:"format,omitempty"`
	Minimum     *float64        `json:"minimum,omitempty"`
	Maximum     *float64        `json:"maximum,omitempty"`
	WriteOnly   bool            `json:"writeOnly,omitempty"`
	Properties  json.RawMessage `json:"properties,omitempty"`
	Required    []string        `json:"required,omitempty"`
}

// A constant is a value with its title.
type constant struct {
	Const string `json:"const"`
	Title string `json:"title"`
}
