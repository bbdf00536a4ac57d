package shape

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestMisfit(t *testing.T) {
	for _, tc := range []struct{ schema, value, want string }{
		{`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, `{"n":1}`, ""},
		{`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, `{}`, `the result has no "n", which is required`},
		{`{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":"1"}`, `the result.n must be an integer, not "1"`},
		{`{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":1.0}`, ""},
		{`{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":1.5}`, `the result.n must be an integer, not 1.5`},
		{`{"type":"object","properties":{"n":{"type":"number"}}}`, `{"n":1}`, ""},
		{`{"properties":{"a":{"type":"array","items":{"enum":["x"]}}}}`, `{"a":["x","y"]}`, `the result.a[1] is "y", which is not one of the allowed values`},
		{`{"properties":{"a":{"type":"array","maxItems":1}}}`, `{"a":[1,2]}`, `the result.a has 2 items, which is out of bounds`},
		{`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"a":null}`, ""},
		{`{"properties":{"a":{"oneOf":[{"type":"object","required":["x"]},{"type":"array"}]}}}`, `{"a":{}}`, `the result.a does not match any of the alternatives`},
		{`{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"boolean"}}}`, `{"a":1}`, `the result.a must be true or false, not 1`},
		{`{"type":"object","additionalProperties":false}`, `{"b":1}`, `the result has "b", which is not declared`},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, `{"b":1}`, `the result.b must be a string, not 1`},
		{`{"type":"object","properties":{"s":{"type":"string","maxLength":2}}}`, `{"s":"äöü"}`, `the result.s has 3 characters`},
		{`{"type":"object","properties":{"s":{"type":"number","maximum":2}}}`, `{"s":2.5}`, `the result.s is 2.5, which is out of bounds`},
		{`{"properties":{"s":{"type":"number","exclusiveMaximum":2}}}`, `{"s":2}`, `the result.s is 2, which is out of bounds`},
		{`{"properties":{"s":{"type":"integer","multipleOf":5}}}`, `{"s":12}`, `the result.s is 12, which is out of bounds`},
		{`{"properties":{"s":{"type":"number","multipleOf":5}}}`, `{"s":1e999999999}`, ""},
		{`{"properties":{"s":{"type":"number","multipleOf":0.1}}}`, `{"s":0.3}`, ""},
		{`{"enum":[1,2]}`, `2.0`, ""},
		{`{"$ref":"#"}`, `{}`, ""},
		{`{"allOf":[{"$ref":"#"}]}`, `{}`, ""},
		{`{"properties":{"a":{"$ref":"#"}}}`, strings.Repeat(`{"a":`, 500) + `1` + strings.Repeat(`}`, 500), ""},
		{`7`, `{}`, ""},
		{`{"type":"object"`, `{}`, ""},
	} {
		got := Misfit(jsontext.Value(tc.schema), jsontext.Value(tc.value))
		if got != tc.want && (tc.want == "" || !strings.HasPrefix(got, tc.want)) {
			t.Errorf("%s and %.80s: %q, want %q", tc.schema, tc.value, got, tc.want)
		}
	}
}
