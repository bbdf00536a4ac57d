package breaking_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Numbers in results that can exceed their previous bounds are breaking, wherever they are.
func TestBoundsOfResults(t *testing.T) {
	places := map[string]string{
		"property": `{"type":"object","properties":{"v":X}}`,
		"required": `{"type":"object","properties":{"v":X},"required":["v"]}`,
		"item":     `{"type":"object","properties":{"v":{"type":"array","items":X}}}`,
		"position": `{"type":"object","properties":{"v":{"type":"array","prefixItems":[X]}}}`,
		"map":      `{"type":"object","properties":{"v":{"type":"object","additionalProperties":X}}}`,
		"pattern":  `{"type":"object","properties":{"v":{"type":"object","patternProperties":{"^a":X}}}}`,
		"nullable": `{"type":"object","properties":{"v":{"anyOf":[X,{"type":"null"}]}}}`,
		"union":    `{"type":"object","properties":{"v":{"anyOf":[X,{"type":"string"},{"type":"boolean"}]}}}`,
		"one of":   `{"type":"object","properties":{"v":{"oneOf":[X,{"type":"string"}]}}}`,
		"all of":   `{"type":"object","properties":{"v":{"allOf":[X]}}}`,
		"ref":      `{"type":"object","properties":{"v":{"$ref":"#/$defs/N"}},"$defs":{"N":X}}`,
		"ref+text": `{"type":"object","properties":{"v":{"$ref":"#/$defs/N","description":"V."}},"$defs":{"N":X}}`,
		"nested":   `{"type":"object","properties":{"a":{"type":"object","properties":{"v":X}}}}`,
	}
	for _, numbers := range [][2]string{ // narrower, wider
		{`{"type":"integer","format":"int32"}`, `{"type":"integer","format":"int64"}`},
		{`{"type":"integer","format":"int8"}`, `{"type":"integer","format":"int16"}`},
		{`{"type":"integer","format":"uint8"}`, `{"type":"integer","format":"uint32"}`},
		{`{"type":"integer","format":"uint32"}`, `{"type":"integer","format":"uint64"}`},
		{`{"type":"integer","format":"uint32"}`, `{"type":"integer","format":"int64"}`},
		{`{"type":"number","format":"float"}`, `{"type":"number","format":"double"}`},
		{`{"type":"integer","format":"int32"}`, `{"type":"integer"}`},
		{`{"type":"integer","format":"int32"}`, `{"type":"number"}`},
		{`{"type":"integer","format":"int32"}`, `{"type":"number","format":"double"}`},
		{`{"type":"integer","minimum":-2147483648,"maximum":2147483647}`, `{"type":"integer"}`},
		{`{"type":"integer","format":"int32","minimum":0}`, `{"type":"integer","format":"int64","minimum":0}`},
		{`{"type":"integer","minimum":0,"maximum":9}`, `{"type":"integer","minimum":0}`},
		{`{"type":"integer","minimum":0,"maximum":9}`, `{"type":"integer","maximum":9}`},
		{`{"type":"number","exclusiveMinimum":0}`, `{"type":"number","minimum":0}`},
		{`{"type":"number","exclusiveMaximum":9}`, `{"type":"number"}`},
		{`{"type":"integer","multipleOf":2}`, `{"type":"integer"}`},
		{`{"type":"string","maxLength":9}`, `{"type":"string"}`},
		{`{"type":"array","items":{"type":"string"},"maxItems":9}`, `{"type":"array","items":{"type":"string"}}`},
	} {
		for name, schema := range places {
			if name == "union" && strings.Contains(numbers[0], "string") || name == "one of" && strings.Contains(numbers[0], "string") {
				continue // the other alternative allows every string
			}
			contract := func(number string) *manifest.Server {
				tool := manifest.Tool{Name: "t", Input: []byte(`{"type":"object"}`)}
				tool.Output = []byte(strings.Replace(schema, "X", number, 1))
				return server(tool)
			}
			narrow, wide := contract(numbers[0]), contract(numbers[1])
			widened, err := breaking.Compare(narrow, wide)
			if err != nil {
				t.Fatal(err)
			}
			narrowed, err := breaking.Compare(wide, narrow)
			if err != nil {
				t.Fatal(err)
			}
			if widened.Level() != breaking.Breaking || narrowed.Level() != breaking.Compatible {
				t.Errorf("%s: %s to %s is %v, and the opposite is %v", name, numbers[0], numbers[1], widened.Changes, narrowed.Changes)
			}
		}
	}
}
