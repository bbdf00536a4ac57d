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
	summary, description := phrase.SplitSentence(t.Description)
	type described struct {
		Name        string         `json:"name"`
		Summary     string         `json:"summary"`
		Description string         `json:"description,omitempty"`
		Parameters  jsontext.Value `json:"parameters"`
	}
	all := []described{{t.Name, summary, description, parameters(jsontext.Value(t.Input))}}
	text, err := jsonv2.Marshal(map[string][]described{"tools": all})
	return string(text), err
}

// A parameter describes an argument of a tool, or a part of one. The member "required" is always written,
// because in the RFD, a parameter with neither this member nor a default is required.
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
func parameters(object jsontext.Value) jsontext.Value {
	required := rawjson.Parts(rawjson.Get(object, "required"))
	all := rawjson.Parts(rawjson.Get(object, "properties"))
	for i, m := range all {
		p := parameterOf(m.Value)
		p.Required = new(slices.ContainsFunc(required, func(r rawjson.Member) bool { return rawjson.Text(r.Value) == m.Name }))
		all[i].Value, _ = jsonv2.Marshal(p) // a failure leaves the value empty, so Describe fails
	}
	return rawjson.Object(all)
}

func parameterOf(schema jsontext.Value) parameter {
	p := parameter{
		Type: rawjson.Get(schema, "type"), Enum: rawjson.Get(schema, "enum"), Default: rawjson.Get(schema, "default"),
		Properties: parameters(schema),
	}
	for _, t := range rawjson.Parts(p.Type) { // if there are several types, JP gets the first
		if p.Type = t.Value; rawjson.Text(t.Value) != "null" {
			break
		}
	}
	if p.Type == nil {
		p.Type = jsontext.Value(`"string"`) // JP rejects a parameter without a type
	}
	p.Summary, p.Description = phrase.SplitSentence(rawjson.Text(rawjson.Get(schema, "description")))
	if items := rawjson.Get(schema, "items"); items != nil {
		p.Items = new(parameterOf(items))
	}
	return p
}
