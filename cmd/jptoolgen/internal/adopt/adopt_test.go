package adopt_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/adopt"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A description is preserved exactly, whether adopt writes it as a comment or as a directive argument.
func TestDescriptions(t *testing.T) {
	for _, text := range []string{
		"Finds notes.", "Find notes", "ID of the note.", "Get is what it does.", "finds, and finds, notes\\, too", `Says "a" and 'b' and ` + "`c`.",
		"First.\n\nSecond paragraph.", "Lines\nof one text.", "Finds.\n\n  - a\n  - b\n", "Args:\n    x: The x.\n", "jp:tool is no directive.", "jp: tool name=x",
		"*/ }\nvar x = 1", "//go:embed x", "# Heading\n\nText", "trailing \\", "a,b\\,c", "  spaces  around  ", "\ufeffBOM", "\u202eturned", "é日本", "100%", "\x00\x01",
		strings.Repeat("word ", 200) + "end", "a\tb", "[link]: https://example.com", "key=value,description=other",
	} {
		input, err := json.Marshal(map[string]any{
			"type": "object", "properties": map[string]any{"get": map[string]any{"type": "string", "description": text}}, "required": []string{"get"},
		})
		if err != nil {
			t.Fatal(err)
		}
		made, err := adopt.New(&manifest.Server{Name: "s", Description: text, Clients: manifest.MCP, Unknown: manifest.Ignore, Tools: []manifest.Tool{
			{Name: "get", Description: text, Title: text, Input: input},
		}}, true)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		c := made.Contract
		for what, got := range map[string]string{"server": c.Description, "tool": c.Tools[0].Description, "title": c.Tools[0].Title} {
			if got != text {
				t.Errorf("%s: got %q, want %q in\n%s%s", what, got, text, made.Files[0].Data, made.Files[1].Data)
			}
		}
		var back struct {
			Properties struct {
				Get struct{ Description string }
			}
		}
		if err := json.Unmarshal(c.Tools[0].Input, &back); err != nil || back.Properties.Get.Description != text {
			t.Errorf("field: got %q, want %q, %v in\n%s", back.Properties.Get.Description, text, err, made.Files[1].Data)
		}
		if len(made.Notes) > 0 {
			t.Errorf("%q: got %q", text, made.Notes)
		}
	}
}

// The contract of any server can be adopted. Notes describe the parts that a Go package cannot express.
func TestForeignContracts(t *testing.T) {
	long := strings.Repeat("Long. ", 1000)
	s := &manifest.Server{
		Name: "x*/ y\npackage evil", Description: long, Clients: manifest.MCP, Unknown: manifest.Ignore,
		Tools: []manifest.Tool{
			{Name: "Connect", Description: "\x00\n*/", Input: manifest.Schema(`{"type":"object","additionalProperties":{"type":"string"}}`)},
			{Name: "get-it", Input: manifest.Schema(`{"properties":{"type":{"type":"string","enum":["a","A","","é",1]},"Type":{},"1":{"type":"integer"},"a b":{"type":"array","items":{"type":"array","items":{"type":"object","properties":{"x":{"type":"null"}}}}}},"required":["type"]}`)},
			{Name: "get_it", Output: manifest.Schema(`{"properties":{"a\"b` + "`" + `":{"type":["string","null"]},"r":{"$ref":"#/x"},"u":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`)},
			{Name: "getIt", Description: long, Output: manifest.Schema(`{"type":"array"}`)},
			{Name: "odd", Input: manifest.Schema(`{"properties":{"-":{"type":"string"},"part":{"type":"object","properties":{"x,y":{"type":"string"}}},"p":{"type":"string","minLength":5,"maxLength":2,"default":"x","pattern":"("},"n":{"type":"integer","default":1.5,"minimum":1e400},"l":{"type":"array","items":{"enum":[1,2,-1]},"default":[1],"uniqueItems":true}},"required":["-"]}`)},
			{Name: "nameless", Input: manifest.Schema(`{"properties":{"":{"type":"string"}}}`)},
			{Name: "long", Input: manifest.Schema(`{"properties":{"` + strings.Repeat("n", 60) + `":{"type":"string","description":"` + long + `"},"` + strings.Repeat("n", 61) + `":{"type":"string"},"aB":{},"a_b":{}}}`)},
			{Name: "日本", Annotations: manifest.Annotations{ReadOnly: new(true), Destructive: new(true)}},
			{Name: "deep", Input: manifest.Schema(`{"properties":{"x":` + strings.Repeat(`{"type":"array","items":`, 70) + `{}` + strings.Repeat(`}`, 70) + `}}`)},
		},
	}
	made, err := adopt.New(s, false)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(made.Notes, "\n")
	for _, want := range []string{`it was renamed to "x-y-package-evil"`, `日本: invalid tool name`, "日本: the tool is declared both read-only and destructive", "nameless: "} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in\n%s", want, notes)
		}
	}
	for _, tool := range s.Tools {
		if got, ok := made.Contract.Tool(tool.Name); tool.Name != "日本" && (!ok || got.Description != tool.Description) {
			t.Errorf("%s: got %+v", tool.Name, got)
		}
	}
}
