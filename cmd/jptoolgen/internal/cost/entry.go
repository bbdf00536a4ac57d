// Package cost counts the tokens of a tool list.
package cost

import (
	"encoding/json"
	"fmt"
	"strconv"

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
	members := []rawjson.Member{
		{Name: nameMember, Value: rawjson.Quote(t.Name)}, {Name: descriptionMember, Value: rawjson.Quote(t.Description)},
	}
	add := func(name string, value jsontext.Value) {
		if value != nil {
			members = append(members, rawjson.Member{Name: name, Value: value})
		}
	}
	for _, f := range manifest.Fields {
		if e := t.Entry(); f.Member != "" && f.Member != descriptionMember && f.Value(e) != nil {
			add(f.Member, f.Listed(e))
		}
	}
	add(inputMember, t.Input)
	add(outputMember, t.Output)
	var hints []rawjson.Member
	for _, h := range manifest.Hints {
		if v := h.Value(&t.Annotations); v != h.Usual {
			hints = append(hints, rawjson.Member{Name: h.Member, Value: strconv.AppendBool(nil, v)})
		}
	}
	if hints != nil {
		add(annotationsMember, rawjson.Object(hints))
	}
	add(metaMember, t.ListedMeta())
	e, err := Listed(rawjson.Object(members))
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", t.Name, err)
	}
	return e, nil
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
