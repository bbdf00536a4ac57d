package shape

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestArguments(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"note.txt": "two\nlines", "list.json": `[1, 2]`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	schema := Read(jsontext.Value(`{"type":"object","required":["text"],"properties":{
		"text":{"type":"string"},"count":{"type":"integer","maximum":9},"size":{"type":"number","multipleOf":5},"on":{"type":"boolean"},
		"tags":{"type":"array","items":{"type":"string"}},"ids":{"type":"array","items":{"type":"integer"}},
		"kind":{"enum":["one","two",3]},"where":{"type":"object","properties":{"x":{"type":"integer"}}},
		"either":{"type":["integer","string"]},"maybe":{"anyOf":[{"type":"integer"},{"type":"null"}]},"any":{}}}`))
	for _, tc := range []struct{ words, want string }{
		{`text=true`, `{"text":"true"}`},
		{`text=`, `{"text":""}`},
		{`text=a=b`, `{"text":"a=b"}`},
		{`text=@note.txt`, `{"text":"two\nlines"}`},
		{`text=@@home`, `{"text":"@home"}`},
		{`text:=null`, `{"text":null}`},
		{`text=x count=3 size=2.5e1 on=false`, `{"count":3,"on":false,"size":2.5e1,"text":"x"}`},
		{`text=x tags=a tags=b`, `{"tags":["a","b"],"text":"x"}`},
		{`text=x tags=["a","b"] tags=c`, `{"tags":["a","b","c"],"text":"x"}`},
		{`text=x ids=9007199254740993 ids:=@list.json`, `{"ids":[9007199254740993,1,2],"text":"x"}`},
		{`text=x kind=two`, `{"kind":"two","text":"x"}`},
		{`text=x kind=3`, `{"kind":3,"text":"x"}`},
		{`text=x where={"x":1}`, `{"text":"x","where":{"x":1}}`},
		{`text=x either=7`, `{"either":7,"text":"x"}`},
		{`text=x either=seven`, `{"either":"seven","text":"x"}`},
		{`text=x maybe=null`, `{"maybe":null,"text":"x"}`},
		{`text=x any={"a":[]}`, `{"any":{"a":[]},"text":"x"}`},
		{`text=x any=word`, `{"any":"word","text":"x"}`},
		{`text=x kind=TWO`, `{"kind":"two","text":"x"}`},
	} {
		got, err := arguments(&schema, tc.words, dir, nil)
		if err != nil || got != tc.want {
			t.Errorf("%s: %s, %v; want %s", tc.words, got, err, tc.want)
		}
	}
	for _, tc := range []struct{ words, want string }{
		{``, "t requires text: add text=… (string)"},
		{`txet=x text=y`, `t does not accept "txet"; did you mean text?`},
		{`text=x quite_else=y`, `t does not accept "quite_else"; it accepts text, count, size`},
		{`text=x count=three`, `count must be an integer, not "three"`},
		{`text=x count=3.0`, `count must be an integer`},
		{`text=x count=10`, `count must be an integer of at most 9, not "10"`},
		{`text=x size=7`, `size must be a number that is a multiple of 5, not "7"`},
		{`text=x on=yes`, `on must be true or false, not "yes"`},
		{`text=x kind=tow`, `kind must be one of "one", "two", 3, not "tow"; did you mean "two"?`},
		{`text=x where=there`, `where must be an object, such as {"name":"value"}`},
		{`text=x ids=a`, `ids must be an integer, not "a"`},
		{`text=x ids=1,2`, `ids must be an integer, not "1,2"; repeat the argument for each item: ids=1 ids=2`},
		{`text=x count:=three`, `"three" is not valid JSON; for text, use count=TEXT`},
		{`text=x count=1 count=2`, "count is set more than once"},
		{`text`, "is neither NAME=VALUE nor NAME:=JSON"},
		{"text=\xff", "text: the text is not valid UTF-8"},
		{`=x`, "is neither"},
		{`:=x`, "is neither"},
		{`text=@nowhere`, "text: "},
		{`text=@..`, "is a directory; use a regular file"},
	} {
		if got, err := arguments(&schema, tc.words, dir, nil); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %s, %v; want an error with %q", tc.words, got, err, tc.want)
		}
	}
	base := map[string]jsontext.Value{"count": jsontext.Value("1")}
	if got, err := arguments(&schema, "count=2", dir, base); err != nil || got != `{"count":2}` {
		t.Errorf("with base arguments: %s, %v", got, err)
	}
}

func arguments(s *Schema, line, dir string, base map[string]jsontext.Value) (string, error) {
	var list []Assignment
	for _, word := range strings.Fields(line) {
		a, err := Assign(word, dir)
		if err != nil {
			return "", err
		}
		list = append(list, a)
	}
	v, err := s.Arguments("t", list, base)
	return string(v), err
}

// Invalid and unusual schemas are read as far as possible.
func TestForeignSchemas(t *testing.T) {
	for text, want := range map[string]string{
		``:                      "any value",
		`true`:                  "any value",
		`"string"`:              "any value",
		`{"type":7}`:            "any value",
		`{"type":["string",3]}`: "any value",
		`{"type":"string","minLength":"two","description":"d"}`: "string",
		`{"type":"widget"}`: "widget",
		`{"enum":[]}`:       "any value",
		`{"const":"x"}`:     `"x"`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"integer"}}}`:               "integer",
		`{"allOf":[{"type":"string"},{"enum":["a","b"]}]}`:                    `one of "a", "b"`,
		`{"type":["string","null"],"format":"date"}`:                          "string (date) or null",
		`{"anyOf":[{"type":"string"},{"type":"integer"}]}`:                    "string or integer",
		`{"type":"array","items":{"type":"array","items":{"type":"string"}}}`: "list of lists of strings",
		strings.Repeat(`{"items":`, 500) + `{}` + strings.Repeat(`}`, 500):    "list of " + strings.Repeat("lists of ", MaxDepth) + "any values",
	} {
		s := Read(jsontext.Value(text))
		if got := s.Type(); got != want {
			t.Errorf("%.80s is %q, want %q", text, got, want)
		}
	}
	for _, tc := range []struct{ schema, word, want string }{
		{`{"properties":{"a":{}},"additionalProperties":{"type":"string"}}`, "b=1", `{"b":1}`},
		{`{"properties":{"a":{}},"patternProperties":{"^x-":{}}}`, "x-b=1", `{"x-b":1}`},
		{`{"properties":{"a":{}}}`, "b=1", `t does not accept "b"; it accepts a`},
		{`{"type":"object"}`, "b=1", `{"b":1}`},
		{`{"type":"object","additionalProperties":false}`, "b=1", `t does not accept "b"; it takes no arguments`},
		{`{"properties":{"a":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "b=1", `t does not accept "b"; it accepts a`},
		{`{"oneOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{"type":"string"}}}]}`, "b=1", `{"b":"1"}`},
		{`{"allOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}}}]}`, "b=1", "t requires a"},
		{`{"properties":{"c":{"$ref":"#/$defs/C"}},"$defs":{"C":{"type":"string","enum":["red","1"]}}}`, "c=1", `{"c":"1"}`},
		{`{"properties":{"c":{"$ref":"#/$defs/C"}},"$defs":{"C":{"type":"string","enum":["red","1"]}}}`, "c=rde", "c must be one of \"red\", \"1\", not \"rde\"; did you mean \"red\"?"},
		{`{"properties":{"c":{"enum":["a","A"]}}}`, "c=A", `{"c":"A"}`},
		{`{"properties":{"c":{"enum":["ab","AB"]}}}`, "c=Ab", `c must be one of "ab", "AB", not "Ab"`},
		{`{"properties":{"n":{"type":"number","exclusiveMinimum":0}}}`, "n=0", "n must be a number greater than 0"},
		{`{"properties":{"n":{"anyOf":[{"type":"integer","maximum":3},{"type":"null"}]}}}`, "n=4", "n must be an integer of at most 3"},
		{`{"properties":{"n":{"type":"number"}}}`, "n=1e400", `{"n":1e400}`},
		{`{"properties":{"n":{"type":"integer"}}}`, "n=1" + strings.Repeat("0", 400), `{"n":1` + strings.Repeat("0", 400) + `}`},
	} {
		s := Read(jsontext.Value(tc.schema))
		got, err := arguments(&s, tc.word, t.TempDir(), nil)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s with %s: %s, want %s", tc.schema, tc.word, got, tc.want)
		}
	}
}
