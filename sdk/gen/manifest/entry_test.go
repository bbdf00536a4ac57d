package manifest_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// The table must have every simple field of a tool, so that none is left out of a list, a digest or a comparison.
func TestFieldsAreComplete(t *testing.T) {
	tool := reflect.TypeFor[manifest.Tool]()
	for i := range tool.NumField() {
		name, _, _ := strings.Cut(tool.Field(i).Tag.Get("json"), ",")
		kind := tool.Field(i).Type.Kind()
		simple := kind == reflect.String || kind == reflect.Bool || kind == reflect.Int
		known := slices.ContainsFunc(manifest.Fields, func(f manifest.Field) bool { return f.Name == name })
		if simple && name != "name" && !known {
			t.Errorf("the table has no field %s", name)
		}
	}
}

// A value survives being written to and read from a list of MCP, and is then the only field that is set.
func TestFieldsInLists(t *testing.T) {
	values := map[string]string{"budget": "16000", "mutates": "true", "files": "true"}
	for _, f := range manifest.Fields {
		var before, after manifest.Tool
		text := "https://example.com/<" + f.Name + ">"
		if v, ok := values[f.Name]; ok {
			text = v
		}
		if !f.Set(before.Entry(), text) || f.Value(before.Entry()) == nil {
			t.Fatalf("cannot set %s to %s", f.Name, text)
		}
		if listed := f.Listed(before.Entry()); !f.ReadListed(after.Entry(), listed) || !reflect.DeepEqual(before, after) {
			t.Errorf("%s is listed as %s and read as %+v", f.Name, listed, after)
		}
		if f.Clear(before.Entry()); !reflect.DeepEqual(before, manifest.Tool{}) {
			t.Errorf("clearing %s leaves %+v", f.Name, before)
		}
		for _, wrong := range []string{`null`, `{}`, `[]`, `[{"src":"a"},{"src":"b"}]`, `[{"src":"a","sizes":[]}]`, `[{"src":7}]`} {
			if f.ReadListed(after.Entry(), jsontext.Value(wrong)) {
				t.Errorf("%s accepts %s", f.Name, wrong)
			}
		}
	}
	if f, ok := manifest.FieldOf("readonly"); ok {
		t.Errorf("readonly is a hint, not the field %s", f.Name)
	}
	if f := (manifest.Tool{Budget: 1}); manifest.Fields[0].Value(f.Entry()) != nil {
		t.Error("an empty title has a value")
	}
	resource := manifest.Resource{Title: "x"}
	for _, f := range manifest.Fields {
		if got := f.Value(resource.Entry()); (got != nil) != (f.Name == "title") {
			t.Errorf("a resource has %s %v", f.Name, got)
		}
	}
}
