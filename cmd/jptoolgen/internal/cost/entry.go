// Package cost counts the tokens of a tool list.
package cost

import (
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// An Entry is a tool in a list, decoded from JSON.
type Entry map[string]any

// The names of an entry's members.
const (
	nameMember        = "name"
	titleMember       = "title"
	descriptionMember = "description"
	inputMember       = "inputSchema"
	outputMember      = "outputSchema"
	annotationsMember = "annotations"
	metaMember        = "_meta"
)

// Listed returns the entry of a tool as a server sent it.
func Listed(text jsontext.Value) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("reading a tool: %w", err)
	}
	delete(e, "icons") // hosts show icons to people
	return e, nil
}

// Published returns the entry of a tool as the runtime lists it, including the output schema.
func Published(t *manifest.Tool) (Entry, error) {
	type annotations struct {
		ReadOnly    *bool `json:"readOnlyHint,omitempty"`
		Destructive *bool `json:"destructiveHint,omitempty"`
		Idempotent  *bool `json:"idempotentHint,omitempty"`
		OpenWorld   *bool `json:"openWorldHint,omitempty"`
	}
	text, err := json.Marshal(struct {
		Name        string         `json:"name"`
		Title       string         `json:"title,omitempty"`
		Description string         `json:"description"`
		Input       jsontext.Value `json:"inputSchema"`
		Output      jsontext.Value `json:"outputSchema,omitempty"`
		Annotations annotations    `json:"annotations,omitzero"`
		Meta        jsontext.Value `json:"_meta,omitempty"`
	}{t.Name, t.Title, t.Description, t.Input, t.Output, annotations{
		nonDefaultHint(t.Annotations.ReadOnly, false), nonDefaultHint(t.Annotations.Destructive, true),
		nonDefaultHint(t.Annotations.Idempotent, false), nonDefaultHint(t.Annotations.OpenWorld, true),
	}, t.ListedMeta()})
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", t.Name, err)
	}
	members := rawjson.Parts(text)
	for _, f := range manifest.Fields {
		if e := t.Entry(); f.IsExtra() && f.Value(e) != nil {
			members = append(members, rawjson.Member{Name: f.Member, Value: f.Listed(e)})
		}
	}
	return Listed(rawjson.Object(members))
}

// nonDefaultHint returns a hint, or nil if clients assume its value anyway.
func nonDefaultHint(hint *bool, assumed bool) *bool {
	if hint != nil && *hint == assumed {
		return nil
	}
	return hint
}

// modelView returns the members that clients pass to a model.
func (e Entry) modelView() Entry {
	part := Entry{}
	for _, name := range []string{nameMember, descriptionMember, inputMember} {
		if value, has := e[name]; has {
			part[name] = value
		}
	}
	return part
}
