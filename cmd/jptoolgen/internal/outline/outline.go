// Package outline is what an object's schema says, as rows that a person can read.
package outline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// What a stranger's schema makes of this program is bounded: every member is decoded once for each that it
// lies in, and its path repeats their names.
const (
	maxDepth = 16
	maxPath  = 1000
	maxBytes = 1 << 20
)

// A Property is a member of an object. What a schema leaves out is zero.
type Property struct {
	// Path names the member and those it lies in: "lines", "filter.after", "edits[].text".
	Path string
	// Name is the last step of Path.
	Name string
	// Depth is 0 for the members of the outermost object.
	Depth int
	// Type is that of the value, as a person writes it: "string", "list of integer".
	Type string
	// Required says that the member may not be left out.
	Required bool
	// Description is what it means.
	Description string
	// Default is the value of a member that is left out, as JSON.
	Default string
	// Values are the only ones allowed, as JSON.
	Values []string
	// Limits are the other constraints, each as "at least 1".
	Limits []string
	// Schema is the member's own, decoded; numbers are json.Number.
	Schema map[string]any
}

// Of returns the members of an object's schema, in its order, each followed by its
// own members. A schema that is nil, or of no object, has none; one that is not JSON
// or larger than 1 MiB is an error. What lies deeper than 16 objects, or behind a path
// of more than 1,000 bytes, is left out.
func Of(schema manifest.Schema) ([]Property, error) {
	switch {
	case len(schema) == 0:
		return nil, nil
	case len(schema) > maxBytes:
		return nil, errors.New("a schema of more than 1 MiB")
	}
	return members(nil, json.RawMessage(Inline(jsontext.Value(schema))), "", 0)
}

func members(all []Property, schema json.RawMessage, prefix string, depth int) ([]Property, error) {
	var object struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(schema, &object) != nil || len(object.Properties) == 0 || depth > maxDepth || len(prefix) > maxPath {
		return all, nil // true, false, or words that we do not know
	}
	required := map[string]bool{}
	for _, name := range object.Required {
		required[name] = true
	}
	d := json.NewDecoder(bytes.NewReader(object.Properties))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return all, err
	}
	for d.More() {
		word, err := d.Token()
		if err != nil {
			return all, fmt.Errorf("reading the properties of a schema: %w", err)
		}
		name, _ := word.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return all, fmt.Errorf("reading the schema of %s: %w", name, err)
		}
		p := Property{Path: prefix + name, Name: name, Depth: depth, Required: required[name]}
		if err := p.read(raw); err != nil {
			return all, err
		}
		all = append(all, p)
		if all, err = members(all, raw, p.Path+".", depth+1); err != nil {
			return all, err
		}
		var list struct {
			Items json.RawMessage `json:"items"`
		}
		if json.Unmarshal(raw, &list) == nil && len(list.Items) > 0 {
			if all, err = members(all, list.Items, p.Path+"[].", depth+1); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

func (p *Property) read(raw json.RawMessage) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return fmt.Errorf("reading the schema of %s: %w", p.Path, err)
	}
	p.Type = typeOf(v, 0)
	p.Schema, _ = v.(map[string]any)
	p.Description, _ = p.Schema["description"].(string)
	if v, ok := p.Schema["default"]; ok {
		p.Default = text(v)
	}
	values := p.Schema
	if items, ok := p.Schema["items"].(map[string]any); ok && p.Schema["enum"] == nil {
		values = items
	}
	if enum, ok := values["enum"].([]any); ok {
		for _, v := range enum {
			p.Values = append(p.Values, text(v))
		}
	}
	for _, l := range limits {
		if v, ok := p.Schema[l.word]; ok {
			value, after := shown(v), l.after
			if after != "" && value != "1" {
				after += "s"
			}
			p.Limits = append(p.Limits, strings.TrimSpace(l.before+" "+value+" "+after))
		}
	}
	return nil
}

// limits say the words of JSON Schema in English.
var limits = []struct{ word, before, after string }{
	{"minimum", "at least", ""},
	{"exclusiveMinimum", "more than", ""},
	{"maximum", "at most", ""},
	{"exclusiveMaximum", "less than", ""},
	{"multipleOf", "a multiple of", ""},
	{"minLength", "at least", "character"},
	{"maxLength", "at most", "character"},
	{"pattern", "like", ""},
	{"format", "", ""},
	{"contentEncoding", "", ""},
	{"minItems", "at least", "item"},
	{"maxItems", "at most", "item"},
}

// typeOf says what a schema lets through.
func typeOf(schema any, depth int) string {
	m, ok := schema.(map[string]any)
	if !ok || depth > maxDepth {
		return "any"
	}
	if ref, ok := m["$ref"].(string); ok {
		return ref
	}
	var names []string
	switch t := m["type"].(type) {
	case string:
		names = []string{t}
	case []any:
		for _, v := range t {
			names = append(names, fmt.Sprint(v))
		}
	}
	for i, name := range names {
		if items, ok := m["items"]; ok && name == "array" {
			names[i] = "list of " + typeOf(items, depth+1)
		}
	}
	if len(names) > 0 {
		return strings.Join(names, " or ")
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if parts, ok := m[word].([]any); ok {
			for _, part := range parts {
				names = append(names, typeOf(part, depth+1))
			}
			return strings.Join(names, " or ")
		}
	}
	if m["properties"] != nil {
		return "object"
	}
	return "any"
}

// text writes a value as JSON on one line.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // came from JSON
	return strings.TrimSpace(b.String())
}

// shown is a value as it stands in a sentence: text without quotes.
func shown(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return text(v)
}
