package model

import (
	"encoding/json"
	"fmt"
	"go/token"
	"maps"
	"math/big"
	"reflect"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// A fitter proves that a Go type can hold every value that an exact schema allows, and that both have the same
// members. The schema may be narrower than the type, because the runtime rejects values that the
// schema does not allow. For results, [fitter.result] proves the opposite.
type fitter struct {
	b     *builder
	file  string
	root  shape.Node
	steps int
	depth int
	// at is the position of the nearest field, and what describes the field.
	at     token.Pos
	what   string
	number bool // the tag says that the schema's numbers are integers
	among  bool // the schema is an alternative, which has only some of the members
	// If failed is not nil, the fitter sets it instead of adding a finding.
	failed *bool
}

// report adds a finding about a schema that the type does not fit.
func (f *fitter) report(why, hint string) {
	if f.failed != nil {
		*f.failed = true
		return
	}
	f.b.list.Add(f.at, diag.Misfit, "%s: %s", f.file, why).Suggest("%s", hint)
}

// reportNarrow adds a finding about a value that the schema allows and the type cannot hold.
func (f *fitter) reportNarrow(s *schema.Shape, allowed, hint string) {
	f.report(fmt.Sprintf("%s may be %s, which %s cannot represent", f.what, allowed, f.b.spell(s)), hint)
}

// value proves that a shape can hold the values of a schema.
func (f *fitter) value(n shape.Node, s *schema.Shape) {
	f.depth++
	defer func() { f.depth-- }()
	if s.Kind == schema.Any || s.Kind == schema.Raw {
		return
	}
	n, known := f.normal(n)
	if !known {
		f.reportNarrow(s, "a value that jptoolgen does not understand", "use any")
		return
	}
	if branches := f.branches(n); branches != nil {
		among := f.among
		f.among = true
		for _, branch := range branches {
			f.value(branch, s)
		}
		f.among = among
		return
	}
	types := shape.Types(n)
	if s.Kind == schema.Pointer || s.Kind == schema.Nullable {
		s, types = s.Elem, slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	}
	if shape.Types(n) == nil {
		f.reportNarrow(s, "a value of any type", "use any")
		return
	}
	for _, t := range types {
		if !slices.Contains(f.types(s), t) {
			hint := "use another type, such as any"
			switch {
			case t == "null":
				hint = "use a pointer"
			case t == "number" && f.types(s)[0] == "integer":
				hint = "use float64, or tag it `jsonschema:\"number\"` if the tool does not need fractions"
			}
			f.reportNarrow(s, phrase.A(t), hint)
			return
		}
	}
	if len(types) > 0 {
		f.kind(n, s)
	}
}

// types returns the JSON types that a shape can hold.
func (f *fitter) types(s *schema.Shape) []string {
	switch s.Kind {
	case schema.Bool:
		return []string{"boolean"}
	case schema.Int, schema.Uint, schema.IntEnum:
		if f.number {
			return []string{"integer", "number"}
		}
		return []string{"integer"}
	case schema.Float:
		return []string{"number", "integer"}
	case schema.List, schema.Array:
		return []string{"array"}
	case schema.Map, schema.Struct, schema.Sum:
		return []string{"object"}
	case schema.JSON:
		if s.Custom.Type == "number" {
			return []string{"number", "integer"}
		}
		return []string{s.Custom.Type}
	}
	return []string{"string"}
}

// kind proves that a shape can hold the values of a schema, if it can hold their types.
func (f *fitter) kind(n shape.Node, s *schema.Shape) {
	switch s.Kind {
	case schema.Enum, schema.IntEnum:
		f.proveListed(n, s)
	case schema.Int, schema.Uint:
		f.proveBounds(n, s)
	case schema.Bytes, schema.Time, schema.Duration, schema.Text, schema.JSON:
		f.proveFormat(n, s)
	case schema.Array:
		length := json.Number(fmt.Sprint(s.Len))
		if n["minItems"] != length || n["maxItems"] != length {
			f.reportNarrow(s, "a list of a different length", "use a slice")
		}
		f.items(n, s)
	case schema.List:
		f.items(n, s)
	case schema.Map:
		if s.Key != schema.StringKey {
			f.reportNarrow(s, "an object with arbitrary names", "use keys of type string")
		}
		members, _ := n["properties"].(shape.Node)
		patterns, _ := n["patternProperties"].(shape.Node)
		for _, group := range []shape.Node{members, patterns, {"": n["additionalProperties"]}} {
			for _, name := range slices.Sorted(maps.Keys(group)) {
				f.inner(group[name], s.Elem, "a value of "+f.what)
			}
		}
	case schema.Struct:
		f.object(n, s)
	case schema.Sum:
		f.sum(n, s)
	}
}

// sum proves that a single case of a sum type can hold the values of a schema.
func (f *fitter) sum(n shape.Node, s *schema.Shape) {
	properties, _ := n["properties"].(shape.Node)
	required, _ := n["required"].([]any)
	for _, c := range s.Cases {
		member, _ := shape.Resolve(shape.AsNode(properties[c.Member]), f.root)
		values, _ := shape.Listed(member)
		others := slices.ContainsFunc(s.Cases, func(o schema.Case) bool { return o.Member != c.Member && !excludes(n, o.Member) })
		if slices.Contains(required, any(c.Member)) && (c.Value == "" && !others || len(values) == 1 && values[0] == c.Value) {
			f.among = false
			f.object(n, c.Shape)
			return
		}
	}
	f.reportNarrow(s, "an object of a different form", "declare a struct for it")
}

// excludes reports whether the objects of a schema cannot have a member with the given name.
func excludes(n shape.Node, name string) bool {
	properties, _ := n["properties"].(shape.Node)
	p, declared := properties[name]
	return p == false || !declared && n["additionalProperties"] == false
}

// inner proves that a shape can hold a part of a value.
func (f *fitter) inner(v any, s *schema.Shape, what string) {
	if v == false {
		return
	}
	before := *f
	f.what, f.number, f.among = what, false, false
	f.value(shape.AsNode(v), s)
	f.what, f.number, f.among = before.what, before.number, before.among
}

func (f *fitter) items(n shape.Node, s *schema.Shape) {
	first, _ := n["prefixItems"].([]any)
	for _, item := range append(slices.Clone(first), n["items"]) {
		f.inner(item, s.Elem, "an item of "+f.what)
	}
}

func (f *fitter) proveListed(n shape.Node, s *schema.Shape) {
	values, ok := shape.Listed(n)
	if !ok {
		f.reportNarrow(s, "a value other than its constants", "use string or int, or list the values in the schema")
	}
	for _, v := range values {
		text, _ := rawjson.Encode(v) // cannot fail: v was decoded from JSON
		if v != nil && !slices.ContainsFunc(s.Values, func(c schema.Value) bool { return c.Text == string(text) }) {
			f.reportNarrow(s, string(text), "declare a constant for it")
		}
	}
}

// proveBounds proves that the range of an integer type includes the range of a schema. It ignores the limits of
// 64-bit types, which do not matter in practice.
func (f *fitter) proveBounds(n shape.Node, s *schema.Shape) {
	low, high := s.Range()
	lower, upper := []any{n["minimum"], n["exclusiveMinimum"]}, []any{n["maximum"], n["exclusiveMaximum"]}
	if values, ok := shape.Listed(n); ok {
		numbers := slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil })
		if len(numbers) == 0 {
			return
		}
		lower = []any{slices.MinFunc(numbers, compare)}
		upper = []any{slices.MaxFunc(numbers, compare)}
	}
	if low != "" && !slices.ContainsFunc(lower, func(v any) bool { return v != nil && compare(v, json.Number(low)) >= 0 }) {
		f.reportNarrow(s, "less than "+low, "use int, or a minimum in the schema")
	}
	if high != "" && !slices.ContainsFunc(upper, func(v any) bool { return v != nil && compare(v, json.Number(high)) <= 0 }) {
		f.reportNarrow(s, "more than "+high, "use int, or a maximum in the schema")
	}
}

// compare compares two numbers of a schema.
func compare(v, w any) int {
	a, b := new(big.Rat), new(big.Rat)
	for n, value := range map[*big.Rat]any{a: v, b: w} {
		text, _ := value.(json.Number)
		n.SetString(string(text)) // limits in a parsed schema are valid numbers
	}
	return a.Cmp(b)
}

// proveFormat proves that a schema requires the string format that a type decodes, if the type decodes only one
// format.
func (f *fitter) proveFormat(n shape.Node, s *schema.Shape) {
	text := func(key string) string { value, _ := n[key].(string); return value }
	own := schema.OfShape(s, schema.In)
	switch {
	case own.Type != "string":
	case own.Format == "" && own.Pattern == "" && own.ContentEncoding == "" && (text("format") != "" || text("pattern") != ""):
	case own.Format != "" && text("format") == own.Format, own.Pattern != "" && text("pattern") == own.Pattern:
	case own.ContentEncoding != "" && (text("contentEncoding") == own.ContentEncoding || text("format") == own.ContentEncoding):
	default:
		f.reportNarrow(s, "a string that is not in the format of "+f.b.spell(s), "use string, or state the format in the schema")
	}
}

// object proves that an object and a struct have the same members.
func (f *fitter) object(n shape.Node, s *schema.Shape) {
	properties, _ := n["properties"].(shape.Node)
	fields := map[string]*schema.Field{}
	for _, field := range s.Object.Fields() {
		fields[field.Name] = field
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if fields[name] == nil && properties[name] != false {
			f.report(fmt.Sprintf("the schema allows the property %q, but the type of %s has no field for it", name, f.what), fmt.Sprintf("add a field with the tag `json:%q`", name))
		}
	}
	others, typed := n["additionalProperties"].(shape.Node)
	if typed && len(others) > 0 || n["patternProperties"] != nil {
		f.reportNarrow(s, "an object with undeclared names", "use a map")
	}
	required, _ := n["required"].([]any)
	for _, field := range s.Object.Fields() {
		inner := *f
		inner.at, inner.what, inner.number = f.b.nearestPos(field.Var, f.at), "field "+field.Var.Name(), field.Constraints.Number
		if p, ok := properties[field.Name]; ok {
			inner.field(p, field, slices.Contains(required, any(field.Name)))
		} else if field.Required || !f.among {
			inner.report(inner.what+" is not a property", fmt.Sprintf("add the property %q, or delete the field", field.Name))
		}
		f.steps = inner.steps
	}
}

// field proves that a property and a field are both required or both optional, and have the same default and
// values.
func (f *fitter) field(property any, field *schema.Field, required bool) {
	kind := field.Shape.Kind
	among := f.among
	f.among = false
	switch open := kind == schema.Pointer || kind == schema.Nullable || kind == schema.Any || kind == schema.Raw; {
	case field.Required && !required:
		f.report(f.what+" is required, but the schema does not require it", "use a pointer, or add omitempty to its tag")
	case required && !field.Required && !open && !among:
		f.report(f.what+" is optional, but the schema requires it", "delete omitempty and the default")
	case !open && field.Shape.Flat():
		f.preset(shape.AsNode(property), field)
	}
	if property != false {
		f.value(shape.AsNode(property), field.Shape)
	}
}

// preset proves that a field has the same default as its schema.
func (f *fitter) preset(n shape.Node, field *schema.Field) {
	n, _ = shape.Resolve(n, f.root)
	want := n["default"]
	if want == nil && field.Constraints.Default == "" {
		return
	}
	got := shape.Decode([]byte(field.Constraints.Default)) // nil if there is no default
	if text, _ := json.Marshal(want); !reflect.DeepEqual(got, want) {
		f.report(fmt.Sprintf("%s must have the default of the schema, %s", f.what, text), "write the same `default:\"...\"`, or use a pointer")
	}
}
