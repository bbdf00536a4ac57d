package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// object compares the members of a schema with the fields of a struct.
func (f fitter) object(n shape.Node, s *schema.Shape) {
	properties, _ := n["properties"].(shape.Node)
	required, _ := n["required"].([]any)
	always := schema.Of(s.Object, schema.Out).Required
	fields := map[any]bool{}
	for _, field := range s.Object.Fields() {
		fields[field.Name] = true
		inner := f
		inner.at, inner.what, inner.number = f.b.nearestPos(field.Var, f.at), "field "+field.Var.Name(), field.Constraints.Number
		p, ok := properties[field.Name]
		needed := slices.Contains(required, any(field.Name))
		switch {
		case ok && f.direction == schema.In:
			inner.field(p, field, needed)
		case ok:
			inner.value(shape.AsNode(p), field.Shape)
			if needed && !slices.Contains(always, field.Name) {
				inner.report(inner.what+" may be omitted, but is required in the schema", "delete omitempty, or use tool.Nullable instead of a pointer")
			}
		case field.Required || !f.among:
			inner.report(inner.what+" is not a property", fmt.Sprintf("add the property %q to the schema, or delete the field", field.Name))
		}
	}
	others, typed := n["additionalProperties"].(shape.Node)
	if f.direction == schema.In && (typed && len(others) > 0 || n["patternProperties"] != nil) {
		f.reportValues(s, "an object with undeclared members", "use a map")
	}
	verb := "requires"
	if f.direction == schema.In {
		verb, required = "allows", nil
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if properties[name] != false {
				required = append(required, name)
			}
		}
	}
	for _, name := range required {
		if !fields[name] {
			f.report(fmt.Sprintf("the schema %s the property %q, but the type of %s has no field for it", verb, name, f.what), fmt.Sprintf("add a field with the tag `json:%q`", name))
		}
	}
}

// field checks that a property and a field are both required or both optional, and have the same default and
// values.
func (f fitter) field(property any, field *schema.Field, required bool) {
	kind := field.Shape.Kind
	among := f.among
	f.among = false
	switch open := kind == schema.Pointer || kind == schema.Nullable || field.Shape.Open(); {
	case field.Required && !required:
		f.report(f.what+" is required, but the schema does not require it", "use a pointer, or add omitempty to its tag")
	case required && !field.Required && !open && !among:
		f.report(f.what+" is optional, but the schema requires it", "delete omitempty and the default")
	case !open && field.Shape.Flat():
		f.preset(shape.AsNode(property), field)
	}
	f.value(shape.AsNode(property), field.Shape)
}

// preset checks that a field has the same default as its schema.
func (f fitter) preset(n shape.Node, field *schema.Field) {
	n, _ = shape.Resolve(n, f.forms.Root)
	want := n["default"]
	if want == nil && field.Constraints.Default == "" {
		return
	}
	got := shape.Decode([]byte(field.Constraints.Default)) // nil if there is no default
	if text, _ := json.Marshal(want); !reflect.DeepEqual(got, want) {
		f.report(fmt.Sprintf("%s must have the same default as in the schema, %s", f.what, text), "write the same `default:\"...\"`, or use a pointer")
	}
}
