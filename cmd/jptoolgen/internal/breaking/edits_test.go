package breaking_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

type object = map[string]any

// The test edits a contract at random, and validates calls that the old contract allows against the new one. If a call
// is invalid, the change must be classified as breaking. Another JSON Schema implementation validates the calls.
func TestEditsThatFailCallsAreBreaking(t *testing.T) {
	const seed = 20260728
	edits := 500
	if testing.Short() {
		edits = 50
	}
	rng := rand.New(rand.NewPCG(seed, seed))
	failed, compatible := 0, 0
	for i := range edits {
		parts := [...]object{randomObject(rng, 2), randomObject(rng, 2), randomObject(rng, 1), randomScalar(rng)}
		before := toolOf(parts)
		for range 1 + rng.IntN(3) {
			edit(rng, parts[rng.IntN(len(parts))])
		}
		after := toolOf(parts)
		report, err := breaking.Compare(server(before), server(after))
		if err != nil {
			t.Fatal(err)
		}
		if report.Level() < breaking.Breaking {
			compatible++
		}
		// Input is validated against the new contract, output against the old one.
		for _, s := range []struct {
			part     string
			from, by manifest.Schema
		}{
			{"input", before.Input, after.Input},
			{"option", before.Options, after.Options},
			{"answer", before.Questions[0].Schema, after.Questions[0].Schema},
			{"output", open(t, after.Output), open(t, before.Output)},
		} {
			if call, ok := rejectedValue(t, rng, s.from, s.by); ok {
				failed++
				if report.Level() < breaking.Breaking {
					t.Errorf("edit %d is %s, but the %s %s is no longer valid\n%s\n%s\n%v", i, report.Level(), s.part, call, s.from, s.by, report.Changes)
				}
				break
			}
		}
	}
	if failed < edits/10 || compatible < edits/10 {
		t.Errorf("of %d edits, only %d fail a call or only %d are compatible, so the test proves little", edits, failed, compatible)
	}
	t.Logf("of %d edits, %d fail a call and %d are compatible", edits, failed, compatible)
}

func server(tool manifest.Tool) *manifest.Server {
	return &manifest.Server{Format: manifest.Format, Name: "s", Tools: []manifest.Tool{tool}}
}

// toolOf returns a tool with the given schemas for input, output, options and answer.
func toolOf(parts [4]object) manifest.Tool {
	q := manifest.Question{ID: "q", Kind: "text", Schema: encode(parts[3])}
	return manifest.Tool{Name: "t", Input: encode(parts[0]), Output: encode(parts[1]), Options: encode(parts[2]), Questions: []manifest.Question{q}}
}

func encode(v any) manifest.Schema {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// open allows undeclared properties in objects, because readers of results ignore them.
func open(t *testing.T, s manifest.Schema) manifest.Schema {
	t.Helper()
	return []byte(strings.ReplaceAll(string(s), `"additionalProperties":false`, `"additionalProperties":true`))
}

// rejectedValue returns a value that the first schema allows but the second does not.
func rejectedValue(t *testing.T, rng *rand.Rand, from, by manifest.Schema) (string, bool) {
	t.Helper()
	old, now := resolve(t, from), resolve(t, by)
	var tree object
	if err := json.Unmarshal(from, &tree); err != nil {
		t.Fatal(err)
	}
	for range 40 {
		v := normal(value(rng, tree))
		if old.Validate(v) == nil && now.Validate(v) != nil {
			return string(encode(v)), true
		}
	}
	return "", false
}

func resolve(t *testing.T, s manifest.Schema) *jsonschema.Resolved {
	t.Helper()
	var schema jsonschema.Schema
	if err := json.Unmarshal(s, &schema); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	r, err := schema.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return r
}

// normal returns v as a JSON decoder would return it.
func normal(v any) any {
	var out any
	if err := json.Unmarshal(encode(v), &out); err != nil {
		panic(err)
	}
	return out
}

func randomObject(rng *rand.Rand, depth int) object {
	props := object{}
	var required []any
	for i := range 1 + rng.IntN(4) {
		name := fmt.Sprintf("p%d", i)
		props[name] = randomSchema(rng, depth)
		if rng.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	o := object{"type": "object", "properties": props, "additionalProperties": false}
	if required != nil {
		o["required"] = required
	}
	return o
}

func randomSchema(rng *rand.Rand, depth int) object {
	switch n := rng.IntN(10); {
	case n < 6 || depth == 0:
		return randomScalar(rng)
	case n < 7:
		return randomObject(rng, depth-1)
	case n < 8:
		return object{"type": "object", "additionalProperties": randomSchema(rng, depth-1)}
	case n < 9:
		return object{"anyOf": []any{randomScalar(rng), randomScalar(rng)}}
	}
	return object{"type": "array", "items": randomSchema(rng, depth-1), "maxItems": rng.IntN(5)}
}

func randomScalar(rng *rand.Rand) object {
	switch rng.IntN(5) {
	case 0:
		return object{"type": "string", "minLength": rng.IntN(2), "maxLength": 1 + rng.IntN(4)}
	case 1:
		return object{"type": "integer", "minimum": rng.IntN(3), "maximum": 3 + rng.IntN(4)}
	case 2:
		return object{"type": "boolean"}
	case 3:
		return object{"type": "string", "enum": []any{"a", "b", "c"}[:1+rng.IntN(3)]}
	}
	return object{"type": []any{"number", "null"}, "multipleOf": 1 + rng.IntN(3)}
}

// edit changes a random part of a schema in place.
func edit(rng *rand.Rand, s object) {
	if props, ok := s["properties"].(object); ok && len(props) > 0 && rng.IntN(4) > 0 {
		names := slices.Sorted(maps.Keys(props))
		name := names[rng.IntN(len(names))]
		switch rng.IntN(9) {
		case 0:
			delete(props, name)
		case 1:
			props["new"+name] = props[name]
			delete(props, name)
		case 2:
			props["more"] = randomSchema(rng, 1)
		case 3:
			s["required"] = []any{name}
		case 4:
			delete(s, "required")
		case 5:
			props[name] = randomSchema(rng, 1)
		default:
			edit(rng, props[name].(object))
		}
		return
	}
	for _, k := range []string{"items", "additionalProperties"} {
		if inner, ok := s[k].(object); ok && rng.IntN(3) > 0 {
			edit(rng, inner)
			return
		}
	}
	if branches, ok := s["anyOf"].([]any); ok && rng.IntN(3) > 0 {
		edit(rng, branches[rng.IntN(len(branches))].(object))
		return
	}
	keywords := []struct {
		key    string
		values []any
	}{
		{"type", []any{"string", "integer", "number", "boolean", []any{"string", "null"}, []any{"integer", "string"}}},
		{"enum", []any{[]any{"a"}, []any{"a", "b"}, []any{"b", "c", "d"}, []any{1, 2}}},
		{"const", []any{"a", 1}},
		{"minLength", []any{0, 1, 2, 3}}, {"maxLength", []any{1, 2, 3, 9}},
		{"minimum", []any{-1, 0, 1, 2}}, {"maximum", []any{2, 4, 5.5, 9}},
		{"exclusiveMinimum", []any{-1, 0, 0.5, 2}}, {"exclusiveMaximum", []any{3, 5, 9}},
		{"multipleOf", []any{1, 2, 3, 0.5}},
		{"pattern", []any{"^a", "^[a-c]*$"}},
		{"minItems", []any{0, 1, 2}}, {"maxItems", []any{1, 2, 9}}, {"uniqueItems", []any{true, false}},
		{"minProperties", []any{0, 1}}, {"maxProperties", []any{1, 4}},
		{"items", []any{object{"type": "string"}, object{"type": "integer"}}},
		{"additionalProperties", []any{true, false, object{"type": "string"}}},
		{"anyOf", []any{[]any{object{"type": "string"}, object{"type": "integer"}}, []any{object{"minLength": 1}}}},
		{"not", []any{object{"const": "a"}}}, {"oneOf", []any{[]any{object{"type": "string"}, object{"type": "integer"}}}},
		{"description", []any{"One.", "Two."}},
	}
	k := keywords[rng.IntN(len(keywords))]
	if _, has := s[k.key]; has && rng.IntN(3) == 0 {
		delete(s, k.key)
		return
	}
	s[k.key] = k.values[rng.IntN(len(k.values))]
}

// value returns a value that a schema is likely to allow.
func value(rng *rand.Rand, s object) any {
	if c, ok := s["const"]; ok {
		return c
	}
	if enum, ok := s["enum"].([]any); ok {
		return enum[rng.IntN(len(enum))]
	}
	if branches, ok := s["anyOf"].([]any); ok && s["type"] == nil {
		return value(rng, branches[rng.IntN(len(branches))].(object))
	}
	kind, _ := s["type"].(string)
	if all, ok := s["type"].([]any); ok {
		kind, _ = all[rng.IntN(len(all))].(string)
	}
	switch kind {
	case "object":
		return members(rng, s)
	case "array":
		items, _ := s["items"].(object)
		list := []any{}
		for range rng.IntN(4) {
			list = append(list, value(rng, items))
		}
		return list
	case "string":
		return "abcd"[:rng.IntN(5)]
	case "integer":
		return rng.IntN(12) - 2
	case "number":
		return float64(rng.IntN(24))/2 - 2
	case "boolean":
		return rng.IntN(2) == 0
	case "null":
		return nil
	}
	return [...]any{"", "ab", 1, 2.5, true, nil}[rng.IntN(6)]
}

func members(rng *rand.Rand, s object) object {
	o := object{}
	props, _ := s["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(props)) { // a fixed order, so that a seed always gives the same edits
		if rng.IntN(4) > 0 {
			o[name] = value(rng, props[name].(object))
		}
	}
	switch others := s["additionalProperties"].(type) {
	case object:
		o[[...]string{"x", "more", "p0"}[rng.IntN(3)]] = value(rng, others)
	case bool:
		if others && len(props) == 0 { // without declared names, additional properties are values of a map
			o["x"] = value(rng, object{})
		}
	}
	return o
}
