package outline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/outline"
)

func ExampleOf() {
	rows, err := outline.Of([]byte(`{"type":"object","required":["query"],"properties":{
		"query":{"type":"string","description":"What to look for.","minLength":1},
		"kinds":{"type":"array","items":{"type":"string","enum":["note","tag"]},"maxItems":2},
		"page":{"type":"object","properties":{"size":{"type":"integer","default":10}}},
		"edits":{"type":"array","items":{"type":"object","properties":{"text":{"type":["string","null"]}}}}}}`))
	if err != nil {
		fmt.Println(err)
	}
	for _, p := range rows {
		fmt.Printf("%s: %s %t %q %v %v\n", p.Path, p.Type, p.Required, p.Default, p.Values, p.Limits)
	}
	// Output:
	// query: string true "" [] [at least 1 character]
	// kinds: list of string false "" ["note" "tag"] [at most 2 items]
	// page: object false "" [] []
	// page.size: integer false "10" [] []
	// edits: list of object false "" [] []
	// edits[].text: string or null false "" [] []
}

func TestOfStrangeSchemas(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"a":`, 1000) + "true" + strings.Repeat("}}", 1000)
	for name, tt := range map[string]struct {
		schema string
		want   int
	}{
		"none":               {``, 0},
		"true":               {`true`, 0},
		"a list":             {`[1]`, 0},
		"properties no map":  {`{"properties":[1]}`, 0},
		"member is true":     {`{"properties":{"a":true,"b":null}}`, 2},
		"a reference":        {`{"properties":{"a":{"$ref":"#/$defs/x"}}}`, 1},
		"to an object":       {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"properties":{"b":{},"c":{}}}}}`, 3},
		"to itself":          {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"properties":{"b":{"$ref":"#/$defs/x"}}}}}`, 6},
		"to itself at once":  {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/x"}}}`, 1},
		"to many of many":    {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"anyOf":[` + strings.Repeat(`{"$ref":"#/$defs/x"},`, 999) + `{}]}}}`, 1},
		"unions":             {`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, 1},
		"deeper than a sane": {deep, 17},
	} {
		rows, err := outline.Of([]byte(tt.schema))
		if err != nil || len(rows) != tt.want {
			t.Errorf("%s: got %d rows, %v, want %d", name, len(rows), err, tt.want)
		}
	}
}

func TestInline(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"string"}`: `{"type":"string"}`,
		`{"$ref":"#/$defs/C","description":"own","$defs":{"C":{"description":"its","enum":["b","a"]}}}`: `{"description":"own","$defs":{"C":{"description":"its","enum":["b","a"]}},"enum":["b","a"]}`,
		`{"items":[{"$ref":"#/definitions/a~1b"}],"definitions":{"a/b":{"x":1}}}`:                       `{"items":[{"x":1}],"definitions":{"a/b":{"x":1}}}`,
		`{"$ref":"https://example.com/x"}`:                                                              `{"$ref":"https://example.com/x"}`,
		`{"properties":{"$ref":{"type":"string"}}}`:                                                     `{"properties":{"$ref":{"type":"string"}}}`,
		`{"$ref":"#/$defs/nowhere","$defs":7}`:                                                          `{"$ref":"#/$defs/nowhere","$defs":7}`,
	} {
		if got := string(outline.Inline([]byte(in))); got != want {
			t.Errorf("Inline(%s) = %s, want %s", in, got, want)
		}
	}
}
