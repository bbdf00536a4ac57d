package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// A fitter compares an exact schema with a Go type. The type of arguments must be able to hold every value that the
// schema allows, and both must have the same members. The schema may be narrower than the type, because the runtime
// rejects values that the schema does not allow. The schema of results must allow every value of the type, except for
// limits and lists of values, because the runtime rejects results that violate them.
type fitter struct {
	b         *builder
	file      string
	direction schema.Direction
	forms     *shape.Forms
	steps     *int
	depth     int
	// at is the position of the nearest field, and what describes the field.
	at     token.Pos
	what   string
	number bool // the tag says that the schema's numbers are integers
	among  bool // the schema is an alternative, which has only some of the members
	// If failed is not nil, the fitter sets it instead of adding a finding.
	failed *bool
}

// report adds a finding about a schema that the type does not fit.
func (f fitter) report(why, hint string) {
	if f.failed != nil {
		*f.failed = true
		return
	}
	f.b.list.Add(f.at, diag.Misfit, "%s: %s", f.file, why).Suggest("%s", hint)
}

// reportValues adds a finding about values that only the schema allows, or for results, that only the type allows.
func (f fitter) reportValues(s *schema.Shape, values, hint string) {
	why := fmt.Sprintf("%s may be %s, which %s cannot represent", f.what, values, f.b.spell(s))
	if f.direction == schema.Out {
		why = fmt.Sprintf("%s has type %s, but the schema does not allow %s", f.what, f.b.spell(s), values)
		hint = "use another type, or extend outputSchema"
	}
	f.report(why, hint)
}

// result compares the schema with the results of a tool.
func (f fitter) result(s *Server, t *Tool) {
	r := t.Result
	object := r.Shape
	switch {
	case s.Envelope:
		f.report("the structured content of the server is an envelope", "delete outputSchema, or envelope=true")
		return
	case r.Chosen:
		f.report("callers choose the members of the result", "delete outputSchema, or the argument of type tool.Fields")
		return
	case r.Shape == nil:
		f.report("the tool returns no structured content", "return a struct, or delete outputSchema")
		return
	case r.Form == Wrapped:
		value := types.NewField(t.Method.Pos(), f.b.pkg.Types, "result", r.Type, false)
		field := &schema.Field{Name: "result", Var: value, Shape: r.Shape, Required: true}
		object = &schema.Shape{Kind: schema.Struct, Type: r.Type, Object: &schema.Object{Type: r.Type, Members: []schema.Member{{Field: field}}}}
	}
	if root, ok := f.normal(f.forms.Root); !ok || !slices.Equal(shape.Types(root), []string{"object"}) {
		f.report("outputSchema is not an object schema", `add "type": "object" to it`)
		return
	}
	f.value(f.forms.Root, object)
}

// value compares a schema with a shape.
func (f fitter) value(n shape.Node, s *schema.Shape) {
	f.depth++
	base := s.Base()
	n, known := f.normal(n)
	switch branches := f.branches(n); {
	case base.Open():
	case !known:
		f.report(fmt.Sprintf("%s has a schema that jptoolgen cannot compare with type %s", f.what, f.b.spell(s)), "use any")
	case f.direction == schema.Out:
		f.allowed(n, branches, s)
	case branches != nil:
		f.among = true
		for _, branch := range branches {
			f.value(branch, s)
		}
	case shape.Never(n), s != base && slices.Equal(shape.Types(n), []string{"null"}):
	case shape.Types(n) == nil:
		f.reportValues(base, "a value of any type", "use any")
	default:
		held := f.typeOf(base)
		others := slices.DeleteFunc(shape.Types(n), func(t string) bool {
			return t == "null" && s != base || shape.HasType([]string{held}, t)
		})
		switch {
		case len(others) == 0:
			f.kind(n, base)
		case others[0] == "null":
			f.reportValues(base, "null", "use a pointer")
		case others[0] == "number" && held == "integer":
			f.reportValues(base, "a number", "use float64, or tag it `jsonschema:\"number\"` if the tool does not need fractions")
		default:
			f.reportValues(base, phrase.A(others[0]), "use another type, such as any")
		}
	}
}

// null is the shape of null.
var null = &schema.Shape{Kind: schema.JSON, Custom: &schema.Custom{Type: "null"}}

// allowed checks that a schema in its normal form allows every value of a shape. branches are the
// alternatives of the schema.
func (f fitter) allowed(n shape.Node, branches []shape.Node, s *schema.Shape) {
	made := f.typeOf(s)
	switch {
	case shape.Never(n):
		f.reportValues(s, "its values", "")
	case s.Kind == schema.Pointer: // a nil pointer is omitted
		f.value(n, s.Elem)
	case s.Kind == schema.Nullable:
		if !f.allows(n, null) {
			f.reportValues(s, "null", "")
		}
		f.value(n, s.Elem)
	case s.Kind == schema.Sum:
		for _, c := range s.Cases {
			if !f.allows(n, c.Shape) {
				f.reportValues(c.Shape, "its values", "")
			}
		}
	case branches != nil:
		if !slices.ContainsFunc(branches, func(b shape.Node) bool { return f.allows(b, s) }) {
			f.reportValues(s, "all of its values within a single alternative", "")
		}
	case shape.Types(n) == nil || shape.HasType(shape.Types(n), made):
		f.kind(n, s)
	case s.Exact && f.direction == schema.Out:
		f.reportValues(s, phrase.A(made)+", the JSON type of such integers in results", "")
	default:
		f.reportValues(s, phrase.A(made), "")
	}
}

// allows reports whether a schema allows every value of a shape.
func (f fitter) allows(n shape.Node, s *schema.Shape) bool {
	failed := false
	f.failed = &failed
	f.value(n, s)
	return !failed
}

// normal returns the normal form of a schema. It reports whether it could resolve the schema.
func (f fitter) normal(n shape.Node) (shape.Node, bool) {
	if f.depth > shape.MaxDepth || *f.steps < 0 {
		return n, false
	}
	return f.forms.Of(n)
}

// branches returns the alternatives of a schema. Each includes the keywords next to the union.
func (f fitter) branches(n shape.Node) []shape.Node {
	for _, k := range []string{"anyOf", "oneOf"} {
		list, ok := n[k].([]any)
		if !ok {
			continue
		}
		rest := maps.Clone(n)
		delete(rest, k)
		if f.direction == schema.In { // conditions only narrow the alternatives, and cannot be merged with them
			for _, condition := range []string{"if", "then", "else"} {
				delete(rest, condition)
			}
		}
		var all []shape.Node
		for _, b := range list {
			all = append(all, shape.Node{"allOf": []any{rest, b}})
		}
		return all
	}
	return nil
}

// typeOf returns the JSON type of a shape.
func (f fitter) typeOf(s *schema.Shape) string {
	t := cmp.Or(schema.OfShape(s, f.direction).Type, "object") // the cases of a sum type are objects
	if t == "integer" && f.number && f.direction == schema.In {
		return "number"
	}
	return t
}

// kind compares a schema with a shape of the same type.
func (f fitter) kind(n shape.Node, s *schema.Shape) {
	if f.direction == schema.In {
		f.limits(n, s)
	}
	switch s.Kind {
	case schema.Enum, schema.IntEnum:
		f.listed(n, s)
	case schema.List, schema.Array, schema.Flags:
		first, _ := n["prefixItems"].([]any)
		for _, item := range append(slices.Clone(first), n["items"]) {
			f.part(item, s.Elem, "an item of "+f.what)
		}
	case schema.Map:
		members, _ := n["properties"].(shape.Node)
		patterns, _ := n["patternProperties"].(shape.Node)
		for _, group := range []shape.Node{members, patterns, {"": n["additionalProperties"]}} {
			for _, name := range slices.Sorted(maps.Keys(group)) {
				f.part(group[name], s.Elem, "a value of "+f.what)
			}
		}
	case schema.Struct:
		f.object(n, s)
	case schema.Sum:
		f.sum(n, s)
	}
}

// part compares the schema of a part of a value with the shape of that part.
func (f fitter) part(v any, s *schema.Shape, what string) {
	f.what, f.number, f.among = what, false, false
	if s.Kind == schema.Pointer && f.direction == schema.Out && !f.allows(shape.AsNode(v), null) {
		f.reportValues(s, "null", "")
	}
	f.value(shape.AsNode(v), s)
}

// limits checks that a shape has no limits that the schema of an argument lacks.
func (f fitter) limits(n shape.Node, s *schema.Shape) {
	switch s.Kind {
	case schema.Int, schema.Uint:
		f.bounds(n, s)
	case schema.Bytes, schema.Time, schema.Duration, schema.Text, schema.JSON, schema.Std:
		f.format(n, s)
	case schema.Array:
		length := json.Number(fmt.Sprint(s.Len))
		if n["minItems"] != length || n["maxItems"] != length {
			f.reportValues(s, "a list of a different length", "use a slice")
		}
	case schema.Map:
		if s.Key != schema.StringKey {
			f.reportValues(s, "an object with arbitrary member names", "use keys of type string")
		}
	}
}

// sum checks that a single case of a sum type can hold the values of a schema.
func (f fitter) sum(n shape.Node, s *schema.Shape) {
	properties, _ := n["properties"].(shape.Node)
	required, _ := n["required"].([]any)
	for _, c := range s.Cases {
		member, _ := shape.Resolve(shape.AsNode(properties[c.Member]), f.forms.Root)
		values, _ := shape.Listed(member)
		others := slices.ContainsFunc(s.Cases, func(o schema.Case) bool { return o.Member != c.Member && !excludes(n, o.Member) })
		if slices.Contains(required, any(c.Member)) && (c.Value == "" && !others || len(values) == 1 && values[0] == c.Value) {
			f.among = false
			f.object(n, c.Shape)
			return
		}
	}
	f.reportValues(s, "an object with a different structure", "declare a struct for it")
}

// excludes reports whether the objects of a schema cannot have a member with the given name.
func excludes(n shape.Node, name string) bool {
	properties, _ := n["properties"].(shape.Node)
	p, declared := properties[name]
	return p == false || !declared && n["additionalProperties"] == false
}

// listed compares the values listed in a schema with the constants of a type.
func (f fitter) listed(n shape.Node, s *schema.Shape) {
	values, ok := shape.Listed(n)
	if !ok && f.direction == schema.In {
		f.reportValues(s, "a value other than its constants", "use string or int, or list the values in the schema")
	}
	var given, known []string
	for _, v := range values {
		text, _ := rawjson.Encode(v) // cannot fail: v was decoded from JSON
		given = append(given, string(text))
	}
	for _, c := range s.Values {
		known = append(known, c.Text)
	}
	if f.direction == schema.Out {
		given, known = known, given
	}
	for _, text := range given {
		if ok && text != "null" && !slices.Contains(known, text) {
			f.reportValues(s, text, "declare a constant for it")
		}
	}
}

// bounds checks that the range of an integer type includes the range of a schema. It ignores the limits of 64-bit
// types, which do not matter in practice.
func (f fitter) bounds(n shape.Node, s *schema.Shape) {
	low, high := s.Range()
	values, listed := shape.Listed(n)
	for _, b := range []struct{ limit, keyword, exclusive, words string }{
		{low, "minimum", "exclusiveMinimum", "less than "}, {high, "maximum", "exclusiveMaximum", "more than "},
	} {
		isWithin := func(v any) bool { return v != nil && !shape.Excludes(shape.Node{b.keyword: json.Number(b.limit)}, v) }
		fits := isWithin(n[b.keyword]) || isWithin(n[b.exclusive])
		if listed {
			fits = !slices.ContainsFunc(values, func(v any) bool { return v != nil && !isWithin(v) })
		}
		if b.limit != "" && !fits {
			f.reportValues(s, b.words+b.limit, "use int, or set a "+b.keyword+" in the schema")
		}
	}
}

// format checks that a schema requires the string format that a type decodes, if the type decodes only one
// format.
func (f fitter) format(n shape.Node, s *schema.Shape) {
	text := func(key string) string { value, _ := n[key].(string); return value }
	own := schema.OfShape(s, schema.In)
	switch {
	case own.Type != "string":
	case own.Format == "" && own.Pattern == "" && own.ContentEncoding == "" && (text("format") != "" || text("pattern") != ""):
	case own.Format != "" && text("format") == own.Format, own.Pattern != "" && text("pattern") == own.Pattern:
	case own.ContentEncoding != "" && (text("contentEncoding") == own.ContentEncoding || text("format") == own.ContentEncoding):
	default:
		f.reportValues(s, "a string in any format", "use string, or specify the format in the schema")
	}
}
