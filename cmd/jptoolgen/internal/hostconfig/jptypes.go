package hostconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// mostNested bounds how far a type is looked for in a stranger's schema.
const mostNested = 8

// read returns a schema decoded, with numbers as json.Number; nil if it is no object.
func read(s manifest.Schema) (map[string]any, error) {
	if len(s) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(s))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("reading a schema: %w", err)
	}
	m, _ := v.(map[string]any)
	return m, nil
}

// stated returns the types that JP finds in a property's schema: its type, those that it
// lists, or those of the members of anyOf.
func stated(schema map[string]any) (all []string) {
	switch t := schema["type"].(type) {
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
	parts, _ := schema["anyOf"].([]any)
	for _, part := range parts {
		if m, ok := part.(map[string]any); ok {
			if s, ok := m["type"].(string); ok && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// typed reports whether JP finds a type that a value can have.
func typed(schema map[string]any) bool {
	return slices.ContainsFunc(stated(schema), func(t string) bool { return t != "null" })
}

// typesOf returns the types of a schema, and guesses those that JP does not find: it knows
// no $ref, oneOf, allOf, and no types of constants.
func typesOf(schema, root map[string]any, depth int) []string {
	if typed(schema) {
		return stated(schema)
	}
	if depth < mostNested {
		if ref, ok := schema["$ref"].(string); ok {
			if m, ok := resolve(ref, root); ok {
				return typesOf(m, root, depth+1)
			}
		}
		for _, word := range []string{"anyOf", "oneOf", "allOf"} {
			parts, _ := schema[word].([]any)
			for _, part := range parts {
				if m, ok := part.(map[string]any); ok && m["type"] != "null" {
					return typesOf(m, root, depth+1)
				}
			}
		}
	}
	values, _ := schema["enum"].([]any)
	if c, ok := schema["const"]; ok {
		values = append(values, c)
	}
	for _, v := range values {
		switch v.(type) {
		case bool:
			return []string{"boolean"}
		case json.Number:
			return []string{"number"}
		}
	}
	if _, ok := schema["properties"]; ok {
		return []string{"object"}
	}
	if _, ok := schema["items"]; ok {
		return []string{"array"}
	}
	return []string{"string"}
}

// resolve returns what a reference within a schema names.
func resolve(ref string, root map[string]any) (map[string]any, bool) {
	path, ok := strings.CutPrefix(ref, "#/")
	at := root
	for step := range strings.SplitSeq(path, "/") {
		if !ok {
			break
		}
		at, ok = at[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)].(map[string]any)
	}
	return at, ok
}

// oneOrList writes types as TOML.
func oneOrList(types []string) string {
	if len(types) == 1 {
		return str(types[0])
	}
	return list(types)
}
