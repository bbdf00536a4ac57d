package shape

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestMisfit(t *testing.T) {
	for _, tc := range []struct{ schema, value, want string }{
		{`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, `{"n":1}`, ""},
		{`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, `{}`, `result.n: expected an integer, got nothing`},
		{`{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":"1"}`, `result.n: expected an integer, got the string "1"`},
		{`{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":1.0}`, ""},
		{`{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":1.5}`, `result.n: expected an integer, got the number 1.5`},
		{`{"type":"object","properties":{"n":{"type":"number"}}}`, `{"n":1}`, ""},
		{`{"properties":{"a":{"type":"array","items":{"enum":["x"]}}}}`, `{"a":["x","y"]}`, `result.a[1]: expected "x", got the string "y"`},
		{`{"properties":{"a":{"type":"array","maxItems":1}}}`, `{"a":[1,2]}`, `result.a: expected a list of at most 1 item, got a list of 2 items`},
		{`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"a":null}`, ""},
		{`{"properties":{"a":{"oneOf":[{"type":"object","required":["x"]},{"type":"array"}]}}}`, `{"a":{}}`, `result.a.x: expected a value, got nothing`},
		{`{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"boolean"}}}`, `{"a":1}`, `result.a: expected true or false, got the number 1`},
		{`{"type":"object","additionalProperties":false}`, `{"b":1}`, `result.b: expected `},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, `{"b":1}`, `result.b: expected a string, got the number 1`},
		{`{"type":"object","properties":{"s":{"type":"string","maxLength":2}}}`, `{"s":"äöü"}`, `result.s: expected a string of at most 2 characters, got the string "äöü" of 3 characters`},
		{`{"type":"object","properties":{"s":{"type":"number","maximum":2}}}`, `{"s":2.5}`, `result.s: expected a number of at most 2, got the number 2.5`},
		{`{"properties":{"s":{"type":"number","exclusiveMaximum":2}}}`, `{"s":2}`, `result.s: expected a number less than 2, got the number 2`},
		{`{"properties":{"s":{"type":"integer","multipleOf":5}}}`, `{"s":12}`, `result.s: expected an integer that is a multiple of 5, got the number 12`},
		{`{"properties":{"s":{"type":"number","multipleOf":5}}}`, `{"s":1e999999999}`, `result.s: expected a number that is a multiple of 5`},
		{`{"properties":{"s":{"type":"number","multipleOf":0.1}}}`, `{"s":0.3}`, ""},
		{`{"enum":[1,2]}`, `2.0`, ""},
		{`{"$ref":"#"}`, `{}`, ""},
		{`{"allOf":[{"$ref":"#"}]}`, `{}`, ""},
		{`{"properties":{"a":{"$ref":"#"}}}`, strings.Repeat(`{"a":`, 500) + `1` + strings.Repeat(`}`, 500), ""},
		{`{"type":"array","items":{"$ref":"#/$defs/A"},"$defs":{"A":{"type":"boolean"}}}`, `[true,1]`, `result[1]: expected true or false, got the number 1`},
		{`{"$id":"https://example.com/a","items":{"$ref":"a#/$defs/A"},"$defs":{"A":{"type":"boolean"}}}`, `[1]`, `result[0]: expected true or false, got the number 1`},
		{`{"unevaluatedProperties":false,"properties":{"a":{"type":"null"}}}`, `{"a":1}`, ""},
		{strings.Repeat(`{"items":`, 5000) + `{}` + strings.Repeat(`}`, 5000), `[]`, ""},
		{`7`, `{}`, ""},
		{`{"type":"object"`, `{}`, ""},
	} {
		got := Misfit(jsontext.Value(tc.schema), jsontext.Value(tc.value))
		if got != tc.want && (tc.want == "" || !strings.HasPrefix(got, tc.want)) {
			t.Errorf("%s and %.80s: %q, want %q", tc.schema, tc.value, got, tc.want)
		}
	}
}
