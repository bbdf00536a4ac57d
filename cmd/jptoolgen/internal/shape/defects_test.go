package shape_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// The verdicts are those of JP's check of tools (crate jp_tool, November 2026), except for the limits of defaults.
func TestDefects(t *testing.T) {
	const (
		none  = ""
		whole = "the type is integer, which is written without a fraction or exponent and has at most 64 bits"
	)
	for _, tt := range []struct{ property, want string }{
		{`{}`, none},
		{`{"description":"anything"}`, none},
		{`{"type":"string"}`, none},
		{`{"type":["string","null"]}`, none},
		{`{"type":[]}`, `p: the type is empty`},
		{`{"type":7}`, `p: the type is empty`},
		{`{"type":""}`, `p: unknown type ""`},
		{`{"type":"text"}`, `p: unknown type "text"`},
		{`{"type":["string","string"]}`, `p: type "string" is repeated`},
		{`{"type":["string",7]}`, none},
		{`true`, `p: the schema is not an object`},
		{`null`, `p: the schema is not an object`},
		{`{"type":"array"}`, `p: an array needs items`},
		{`{"type":["array","null"]}`, `p: an array needs items`},
		{`{"type":"array","items":{}}`, none},
		{`{"type":"array","items":true}`, `p[]: the schema is not an object`},
		{`{"type":"array","items":[{"type":"string"}]}`, `p[]: the schema is not an object`},
		{`{"type":"array","items":{"type":"array"}}`, `p[]: an array needs items`},
		{`{"items":{"type":"string"}}`, none},
		{`{"type":"string","items":{"type":"string"}}`, `p: items applies to arrays, not to string`},
		{`{"properties":{"q":{"type":"string"}}}`, none},
		{`{"type":"object","properties":{"q":{"type":"odd"}}}`, `p.q: unknown type "odd"`},
		{`{"type":"string","properties":{"q":{"type":"string"}}}`, `p: properties applies to objects, not to string`},
		{`{"type":"string","properties":{}}`, none},
		{`{"type":"object","additionalProperties":{"type":"odd"}}`, none},
		{`{"anyOf":[{"type":"odd"}]}`, none},
		{`{"type":"string","enum":["a","b"]}`, none},
		{`{"type":"string","enum":["a","b","a"]}`, `p: enum has "a" twice`},
		{`{"type":"string","enum":["a",1]}`, `p: enum has 1, but the type is string`},
		{`{"type":"string","enum":["a",null]}`, `p: enum has null, but the type is string`},
		{`{"type":["string","null"],"enum":["a",null]}`, none},
		{`{"enum":[1,"a",{"b":[2]}]}`, none},
		{`{"enum":[1,{"b":[2]},{"b":[2]}]}`, `p: enum has {"b":[2]} twice`},
		{`{"type":"integer","enum":[1,1]}`, `p: enum has 1 twice`},
		{`{"type":"integer","enum":[1,1.0]}`, `p: enum has 1.0, but ` + whole},
		{`{"type":"number","enum":[1,1.0]}`, none},
		{`{"type":"number","enum":[1.0,1e0]}`, `p: enum has 1e0 twice`},
		{`{"type":"array","items":{"type":"string"},"enum":["a"]}`, `p: enum has "a", but the type is array`},
		{`{"type":"array","items":{"type":"string"},"enum":[[1]]}`, `p: enum has [1], but in its items, the type is string`},
		{`{"type":"string","default":"a"}`, none},
		{`{"type":"string","default":null}`, `p: invalid default null: the type is string`},
		{`{"type":["string","null"],"default":null}`, none},
		{`{"type":"string","enum":["a"],"default":"b"}`, `p: invalid default "b": enum does not have "b"`},
		{`{"type":"integer","default":18446744073709551615}`, none},
		{`{"type":"integer","default":18446744073709551616}`, `p: invalid default 18446744073709551616: ` + whole},
		{`{"type":"integer","default":5.0}`, `p: invalid default 5.0: ` + whole},
		{`{"type":"integer","default":-0}`, `p: invalid default -0: ` + whole},
		{`{"type":"number","default":5}`, none},
		{`{"type":"array","items":{"type":"integer"},"default":[1,"a"]}`, `p: invalid default [1,"a"]: in its items, the type is integer`},
		{`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"],"default":{}}`, `p: invalid default {}: the required property "q" is missing`},
		{`{"type":"object","properties":{"q":{"type":"string"}},"default":{"q":1}}`, `p: invalid default {"q":1}: in its property "q", the type is string`},
		{`{"type":"integer","minimum":3,"default":2}`, `p: invalid default 2: expected an integer of at least 3, got the number 2`},
		{`{"type":"string","minLength":3,"default":"ab"}`, `p: invalid default "ab": expected a string of at least 3 characters, got the string "ab" of 2 characters`},
		{`{"type":"string","pattern":"^x","default":"ab"}`, `p: invalid default "ab": expected a string matching ^x, got the string "ab"`},
		{`{"$ref":"#/$defs/text"}`, none},
		{`{"$ref":"#/$defs/text","default":1}`, `p: invalid default 1: the type is string`},
		{`{"$ref":"#/$defs/short","default":"long"}`, `p: invalid default "long": expected a string of at most 2 characters, got the string "long" of 4 characters`},
		{`{"$ref":"#/$defs/none"}`, `p: $ref "#/$defs/none" leads to no schema in the file`},
		{`{"$ref":"https://example.com/schema"}`, `p: $ref "https://example.com/schema" leads to no schema in the file`},
		{`{"$ref":"#/$defs/loop"}`, `p: $ref "#/$defs/loop" leads to no schema in the file`},
		{`{"$ref":"#/$defs/list/anyOf/0"}`, `p: $ref "#/$defs/list/anyOf/0" leads to no schema in the file`},
		{`{"$ref":"#/$defs/none","type":"string"}`, none},
		{`{"$ref":"#/$defs/tree"}`, none},
		{`{"$ref":"#/$defs/a~1b"}`, none},
		{`{"$ref":"#"}`, none},
		{`{"type":"odd","enum":["a"],"items":{}}`, `p: unknown type "odd"; p: items applies to arrays, not to odd; p: enum has "a", but the type is odd`},
	} {
		const defs = `"$defs":{"text":{"type":"string"},"short":{"$ref":"#/$defs/text","maxLength":2},"loop":{"$ref":"#/$defs/loop"},` +
			`"list":{"anyOf":[{"type":"string"}]},"a/b":{"type":"string"},` +
			`"tree":{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}}`
		got := strings.Join(shape.Defects([]byte(`{"type":"object","properties":{"p":`+tt.property+`},`+defs+`}`)), "; ")
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.property, got, tt.want)
		}
	}
}

// References that repeat each other exponentially do not take forever.
func TestDefectsEnd(t *testing.T) {
	defs := map[string]any{}
	for i := range 60 {
		next := map[string]string{"$ref": fmt.Sprint("#/$defs/d", i+1)}
		defs[fmt.Sprint("d", i)] = map[string]any{"properties": map[string]any{"a": next, "b": next}}
	}
	text, err := json.Marshal(map[string]any{"$defs": defs, "properties": map[string]any{"p": map[string]string{"$ref": "#/$defs/d0"}}})
	if err != nil {
		t.Fatal(err)
	}
	shape.Defects(text)
}

// Hosts offer every tool of this repository to models.
func TestContractsHaveNoDefects(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != lock.File {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		c, err := lock.Read(data)
		if err != nil {
			return err
		}
		for _, tool := range c.Tools {
			schemas := []manifest.Schema{tool.Input, tool.InputForModels(), tool.Output, tool.Options}
			for _, q := range tool.Questions {
				schemas = append(schemas, q.Schema)
			}
			for _, s := range slices.DeleteFunc(schemas, func(s manifest.Schema) bool { return s == nil }) {
				n++
				for _, defect := range shape.Defects([]byte(s)) {
					t.Errorf("%s: tool %s: %s", path, tool.Name, defect)
				}
			}
		}
		return nil
	})
	if err != nil || n < 300 {
		t.Errorf("checked %d schemas: %v", n, err)
	}
}
