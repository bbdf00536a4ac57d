package breaking_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// The schemas are designed to make the comparison slow or its output long. The comparison must end and keep its
// output short. If it cannot judge a change, it must report the change as breaking.
func TestHostileSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all compares hostile schemas")
	}
	laughs := func(end string) string {
		var defs []string
		for i := range 40 {
			defs = append(defs, fmt.Sprintf(`"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}}`, i, i+1, i+1))
		}
		return `{"$defs":{` + strings.Join(defs, ",") + `,"d40":{"type":"` + end + `"}},"$ref":"#/$defs/d0"}`
	}
	all := func(keyword, end string) string {
		var defs []string
		for i := range 40 {
			defs = append(defs, fmt.Sprintf(`"d%d":{"%s":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, keyword, i+1, i+1))
		}
		return `{"$defs":{` + strings.Join(defs, ",") + `,"d40":{"type":"` + end + `"}},"$ref":"#/$defs/d0"}`
	}
	circle := func(bounds string) string {
		return `{"$defs":{"a":{` + bounds + strings.Repeat(`,"x":0`, 1000) + `,"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}`
	}
	branches := func(end string) string {
		var list []string
		for i := range 250 {
			list = append(list, fmt.Sprintf(`{"enum":["%d",%s"%s"]}`, i, strings.Repeat(`1,`, 4000), end))
		}
		return `{"oneOf":[` + strings.Join(list, ",") + `]}`
	}
	deep := func(end string) string {
		return strings.Repeat(`{"items":`, 2000) + `{"type":"` + end + `"}` + strings.Repeat(`}`, 2000)
	}
	unions := func(end string) string {
		s := `{"type":"` + end + `"}`
		for range 8 {
			s = `{"anyOf":[` + s + `,{"type":"null","title":"a"},` + s + `]}`
		}
		return s
	}
	wide := func(prefix string) string {
		var props []string
		for i := range 3000 {
			props = append(props, fmt.Sprintf(`"%s%d":{}`, prefix, i))
		}
		return `{"properties":{` + strings.Join(props, ",") + `}}`
	}
	for name, tc := range map[string]struct{ before, after string }{
		"references that double": {laughs("string"), laughs("integer")},
		"allOf that doubles":     {all("allOf", "string"), all("allOf", "integer")},
		"oneOf that doubles":     {all("oneOf", "string"), all("oneOf", "integer")},
		"allOf in a circle":      {circle(`"minLength":1`), circle(`"minLength":2`)},
		"branches of values":     {branches("a"), branches("b")},
		"a deep list":            {deep("string"), deep("integer")},
		"unions of unions":       {unions("string"), unions("integer")},
		"references in a circle": {`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`},
		"thousands of renames":   {wide("alpha"), wide("alphabet")},
		"a bound beyond numbers": {`{"maximum":1e999999999,"multipleOf":1e-999999999}`, `{"maximum":1,"multipleOf":1e999999998}`},
		"keywords of other types": {
			`{"type":7,"properties":[],"required":"a","enum":{},"items":3,"anyOf":"x","minimum":"1","$ref":1}`,
			`{"type":[[]],"properties":3,"required":{},"enum":"a","items":[],"anyOf":{},"minimum":{},"$ref":null}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := breaking.Compare(server(manifest.Tool{Name: "t", Input: []byte(tc.before)}), server(manifest.Tool{Name: "t", Input: []byte(tc.after)}))
			if err != nil {
				t.Fatal(err)
			}
			if r.Level() != breaking.Breaking {
				t.Errorf("the level is %s", r.Level())
			}
			var b strings.Builder
			if err := breaking.Print(&b, r, nil, breaking.Text, breaking.Source{}); err != nil {
				t.Fatal(err)
			}
			if lines := strings.Count(b.String(), "\n"); lines > 600 || b.Len() > 1<<20 {
				t.Errorf("the output has %d lines and %d bytes", lines, b.Len())
			}
		})
	}
}

// Small schemas that refer to themselves lead to a small amount of work. A schema that refers to itself for the same
// value has no meaning, so a change to it is not judged.
func TestSmallHostileSchemas(t *testing.T) {
	const maxAllocations = 4_000_000
	for name, tc := range map[string]struct{ before, after, rule string }{
		"alternatives": {`{"$defs":{"a":{"properties":{"b":{"$ref":"#/$defs/a"}}}},"$ref":"#/$defs/a"}`,
			`{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}`, "input-unjudged"},
		"all": {`{"$defs":{"a":{"allOf":[{"propertyNames":{"$ref":"#/$defs/a"}},{"$ref":"#/$defs/a"},{"anyOf":[{"type":"string"},{"$ref":"#/$defs/a"}]}]}},"$ref":"#/$defs/a"}`,
			`{"$defs":{"a":{"not":{"properties":{"b":{"$ref":"#/$defs/a"}}}}},"$ref":"#/$defs/a"}`, "input-unjudged"},
		"exactly one": {`{"$defs":{"a":{"oneOf":[{"oneOf":[{"$ref":"#/$defs/a"}]},{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}]}]},"b":{"properties":{"c":{"$ref":"#/$defs/a"}}}},"$ref":"#/$defs/a"}`,
			`{"$defs":{"a":{"not":{"not":{"type":"integer"}}},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, "input-unjudged"},
		"properties": {`{"$defs":{"a":{"properties":{"b":{"not":{"$ref":"#/$defs/a"}},"c":{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/d"},{"$ref":"#/$defs/a"}]}}},"d":{"$ref":"#/$defs/d"}},"$ref":"#/$defs/a"}`,
			`{"$defs":{"a":{"properties":{"b":{"not":{"$ref":"#/$defs/a"}},"c":{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/d"},{"$ref":"#/$defs/a"}]}}},"d":{"$ref":"#/$defs/e"},"e":{"$ref":"#/$defs/d"}},"$ref":"#/$defs/a"}`, "input-unjudged"},
		"additional": {`{"$defs":{"a":{"additionalProperties":{"allOf":[{"type":"object"},{"$ref":"#/$defs/a"}]}}},"$ref":"#/$defs/a"}`,
			`{"$defs":{"a":{"properties":{"b":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/a"}]},"c":{"$ref":"#/$defs/a"}}}},"$ref":"#/$defs/a"}`, "input-type-changed"},
	} {
		before := server(manifest.Tool{Name: "t", Input: []byte(tc.before)})
		after := server(manifest.Tool{Name: "t", Input: []byte(tc.after)})
		r, err := breaking.Compare(before, after)
		if err != nil {
			t.Fatal(err)
		}
		found := func(c breaking.Change) bool { return c.Rule == tc.rule && c.Level == breaking.Breaking }
		if !slices.ContainsFunc(r.Changes, found) {
			t.Errorf("%s: got %+v, want %s", name, r.Changes, tc.rule)
		}
		allocations := testing.AllocsPerRun(1, func() { _, _ = breaking.Compare(before, after) })
		if allocations > maxAllocations {
			t.Errorf("%s: the comparison needs %v allocations, want at most %d", name, allocations, maxAllocations)
		}
		if same, err := breaking.Compare(before, before); err != nil || same.Level() != breaking.None {
			t.Errorf("%s: the schema differs from itself: %v, %v", name, same, err)
		}
	}
}
