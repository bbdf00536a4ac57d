package question

import "encoding/json"

// Schema returns the JSON Schema of the answer to q. The keyword writeOnly marks a secret.
func (q Spec) Schema() json.RawMessage { return q.schema(untitled).json() }

// FormSchema is like Schema, but for hosts that show forms: it has the titles of values. The form
// itself has no description: MCP does not define one, and Codex cancels forms that have one. lists
// means that the host can show lists (MCP 2025-11-25, Elicitation). For others (MCP 2025-06-18),
// titles are in the keyword enumNames, and [KindSeveral] is a form with a boolean for each value.
func (q Spec) FormSchema(lists bool) json.RawMessage {
	s := q.schema(titlesFor(lists))
	if s.Type == "object" {
		s.Description = ""
	}
	return s.json()
}

// IsForm reports whether the FormSchema of q is an object.
func (q Spec) IsForm(lists bool) bool { return q.schema(titlesFor(lists)).Type == "object" }

func titlesFor(lists bool) titles {
	if lists {
		return constants
	}
	return enumNames
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
	s := q.kind().schema(q, how)
	s.Description = q.Description
	if s.Type != "object" { // a form has the defaults of its fields
		s.Default = json.RawMessage(q.Default)
	}
	return s
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
