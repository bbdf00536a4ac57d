package jpbridge

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Given returns the arguments of a call without those that count as absent: null for an optional parameter whose
// type does not include null. Models send such a null if their provider requires every argument, and JP passes
// it on. If arguments is not an object, it is returned unchanged.
func Given(t *manifest.Tool, arguments []byte) []byte {
	var s struct {
		Properties map[string]jsontext.Value `json:"properties"`
		Required   []string                  `json:"required"`
	}
	members, err := rawjson.Members(arguments)
	if err != nil || jsonv2.Unmarshal(t.Input, &s) != nil {
		return arguments
	}
	return rawjson.Object(slices.DeleteFunc(members, func(m rawjson.Member) bool {
		// A list of types, and a schema without a type, may include null.
		oneType := rawjson.Get(s.Properties[m.Name], "type").Kind() == '"'
		return m.Value.Kind() == 'n' && oneType && !slices.Contains(s.Required, m.Name)
	}))
}
