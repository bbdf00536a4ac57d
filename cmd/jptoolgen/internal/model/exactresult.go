package model

import (
	"encoding/json"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
)

// result proves that a schema allows the results of a tool. It ignores limits and lists of values,
// because the runtime rejects results that violate them.
func (f *fitter) result(s *Server, t *Tool) {
	r := t.Result
	object := &schema.Shape{Kind: schema.Struct, Type: r.Type}
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
		object.Object = &schema.Object{Type: r.Type, Members: []schema.Member{{Field: &schema.Field{Name: "result", Var: value, Shape: r.Shape, Required: true}}}}
	default:
		object = r.Shape
	}
	if root, ok := f.normal(f.root); !ok || !slices.Equal(shape.Types(root), []string{"object"}) {
		f.report("outputSchema is not the schema of an object", `add "type": "object" to it`)
		return
	}
	f.proveResult(f.root, object)
}

// proveResult proves that a schema allows every value of a shape in a result.
func (f *fitter) proveResult(n shape.Node, s *schema.Shape) {
	f.depth++
	defer func() { f.depth-- }()
	n, ok := f.normal(n)
	switch {
	case s.Kind == schema.Any || s.Kind == schema.Raw:
		return
	case !ok || shape.Never(n):
		f.extends(s, "its values")
		return
	case s.Kind == schema.Pointer: // a nil pointer is left out
		f.proveResult(n, s.Elem)
		return
	case s.Kind == schema.Nullable:
		if !f.allowsNull(n) {
			f.extends(s, "null")
		}
		f.proveResult(n, s.Elem)
		return
	case s.Kind == schema.Sum:
		for _, c := range s.Cases {
			if !f.allows(n, c.Shape) {
				f.extends(c.Shape, "its values")
			}
		}
		return
	}
	if branches := f.branches(n); branches != nil {
		if !slices.ContainsFunc(branches, func(b shape.Node) bool { return f.allows(b, s) }) {
			f.extends(s, "all of its values within a single alternative")
		}
		return
	}
	made, called := f.types(s)[0], ""
	if s.Exact {
		made, called = "string", ", which is its type in results"
	}
	if allowed := shape.Types(n); allowed != nil && !slices.Contains(allowed, made) && (made != "integer" || !slices.Contains(allowed, "number")) {
		f.extends(s, phrase.A(made)+called)
		return
	}
	switch s.Kind {
	case schema.Enum, schema.IntEnum:
		values, listed := shape.Listed(n)
		for _, c := range s.Values {
			if listed && !slices.ContainsFunc(values, func(v any) bool { text, _ := json.Marshal(v); return string(text) == c.Text }) {
				f.extends(s, c.Text)
			}
		}
	case schema.List, schema.Array:
		f.part(n["items"], s.Elem, "an item of "+f.what)
	case schema.Map:
		f.part(n["additionalProperties"], s.Elem, "a value of "+f.what)
	case schema.Struct:
		f.members(n, s.Object)
	}
}

// extends adds a finding about values of a type that the schema does not allow.
func (f *fitter) extends(s *schema.Shape, values string) {
	f.report(fmt.Sprintf("%s has type %s, but the schema does not allow %s", f.what, f.b.spell(s), values), "use another type, or extend outputSchema")
}

// normal returns the normal form of a schema. It reports whether it could resolve the schema.
func (f *fitter) normal(n shape.Node) (shape.Node, bool) {
	n, known := shape.Resolve(n, f.root)
	if !known || f.depth > shape.MaxDepth || f.steps < 0 {
		return n, false
	}
	return shape.Normal(n, f.root, &f.steps), true
}

// branches returns the alternatives of a schema. Each includes the keywords next to the union.
func (f *fitter) branches(n shape.Node) []shape.Node {
	for _, k := range []string{"anyOf", "oneOf"} {
		list, ok := n[k].([]any)
		if !ok {
			continue
		}
		rest := maps.Clone(n)
		delete(rest, k)
		var all []shape.Node
		for _, b := range list {
			all = append(all, shape.Node{"allOf": []any{rest, b}})
		}
		return all
	}
	return nil
}

// allows does the same as [fitter.proveResult] but adds no findings.
func (f *fitter) allows(n shape.Node, s *schema.Shape) bool {
	trial, failed := *f, false
	trial.failed = &failed
	trial.proveResult(n, s)
	f.steps = trial.steps
	return !failed
}

// allowsNull reports whether a schema in its normal form allows null.
func (f *fitter) allowsNull(n shape.Node) bool {
	if branches := f.branches(n); branches != nil {
		return slices.ContainsFunc(branches, func(b shape.Node) bool {
			b, ok := f.normal(b)
			return ok && f.allowsNull(b)
		})
	}
	types := shape.Types(n)
	return !shape.Never(n) && (types == nil || slices.Contains(types, "null"))
}

// part proves that the schema of a part of a value allows that part.
func (f *fitter) part(v any, s *schema.Shape, what string) {
	before := f.what
	f.what = what
	f.proveResult(shape.AsNode(v), s)
	f.what = before
}

// members proves that a schema allows the members of a struct, and that the struct has the required members.
func (f *fitter) members(n shape.Node, o *schema.Object) {
	properties, _ := n["properties"].(shape.Node)
	required, _ := n["required"].([]any)
	always := schema.Of(o, schema.Out).Required
	has := map[any]bool{}
	for _, field := range o.Fields() {
		has[field.Name] = true
		inner := *f
		inner.at, inner.what = f.b.nearestPos(field.Var, f.at), "field "+field.Var.Name()
		if p, ok := properties[field.Name]; !ok {
			inner.report(inner.what+" is not a property", fmt.Sprintf("add the property %q to outputSchema, or delete the field", field.Name))
		} else if inner.part(p, field.Shape, inner.what); slices.Contains(required, any(field.Name)) && !slices.Contains(always, field.Name) {
			inner.report(inner.what+" may be omitted, but is required in the schema", "delete omitempty, or use tool.Nullable instead of a pointer")
		}
		f.steps = inner.steps
	}
	for _, name := range required {
		if !has[name] {
			f.report(fmt.Sprintf("the schema requires the property %q, but %s has no field for it", name, f.what), fmt.Sprintf("add a field with the tag `json:%q`", name))
		}
	}
}
