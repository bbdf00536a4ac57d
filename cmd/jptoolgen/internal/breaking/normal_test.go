package breaking_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A schema that another program writes differently has not changed. A change is classified as if the same program had
// written both schemas. The last two columns are the highest levels of the changes, in arguments and in results.
func TestNormalForm(t *testing.T) {
	const defs = `"$defs":{"C":{"type":"string","enum":["a","b"]},"P":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]},"T":{"type":"object","properties":{"t":{"anyOf":[{"$ref":"#/$defs/T"},{"type":"null"}]}}}}`
	for _, tc := range []struct{ name, old, new, input, output string }{
		{"allOf of one reference", `{"allOf":[{"$ref":"#/$defs/C"}],"default":"a"}`, `{"$ref":"#/$defs/C","default":"a"}`, "none", "none"},
		{"allOf of one reference, inlined", `{"allOf":[{"$ref":"#/$defs/P"}]}`, `{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}`, "none", "none"},
		{"allOf merged", `{"allOf":[{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]},{"properties":{"y":{"type":"integer"}}}]}`,
			`{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"integer"}},"required":["x"]}`, "none", "none"},
		{"allOf that narrows", `{"type":"string","minLength":1}`, `{"allOf":[{"type":"string","minLength":1},{"maxLength":3}]}`, "breaking", "compatible"},
		{"allOf of closed objects stays", `{"allOf":[{"type":"object","properties":{"x":{}},"additionalProperties":false},{"properties":{"y":{}}}]}`,
			`{"type":"object","properties":{"x":{},"y":{}},"additionalProperties":false}`, "compatible", "breaking"},
		{"enum as oneOf with titles", `{"type":"string","enum":["a","b"]}`, `{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}`, "words", "words"},
		{"oneOf with titles loses a value", `{"oneOf":[{"const":"a"},{"const":"b"}]}`, `{"type":"string","enum":["a"]}`, "breaking", "compatible"},
		{"enum or null", `{"anyOf":[{"enum":["a","b"]},{"type":"null"}]}`, `{"type":["string","null"],"enum":["a","b",null]}`, "none", "none"},
		{"enums through unions", `{"anyOf":[{"enum":["a"]},{"const":"b"},{"type":"null"}]}`, `{"enum":["a","b",null]}`, "none", "none"},
		{"reference or null", `{"anyOf":[{"$ref":"#/$defs/C"},{"type":"null"}]}`, `{"type":["string","null"],"enum":["a","b",null]}`, "none", "none"},
		{"object or null", `{"anyOf":[{"$ref":"#/$defs/P"},{"type":"null"}]}`, `{"type":["object","null"],"properties":{"x":{"type":"integer"}},"required":["x"]}`, "none", "none"},
		{"object, no longer null", `{"anyOf":[{"$ref":"#/$defs/P"},{"type":"null"}]}`, `{"$ref":"#/$defs/P"}`, "breaking", "compatible"},
		{"recursive or null", `{"$ref":"#/$defs/T"}`, `{"type":"object","properties":{"t":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/T"}]}}}`, "none", "none"},
		{"unknown keywords", `{"type":"string","x-order":1,"nullable":true}`, `{"type":"string","x-order":2}`, "words", "words"},
		{"header", `{"type":"string"}`, `{"type":"string","x-mcp-header":"A"}`, "breaking", "breaking"},
		{"format of an integer", `{"type":"integer"}`, `{"type":"integer","format":"int64"}`, "none", "none"},
		{"format of a string", `{"type":"string"}`, `{"type":"string","format":"date"}`, "breaking", "compatible"},
		{"oneOf is anyOf", `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, "none", "none"},
		{"oneOf that overlaps", `{"oneOf":[{"type":"number"},{"type":"integer"}]}`, `{"anyOf":[{"type":"number"},{"type":"integer"}]}`, "compatible", "breaking"},
		{"oneOf is a type list", `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, `{"type":["string","integer"]}`, "words", "words"},
		{"words in a oneOf that overlaps", `{"oneOf":[{"type":"number"},{"type":"integer","minimum":1}]}`,
			`{"oneOf":[{"type":"number","description":"A."},{"allOf":[{"type":"integer","minimum":1}]}]}`, "words", "words"},
		{"bounds in a oneOf that overlaps", `{"oneOf":[{"type":"number"},{"type":"integer","minimum":1}]}`,
			`{"oneOf":[{"type":"number","description":"A."},{"type":"integer","minimum":2}]}`, "breaking", "breaking"},
		{"disjoint branch", `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, `{"oneOf":[{"type":"string"},{"type":"integer"},{"type":"boolean"}]}`, "compatible", "breaking"},
		{"branches with a discriminator", `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}`,
			`{"anyOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}`, "none", "none"},
		{"discriminators written differently", `{"oneOf":[{"type":"object","properties":{"k":{"allOf":[{"const":"a"}]}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}`,
			`{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"oneOf":[{"const":"b"}]}},"required":["k"]}]}`, "none", "none"},
		{"a single branch that closes with unevaluatedProperties", `{"anyOf":[{"type":"object","properties":{"x":{}},"unevaluatedProperties":false}]}`,
			`{"type":"object","properties":{"x":{}},"additionalProperties":false}`, "none", "none"},
		{"additionalProperties next to a single branch", `{"type":"object","additionalProperties":false,"anyOf":[{"properties":{"x":{"type":"string"}}}]}`,
			`{"type":"object","additionalProperties":false,"properties":{"x":{"type":"string"}}}`, "compatible", "breaking"},
		{"patterns next to a single closed branch", `{"type":"object","patternProperties":{"^y":{}},"anyOf":[{"properties":{"x":{}},"additionalProperties":false}]}`,
			`{"type":"object","patternProperties":{"^y":{}},"properties":{"x":{}},"additionalProperties":false}`, "breaking", "breaking"},
		{"property that allows no value", `{"type":"object"}`, `{"type":"object","properties":{"b":{"not":{}}}}`, "breaking", "compatible"},
		{"property with an empty enum", `{"type":"object"}`, `{"type":"object","properties":{"b":{"enum":[]}}}`, "breaking", "compatible"},
		{"alternatives that exclude each other's property", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"],"properties":{"b":{"not":{}}}},{"required":["b"],"properties":{"a":false}}]}`, "breaking", "compatible"},
		{"alternative that declares another one's property", `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]}`,
			`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]}`, "breaking", "compatible"},
		{"alternative that restricts a declared property", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"],"properties":{"b":{"maxLength":1}}},{"required":["b"]}]}`, "breaking", "compatible"},
		{"alternative with a new property", `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]}`,
			`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"},"c":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]}`, "compatible", "compatible"},
		{"dependentSchemas restrict a declared property", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentSchemas":{"a":{"properties":{"b":{"maxLength":3}}}}}`, "breaking", "breaking"},
		{"dependencies restrict a declared property", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependencies":{"a":{"properties":{"b":{"maxLength":3}}}}}`, "breaking", "compatible"},
		{"contains with maxContains, rewritten", `{"type":"array","contains":{"enum":["a"]},"maxContains":2}`, `{"type":"array","contains":{"const":"a"},"maxContains":2}`, "words", "words"},
		{"contains with maxContains, wider", `{"type":"array","contains":{"enum":["a"]},"maxContains":2}`, `{"type":"array","contains":{"enum":["a","b"]},"maxContains":2}`, "breaking", "breaking"},
		{"optional discriminator", `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}}},{"type":"object","properties":{"k":{"const":"b"}}}]}`,
			`{"anyOf":[{"type":"object","properties":{"k":{"const":"a"}}},{"type":"object","properties":{"k":{"const":"b"}}}]}`, "compatible", "breaking"},
		{"not dropped", `{"type":"string","not":{"const":"x"}}`, `{"type":"string"}`, "compatible", "breaking"},
		{"not added", `{"type":"string"}`, `{"type":"string","not":{"const":"x"}}`, "breaking", "compatible"},
		{"not changed", `{"type":"string","not":{"const":"x"}}`, `{"type":"string","not":{"const":"y"}}`, "breaking", "breaking"},
		{"values of other types", `{"type":"string","enum":["a",1,null]}`, `{"type":"string","enum":["a"]}`, "none", "none"},
		{"type implied by enum", `{"enum":["a","b"]}`, `{"type":"string","enum":["a","b"]}`, "none", "none"},
		{"const is enum of one", `{"const":"a"}`, `{"enum":["a"]}`, "none", "none"},
		{"one is 1.0", `{"enum":[1,2]}`, `{"type":"number","enum":[1.0,2]}`, "none", "none"},
		{"length of an integer", `{"type":"integer","maxLength":3}`, `{"type":"integer"}`, "none", "none"},
		{"properties of a string", `{"type":"string","additionalProperties":false}`, `{"type":"string"}`, "none", "none"},
		{"whole numbers", `{"type":"number","multipleOf":1}`, `{"type":"integer"}`, "none", "none"},
		{"integer beside number", `{"type":["integer","number"]}`, `{"type":"number"}`, "none", "none"},
		{"list of one type", `{"type":["string"]}`, `{"type":"string"}`, "none", "none"},
		{"map of values", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","additionalProperties":{"type":"string"}}`, "breaking", "breaking"},
		{"constants beside an object", `{"oneOf":[{"type":"string","enum":["a","b"]},{"type":"object","properties":{"c":{"type":"integer"}},"required":["c"]}]}`,
			`{"oneOf":[{"const":"a"},{"const":"b","title":"B"},{"type":"object","properties":{"c":{"type":"integer"}},"required":["c"]}]}`, "words", "words"},
		{"constants beside an object, one removed", `{"oneOf":[{"type":"string","enum":["a","b"]},{"type":"object","properties":{"c":{"type":"integer"}}}]}`,
			`{"oneOf":[{"const":"a"},{"type":"object","properties":{"c":{"type":"integer"}}}]}`, "breaking", "compatible"},
		{"a constant that two alternatives have", `{"oneOf":[{"enum":["a","b"]},{"type":"object"}]}`,
			`{"oneOf":[{"enum":["a","b"]},{"const":"b"},{"type":"object"}]}`, "breaking", "compatible"},
		{"map of nothing", `{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":{"not":{}}}`, "none", "none"},
		{"property of nothing", `{"type":"object","properties":{"x":{"type":"string"},"y":{"not":{}}},"additionalProperties":{"not":{}}}`,
			`{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}`, "none", "none"},
		{"values out of bounds", `{"type":"integer","enum":[1,5,9],"exclusiveMaximum":9}`, `{"type":"integer","enum":[1,5]}`, "none", "none"},
		{"texts out of bounds", `{"enum":["abc","abcdef"],"maxLength":5}`, `{"type":"string","enum":["abc"]}`, "none", "none"},
		{"a fraction that is not a multiple of 1", `{"enum":[0,1,2.5]}`, `{"enum":[0,1,2.5],"multipleOf":1}`, "breaking", "compatible"},
		{"integers are multiples of 1/2", `{"type":"integer","multipleOf":0.5}`, `{"type":"integer"}`, "compatible", "breaking"},
		{"integers that are multiples of 3/2", `{"type":"integer","multipleOf":1.5}`, `{"type":"integer","multipleOf":3}`, "breaking", "breaking"},
		{"integers are multiples of 2 now", `{"type":"integer"}`, `{"type":"integer","multipleOf":2}`, "breaking", "compatible"},
		{"property that the alternatives declare", `{"type":"object","oneOf":[{"properties":{"b":{"type":"integer"}},"required":["b"]},{"required":["c"]}]}`,
			`{"type":"object","properties":{"b":{"type":"string"}},"oneOf":[{"properties":{"b":{"type":"integer"}},"required":["b"]},{"required":["c"]}]}`, "breaking", "compatible"},
		{"property that the alternatives declare alike", `{"type":"object","anyOf":[{"properties":{"b":{"const":"x"}},"required":["b"]},{"required":["c"]}]}`,
			`{"type":"object","properties":{"b":{"type":"string"}},"anyOf":[{"properties":{"b":{"const":"x"}},"required":["b"]},{"required":["c"]}]}`, "breaking", "compatible"},
		{"property that a pattern covers", `{"type":"object","patternProperties":{"^x":{"type":"integer"}}}`,
			`{"type":"object","properties":{"xa":{"type":"string"}},"patternProperties":{"^x":{"type":"integer"}}}`, "breaking", "compatible"},
		{"property beside alternatives that do not declare it", `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			`{"type":"object","properties":{"c":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "compatible", "compatible"},
		{"null that the other branch rejects", `{"type":"boolean","not":{"type":"null"}}`, `{"anyOf":[{"type":"boolean","not":{"type":"null"}},{"type":"null"}]}`, "compatible", "breaking"},
		{"null that a condition of the other branch rejects", `{"type":"string","if":{"minLength":1},"then":{"maxLength":3}}`,
			`{"anyOf":[{"type":"string","if":{"minLength":1},"then":{"maxLength":3}},{"type":"null"}]}`, "compatible", "breaking"},
		{"values of excluded types", `{"enum":["a",1],"not":{"type":"string"}}`, `{"enum":["a",1]}`, "compatible", "breaking"},
		{"null that its branch rejects", `{"anyOf":[{"enum":["a"]},{"type":"null"}]}`, `{"anyOf":[{"enum":["a"]},{"type":"null","not":{"required":["x"]}}]}`, "breaking", "compatible"},
		{"id from draft-06 on", `{"type":"string","id":"Name"}`, `{"type":"string","id":"Title"}`, "words", "words"},
		{"condition", `{"type":"string"}`, `{"type":"string","if":{"minLength":2},"then":{"pattern":"a"}}`, "breaking", "compatible"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := func(schema string) string {
				return fmt.Sprintf(`{"type":"object","properties":{"v":%s},%s}`, schema, defs)
			}
			compareBoth(t, root(tc.old), root(tc.new), tc.input, tc.output)
		})
	}
}

// compareBoth compares two schemas as the arguments of a tool and as its results. It checks the
// highest level of the changes.
func compareBoth(t *testing.T, before, after, input, output string) {
	t.Helper()
	for side, want := range map[string]string{"input": input, "output": output} {
		contract := func(schema string) *manifest.Server {
			if !json.Valid([]byte(schema)) {
				t.Fatalf("%s is not JSON", schema)
			}
			tool := manifest.Tool{Name: "t", Description: "T.", Input: manifest.Schema(`{"type":"object"}`), Output: manifest.Schema(`{"type":"object"}`)}
			if side == "input" {
				tool.Input = manifest.Schema(schema)
			} else {
				tool.Output = manifest.Schema(schema)
			}
			return &manifest.Server{Format: manifest.Format, Name: "s", Description: "S.", Tools: []manifest.Tool{tool}}
		}
		r, err := breaking.Compare(contract(before), contract(after))
		if err != nil {
			t.Fatal(err)
		}
		if got := highestLevel(r); got != want {
			t.Errorf("%s: %s, want %s: %+v", side, got, want, r.Changes)
		}
	}
}

// highestLevel returns the highest level of the changes in a report. Two schemas that differ only in notation count
// as unchanged.
func highestLevel(r *breaking.Report) string {
	highest := "none"
	for _, c := range r.Changes {
		switch {
		case c.Level == breaking.Breaking:
			return "breaking"
		case c.Level == breaking.Compatible:
			highest = "compatible"
		case highest == "none" && c.Rule != "respelled":
			highest = "words"
		}
	}
	return highest
}

// Up to draft-07, the keywords next to a reference have no effect.
func TestDialectOfReferences(t *testing.T) {
	schema := func(dialect, keyword string) *manifest.Server {
		root := `{"$schema":"` + dialect + `","type":"object","properties":{"v":{"$ref":"#/definitions/S",` + keyword + `}},"definitions":{"S":{"type":"string"}}}`
		tool := manifest.Tool{Name: "t", Description: "T.", Input: manifest.Schema(root)}
		return &manifest.Server{Format: manifest.Format, Name: "s", Description: "S.", Tools: []manifest.Tool{tool}}
	}
	const old, now = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"
	for _, tc := range []struct{ before, after, keyword, alsoKeyword, want string }{
		{old, now, `"minLength":3`, `"minLength":3`, "breaking"},
		{now, old, `"minLength":3`, `"minLength":3`, "compatible"},
		{old, old, `"minLength":3`, `"minLength":5`, "none"},
		{now, now, `"minLength":3`, `"minLength":5`, "breaking"},
		{old, now, `"description":"A."`, `"description":"A."`, "words"},
		{old, old, `"description":"A."`, `"description":"B."`, "words"},
	} {
		r, err := breaking.Compare(schema(tc.before, tc.keyword), schema(tc.after, tc.alsoKeyword))
		if err != nil {
			t.Fatal(err)
		}
		if got := highestLevel(r); got != tc.want {
			t.Errorf("%s %s to %s %s: %s, want %s: %+v", tc.before, tc.keyword, tc.after, tc.alsoKeyword, got, tc.want, r.Changes)
		}
	}
}

func TestSame(t *testing.T) {
	for _, tc := range []struct {
		before, after string
		want          bool
	}{
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"A"}`, `{"title":"B","description":""}`, true},
		{`{"properties":{"a":{"title":"A"}}}`, `{"properties":{"a":{}}}`, false},
		{`{"description":"A."}`, `{"description":"B."}`, false},
		{`{"default":1}`, `{"default":2}`, false},
		{`{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string","default":"x"}}}`, `{"properties":{"a":{"type":["string"],"default":"x"}}}`, true},
		{`{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"},{"type":"array"}],"$defs":{"A":{"type":"string","title":"A"}}}`, `{"anyOf":[{"type":"string","title":"A"},{"type":"null"},{"type":"array"}]}`, true},
		{`{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"},{"type":"array"}],"$defs":{"A":{"type":"string","title":"A"}}}`, `{"anyOf":[{"type":"string","title":"B"},{"type":"null"},{"type":"array"}]}`, false},
		{`{`, `{}`, false},
	} {
		if got := breaking.Same(manifest.Schema(tc.before), manifest.Schema(tc.after)); got != tc.want {
			t.Errorf("%s and %s: %t", tc.before, tc.after, got)
		}
	}
}
