package hostconfig

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// stated returns the types that JP finds in a schema: its type, those that it lists, or the one of each member of anyOf.
func stated(s shape.Schema) (all []string) {
	var k struct {
		Type  any
		AnyOf []struct{ Type any }
	}
	_ = json.Unmarshal(s.Written, &k) // what JP does not understand has no type
	switch t := k.Type.(type) {
	case string:
		return []string{t}
	case []any:
		for _, v := range t {
			if s, ok := v.(string); ok {
				all = append(all, s)
			}
		}
		return all
	}
	for _, part := range k.AnyOf {
		if s, ok := part.Type.(string); ok && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// typed reports whether JP finds a type that a value can have.
func typed(s shape.Schema) bool {
	return slices.ContainsFunc(stated(s), func(t string) bool { return t != "null" })
}

// types writes the types of a schema as TOML. Those that JP does not find are guessed: it knows no $ref, oneOf, allOf,
// and no types of constants.
func types(s shape.Schema) string {
	all := stated(s)
	if !typed(s) {
		if all = s.Kinds(); len(all) == 0 {
			all = []string{"string"}
		}
	}
	if len(all) == 1 {
		return str(all[0])
	}
	return list(all)
}

// choices writes the only values of a schema as TOML, if TOML has them.
func choices(s shape.Schema) (string, bool) {
	if len(s.Choices) == 0 {
		return "", false
	}
	return literal(jsontext.Value("[" + strings.Join(s.Values(), ",") + "]"))
}

// literal is [value] for a value that is not decoded.
func literal(text jsontext.Value) (string, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return "", false
	}
	return value(v)
}
