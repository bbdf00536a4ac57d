package decode_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/jptool/jptool/sdk/gen/decode"
)

type anything struct{ Value any }

// check checks a value for the argument "v" against a schema.
func check(schema, value string) decode.Report {
	var dst anything
	return decode.Into([]byte(`{"v":`+value+`}`), &dst, decode.Exact(`{"properties":{"v":`+schema+`}}`, func(o *decode.Object, dst *anything) {
		decode.Field(o, "v", &dst.Value, decode.Any)
	}), decode.Options{Closed: true})
}

// This package accepts a value if and only if another implementation of JSON Schema accepts it.
func TestExactLikeAnother(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	pairs := 5_000
	if testing.Short() {
		pairs /= 10
	}
	for range pairs {
		schema, value := randomSchema(random, 3), randomValue(random, 3)
		var other jsonschema.Schema
		if err := json.Unmarshal([]byte(schema), &other); err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		resolved, err := other.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		var v any
		if err := json.Unmarshal([]byte(value), &v); err != nil {
			t.Fatalf("%s: %v", value, err)
		}
		want := resolved.Validate(v)
		if got := check(schema, value).Err(); (got == nil) != (want == nil) {
			t.Fatalf("%s and %s: got %v, want %v", schema, value, got, want)
		}
		if want == nil {
			accepted++
		}
	}
	if accepted < pairs/10 || accepted > pairs*9/10 {
		t.Errorf("%d of %d values are accepted, want between 10%% and 90%%", accepted, pairs)
	}
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

func randomSchema(r *rand.Rand, depth int) string {
	inner := func() string {
		if depth == 0 {
			return pick(r, "true", "false", `{"type":"string"}`, `{"type":"integer"}`)
		}
		return randomSchema(r, depth-1)
	}
	list := func() string { return "[" + inner() + "," + inner() + "]" }
	parts := []func() string{
		func() string {
			return `"type":` + pick(r, `"string"`, `"integer"`, `"number"`, `"null"`, `"boolean"`, `"object"`, `"array"`, `["string","null"]`, `["object","array","number"]`)
		},
		func() string { return `"enum":` + pick(r, `[1,"a",null]`, `[{"a":1.0},[1]]`, `["a","b"]`) },
		func() string { return `"const":` + pick(r, `1`, `"a"`, `true`) },
		func() string { return `"minimum":` + pick(r, "0", "-1.5", "2") },
		func() string { return `"exclusiveMaximum":` + pick(r, "1", "2.5", "7") },
		func() string { return `"multipleOf":` + pick(r, "1", "2", "0.5") },
		func() string { return `"minLength":` + pick(r, "0", "1", "2") },
		func() string { return `"maxLength":` + pick(r, "0", "1", "2") },
		func() string { return `"pattern":` + pick(r, `"^a"`, `"b$"`) },
		func() string { return `"minItems":` + pick(r, "0", "1", "2") },
		func() string { return `"uniqueItems":true` },
		func() string { return `"maxProperties":` + pick(r, "0", "1", "2") },
		func() string { return `"required":` + pick(r, `["a"]`, `["b","a"]`, `[]`) },
		func() string { return `"dependentRequired":{"a":["b"]}` },
		func() string { return `"properties":{"a":` + inner() + `,"b":` + inner() + `}` },
		func() string { return `"additionalProperties":` + inner() },
		func() string { return `"patternProperties":{"^a":` + inner() + `}` },
		func() string { return `"propertyNames":` + inner() },
		func() string { return `"dependentSchemas":{"a":` + inner() + `}` },
		func() string { return `"items":` + inner() },
		func() string { return `"prefixItems":` + list() },
		func() string { return `"contains":` + inner() },
		func() string { return `"anyOf":` + list() },
		func() string { return `"oneOf":` + list() },
		func() string { return `"allOf":` + list() },
		func() string { return `"not":` + inner() },
		func() string { return `"if":` + inner() + `,"then":` + inner() + `,"else":` + inner() },
	}
	chosen := map[int]bool{}
	for range 1 + r.IntN(3) {
		chosen[r.IntN(len(parts))] = true
	}
	var all []string
	for i := range parts {
		if chosen[i] {
			all = append(all, parts[i]())
		}
	}
	return "{" + strings.Join(all, ",") + "}"
}

func randomValue(r *rand.Rand, depth int) string {
	if n := r.IntN(8); depth > 0 && n < 2 {
		return "[" + randomValue(r, depth-1) + "," + randomValue(r, depth-1) + "]"
	} else if depth > 0 && n < 5 {
		return fmt.Sprintf(`{"a":%s,%q:%s}`, randomValue(r, depth-1), pick(r, "b", "c"), randomValue(r, depth-1))
	}
	return pick(r, `""`, `"a"`, `"ab"`, `"bcb"`, "0", "1", "1.0", "2", "-1.5", "6.5", "true", "false", "null", "[]", "{}", `{"a":1}`)
}

func TestExactProblems(t *testing.T) {
	const pet = `{"oneOf":[
		{"type":"object","properties":{"kind":{"const":"cat"},"lives":{"type":"integer","maximum":9}},"required":["kind","lives"],"additionalProperties":false},
		{"type":"object","properties":{"kind":{"const":"dog"},"name":{"type":"string"}},"required":["kind","name"]}]}`
	for _, tt := range []struct{ schema, value, want string }{
		{`{"type":"integer"}`, `"3"`, `argument v: expected an integer, got the string "3"`},
		{`{"type":["string","null"]}`, `3`, `argument v: expected a string or null, got the number 3`},
		{`{"type":"integer","minimum":1,"maximum":10}`, `11`, `argument v: expected an integer from 1 to 10, got the number 11`},
		{`{"type":"string","minLength":2}`, `"a"`, `argument v: expected a string of at least 2 characters, got the string "a" of 1 character`},
		{`{"enum":["open","closed"]}`, `"opne"`, `argument v: expected one of "open", "closed", got the string "opne"; did you mean "open"?`},
		{`{"properties":{"name":{"type":"string"}},"required":["name"]}`, `{}`, `argument v.name: expected a string, got nothing`},
		{`{"properties":{"name":true},"additionalProperties":false}`, `{"nmae":1}`, `argument v.nmae: expected the name "name", got an unknown name; did you mean "name"?`},
		{`{"additionalProperties":false}`, `{"a":1}`, `argument v.a: expected no members, got an unknown name`},
		{pet, `{"kind":"cat","lives":10}`, `argument v.lives: expected an integer of at most 9, got the number 10`},
		{pet, `{"kind":"dog"}`, `argument v.name: expected a string, got nothing`},
		{pet, `{"kind":"cow"}`, `argument v: expected an object with kind, lives, or an object with kind, name, got an object`},
		{`{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `1`, `argument v: expected a value that matches only one alternative, got the number 1; it matches 2 of them`},
		{`{"not":{"type":"string"}}`, `"a"`, `argument v: expected a value that does not match the schema under "not", got the string "a"`},
		{`{"propertyNames":{"maxLength":1}}`, `{"ab":1}`, `argument v.ab: expected a name that is a value of at most 1 character, got the name "ab"`},
		{`{"contains":{"type":"string"}}`, `[1]`, `argument v: expected a list with a string, got a list of 1 item`},
		{`{"items":{"$ref":"#/properties/v/$defs/x"},"$defs":{"x":{"type":"boolean"}}}`, `[1]`, `argument v[0]: expected true or false, got the number 1`},
		{`{"$ref":"#/properties/v"}`, `1`, `arguments: expected arguments that are small enough to check against the schema, got arguments that are too large`},
	} {
		err := check(tt.schema, tt.value).Err()
		if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s and %s: got %v, want %s", tt.schema, tt.value, err, tt.want)
		}
	}
}

// Keywords are case-sensitive, like all member names.
func TestExactIgnoresOtherSpellings(t *testing.T) {
	if err := check(`{"Type":"string","Properties":{"a":{"minimum":2}},"MINIMUM":9}`, `{"a":1}`).Err(); err != nil {
		t.Error(err)
	}
}

// The work to check a value is limited, even for a schema that can be followed in many ways.
func TestExactIsBounded(t *testing.T) {
	schema := `{"anyOf":[{"items":{"$ref":"#/properties/v"}},{"items":{"$ref":"#/properties/v"}}],"not":{"type":"string"}}`
	value := strings.Repeat("[", 100) + `"x"` + strings.Repeat("]", 100)
	if err := check(schema, value).Err(); err == nil || !strings.Contains(err.Error(), "small enough to check") {
		t.Errorf("got %v", err)
	}
}

func TestParseSchema(t *testing.T) {
	for schema, want := range map[string]string{
		`7`:                                      "the schema is not an object",
		`{"type":"x"}`:                           `#: unknown type "x"`,
		`{"properties":{"a/b":{"pattern":"("}}}`: "#/properties/a~1b: error parsing regexp",
		`{"$ref":"https://example.com"}`:         `#: the reference "https://example.com" does not point to a part of the schema`,
		`{"items":{"unevaluatedProperties":false}}`:               "#/items: the keyword unevaluatedProperties is not supported",
		`{"anyOf":[null]}`:                                        "#/anyOf/0: null is not a schema",
		`{"items":[{}]}`:                                          "cannot parse the schema",
		`{"minimum":0.123456789012345678901234567890123}`:         "#: the limit 0.123456789012345678901234567890123 is not supported",
		`{"multipleOf":0}`:                                        "#: the limit 0 is not supported",
		`{"properties":{"a":{"$ref":"#/$defs/a~1b"}},"$defs":{}}`: "#/properties/a: the reference",
	} {
		if _, err := decode.ParseSchema([]byte(schema)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", schema, err, want)
		}
	}
}
