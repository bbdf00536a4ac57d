package jpbridge

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Describe returns a local tool's answer to [wire.ActionSchema]: its descriptions and parameters in the
// format of JP's configuration (JP RFD D06, Schema Response Format).
func Describe(t *manifest.Tool) (string, error) {
	properties, err := parameters(jsontext.Value(t.Input))
	if err != nil {
		return "", err
	}
	summary, description := phrase.SplitSentence(t.Description)
	type described struct {
		Name        string         `json:"name"`
		Summary     string         `json:"summary"`
		Description string         `json:"description,omitempty"`
		Parameters  jsontext.Value `json:"parameters"`
	}
	text, err := jsonv2.Marshal(map[string][]described{"tools": {{t.Name, summary, description, properties}}})
	return string(text), err
}

// A parameter describes an argument of a tool, or a part of one. The member "required" is always written,
// because in the RFD a parameter with neither this member nor a default is required.
type parameter struct {
	Type        jsontext.Value `json:"type"`
	Required    *bool          `json:"required,omitempty"`
	Summary     string         `json:"summary,omitempty"`
	Description string         `json:"description,omitempty"`
	Enum        jsontext.Value `json:"enum,omitempty"`
	Default     jsontext.Value `json:"default,omitempty"`
	Items       *parameter     `json:"items,omitempty"`
	Properties  jsontext.Value `json:"properties,omitempty"`
}

// parameters returns the properties in an object's schema, in the order of the contract.
func parameters(object jsontext.Value) (jsontext.Value, error) {
	var s struct {
		Properties jsontext.Value `json:"properties"`
		Required   []string       `json:"required"`
	}
	if err := jsonv2.Unmarshal(object, &s); err != nil {
		return nil, err
	}
	all := rawjson.Parts(s.Properties)
	for i, m := range all {
		p, err := parameterOf(m.Value)
		if err != nil {
			return nil, err
		}
		p.Required = new(slices.Contains(s.Required, m.Name))
		if all[i].Value, err = jsonv2.Marshal(p); err != nil {
			return nil, err
		}
	}
	return rawjson.Object(all), nil
}

func parameterOf(schema jsontext.Value) (p parameter, err error) {
	var s struct {
		Type        jsontext.Value `json:"type"`
		Description string         `json:"description"`
		Enum        jsontext.Value `json:"enum"`
		Default     jsontext.Value `json:"default"`
		Items       jsontext.Value `json:"items"`
	}
	if schema.Kind() != '{' { // true or false
		schema = jsontext.Value(`{}`)
	}
	if err = jsonv2.Unmarshal(schema, &s); err != nil {
		return p, err
	}
	p.Type, p.Enum, p.Default = s.Type, s.Enum, s.Default
	for _, t := range rawjson.Parts(s.Type) { // if there are several types, JP gets the first
		if p.Type = t.Value; rawjson.Text(t.Value) != "null" {
			break
		}
	}
	if p.Type == nil {
		p.Type = jsontext.Value(`"string"`) // JP refuses a parameter without a type
	}
	p.Summary, p.Description = phrase.SplitSentence(s.Description)
	if s.Items != nil {
		items, err := parameterOf(s.Items)
		if err != nil {
			return p, err
		}
		p.Items = &items
	}
	p.Properties, err = parameters(schema)
	return p, err
}
