package hostconfig

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// stated returns the types that JP reads from a schema: the value of "type", or the type of each member of
// anyOf.
func stated(s shape.Schema) (all []string) {
	var k struct {
		Type  any
		AnyOf []struct{ Type any }
	}
	_ = json.Unmarshal(s.Written, &k) // a schema that does not decode has no type for JP
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

// typed reports whether JP finds a type other than null in a schema.
func typed(s shape.Schema) bool {
	return slices.ContainsFunc(stated(s), func(t string) bool { return t != "null" })
}

// types returns the types of a schema as TOML. If JP does not find a type, types derives it, because JP does not
// support $ref, oneOf, allOf, and the types of constants.
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

// choices returns the allowed values of a schema as TOML. It returns false if the schema does not list values or
// if TOML cannot express them.
func choices(s shape.Schema) (string, bool) {
	if len(s.Choices) == 0 {
		return "", false
	}
	return literal(jsontext.Value("[" + strings.Join(s.Values(), ",") + "]"))
}

// literal does the same as [value] for JSON text.
func literal(text jsontext.Value) (string, bool) {
	return value(shape.Decode(text))
}
