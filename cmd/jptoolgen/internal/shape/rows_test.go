package shape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func ExampleSchema_Rows() {
	s := Read(jsontext.Value(`{"type":"object","required":["query"],"properties":{
		"query":{"type":"string","description":"What to look for.","minLength":1},
		"kinds":{"type":"array","items":{"type":"string","enum":["note","tag"]},"maxItems":2},
		"page":{"type":"object","properties":{"size":{"type":"integer","default":10}}},
		"edits":{"type":"array","items":{"type":"object","properties":{"text":{"type":["string","null"]}}}}}}`))
	for _, p := range s.Rows() {
		fmt.Printf("%s: %s %t %q %v %v\n", p.Path, p.Kind(), p.Required, string(p.Default), p.Values(), p.Limits.List())
	}
	// Output:
	// query: string true "" [] [at least 1 character]
	// kinds: list of strings false "" ["note" "tag"] [at most 2 items]
	// page: object false "" [] []
	// page.size: integer false "10" [] []
	// edits: list of objects false "" [] []
	// edits[].text: string or null false "" [] []
}

func TestRowsOfStrangeSchemas(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"a":`, 1000) + "true" + strings.Repeat("}}", 1000)
	twice := `{"properties":{"a":{"$ref":"#/$defs/0"}},"$defs":{`
	for i := range 60 { // each definition refers to the next one twice: 2⁶⁰ rows
		twice += fmt.Sprintf(`"%d":{"properties":{"a":{"$ref":"#/$defs/%d"},"b":{"$ref":"#/$defs/%d"}}},`, i, i+1, i+1)
	}
	for name, tt := range map[string]struct {
		schema    string
		low, high int
	}{
		"none":                            {``, 0, 0},
		"true":                            {`true`, 0, 0},
		"a list":                          {`[1]`, 0, 0},
		"properties not a map":            {`{"properties":[1]}`, 0, 0},
		"member is true":                  {`{"properties":{"a":true,"b":null}}`, 2, 2},
		"a duplicate name":                {`{"properties":{"a":true,"b":true},"type":"object","type":"object"}`, 2, 2},
		"a reference":                     {`{"properties":{"a":{"$ref":"#/$defs/x"}}}`, 1, 1},
		"a reference to an object":        {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"properties":{"b":{},"c":{}}}}}`, 3, 3},
		"a reference with keywords":       {`{"properties":{"a":{"$ref":"#/$defs/x","properties":{"b":{}}}},"$defs":{"x":{"properties":{"b":{},"c":{}}}}}`, 2, 2},
		"a reference to a property":       {`{"properties":{"a":{"$ref":"#/properties/b"},"b":{"properties":{"c":{}}}}}`, 4, 4},
		"a reference with escapes":        {`{"properties":{"a":{"$ref":"#/definitions/x~1~0"}},"definitions":{"x/~":{"properties":{"b":{}}}}}`, 2, 2},
		"a reference to the root":         {`{"properties":{"a":{"$ref":"#"}}}`, 1, 1},
		"a reference to another document": {`{"properties":{"a":{"$ref":"https://example.com/x"}}}`, 1, 1},
		"called $ref":                     {`{"properties":{"$ref":{"type":"string"}}}`, 1, 1},
		"a recursive definition":          {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"properties":{"b":{"$ref":"#/$defs/x"}}}}}`, 2, 2},
		"a definition that is a reference to itself": {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/x"}}}`, 1, 1},
		"a union of unions":                          {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"anyOf":[` + strings.Repeat(`{"$ref":"#/$defs/x"},`, 999) + `{}]}}}`, 1, 1},
		"repeated references":                        {twice + `"60":{}}}`, 1000, maxSchemas},
		"unions":                                     {`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, 1, 1},
		"lists in lists":                             {`{"properties":{"a":{"items":{"items":{"properties":{"b":{}}}}}}}`, 2, 2},
		"deep nesting":                               {deep, MaxDepth + 1, MaxDepth + 1},
		"many":                                       {`{"properties":{` + strings.Repeat(`"a":0,`, 1<<17) + `"b":0}}`, 1000, maxSchemas},
	} {
		s, err := Parse(jsontext.Value(tt.schema))
		if n := len(s.Rows()); err != nil || n < tt.low || n > tt.high {
			t.Errorf("%s: got %d rows, %v, want %d to %d", name, n, err, tt.low, tt.high)
		}
	}
	for _, bad := range []string{`{`, `{"a":"` + strings.Repeat("x", maxBytes) + `"}`} {
		if _, err := Parse(jsontext.Value(bad)); err == nil {
			t.Errorf("%.20s… was accepted", bad)
		}
	}
}

// A recursive definition has its type, but no nested properties.
func TestRecursiveType(t *testing.T) {
	s := Read(jsontext.Value(`{"properties":{"tree":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object",
		"properties":{"text":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`))
	var got []string
	for _, p := range s.Rows() {
		got = append(got, p.Path+" "+p.Type())
	}
	if text := strings.Join(got, ", "); text != "tree object, tree.text string, tree.children list of objects" {
		t.Error(text)
	}
}
