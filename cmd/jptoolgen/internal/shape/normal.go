package shape

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Annotations are the keywords that do not restrict values.
var Annotations = []string{"title", "description", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema", "$id", "$anchor"}

// maxBranches is the maximum number of alternatives that are compared with each other, and maxValues is the
// maximum number of listed values.
const (
	maxBranches = 256
	maxValues   = 4096
)

// Forms computes the normal forms of the schemas in a document. Equivalent schemas from different programs have the
// same normal form.
type Forms struct {
	// Root is the document, to resolve references.
	Root Node
	// steps limits the work. When it is used up, schemas stay as they are.
	steps *int
	known map[uintptr]form
	// circular is set if the schema being read refers to itself for the same value.
	circular bool
}

// A form is the normal form of a schema.
type form struct {
	schema, normal Node // schema keeps the memory of its address in use
	resolved       bool
}

// NewForms returns the normal forms of the schemas in a document. steps limits the work for several documents.
func NewForms(root Node, steps *int) *Forms {
	return &Forms{Root: root, steps: steps, known: map[uintptr]form{}}
}

// Of follows the references of a schema, and returns a schema that allows the same values in a normal form. It
// flattens allOf, writes constants as an enumeration, writes alternatives that exclude each other as anyOf, and writes
// a value or null as a list of types. It removes keywords that have no effect. It does not change parts that it does
// not understand. resolved is false if a reference was not found, or if the schema refers to itself for the same value,
// as in {"anyOf": [{"$ref": "#"}]}. Neither the schema nor the result may be changed.
func (f *Forms) Of(s Node) (normal Node, resolved bool) {
	at := reflect.ValueOf(s).Pointer()
	if known, ok := f.known[at]; ok {
		f.circular = f.circular || known.normal == nil
		return known.normal, known.resolved
	}
	*f.steps -= 1 + len(s)/16
	target, ok := Resolve(s, f.Root)
	if !ok || *f.steps < 0 {
		f.known[at] = form{s, target, ok}
		return target, ok
	}
	f.known[at] = form{schema: s}
	around := f.circular
	f.circular = false
	normal = f.normal(target)
	f.known[at] = form{s, normal, !f.circular}
	f.circular, resolved = f.circular || around, !f.circular
	return normal, resolved
}

func (f *Forms) normal(s Node) Node {
	s = maps.Clone(s)
	f.flatten(s)
	replaceUnevaluated(s)
	for _, k := range []string{"oneOf", "anyOf"} {
		f.unite(s, k)
	}
	optional(s, f.Root)
	replaceUnevaluated(s)
	wholeNumbers(s)
	enumerate(s)
	applicable(s)
	return f.idle(s)
}

// AsNode returns a JSON value as a schema. A value that is not a schema, such as the list of schemas in older
// drafts, becomes a keyword whose effect is unknown.
func AsNode(v any) Node {
	switch v := v.(type) {
	case nil:
		return Node{}
	case Node:
		return v
	case bool:
		if v {
			return Node{}
		}
		return Node{"not": Node{}}
	}
	return Node{"disallow": v}
}

// Resolve follows the references of a schema inside the document. Keywords next to a reference apply as well. It
// reports whether all references were found.
func Resolve(s, root Node) (Node, bool) {
	for range MaxDepth {
		ref, ok := s["$ref"].(string)
		if !ok {
			return s, true
		}
		target, ok := Lookup(root, ref)
		if !ok {
			return s, false
		}
		siblings := maps.Clone(s)
		delete(siblings, "$ref")
		merged := maps.Clone(target)
		for k, v := range siblings {
			if other, both := target[k]; both && !reflect.DeepEqual(other, v) && !slices.Contains(Annotations, k) && k != "default" {
				ok = false
			}
			merged[k] = v
		}
		if !ok || dependent(target, dropUnevaluated(siblings)) {
			list, _ := siblings["allOf"].([]any)
			siblings["allOf"] = append(slices.Clone(list), target)
			return siblings, true
		}
		s = merged
	}
	return s, false
}

// Types returns the types of a schema, or nil if it has no "type" keyword.
func Types(s Node) []string {
	switch t := s["type"].(type) {
	case string:
		return []string{t}
	case []any:
		all := []string{}
		for _, v := range t {
			name, _ := v.(string)
			all = append(all, name)
		}
		return all
	}
	return nil
}

// HasType reports whether a list of types includes t. Every integer is a number.
func HasType(types []string, t string) bool {
	return slices.Contains(types, t) || t == "integer" && slices.Contains(types, "number")
}

// setTypes sets the "type" keyword.
func setTypes(s Node, types []string) {
	if len(types) == 1 {
		s["type"] = types[0]
		return
	}
	all := make([]any, len(types))
	for i, t := range types {
		all[i] = t
	}
	s["type"] = all
}

// optional replaces an anyOf that a single schema can express: an anyOf with one alternative, or with one
// alternative and null.
func optional(s, root Node) {
	branches, _ := s["anyOf"].([]any)
	isNull := func(b any) bool { return reflect.DeepEqual(b, Node{"type": "null"}) }
	others := slices.DeleteFunc(slices.Clone(branches), isNull)
	if len(others) != 1 || len(branches) > 2 {
		return
	}
	other, ok := Resolve(AsNode(others[0]), root)
	if !ok || recursive(others[0], root) || dependent(s, other) {
		return
	}
	for _, k := range []string{"anyOf", "oneOf", "allOf", "not", "if", "disallow"} {
		if other[k] != nil {
			return // the keyword may apply to null as well
		}
	}
	for k := range other {
		if _, twice := s[k]; twice && k != "title" && k != "description" {
			return
		}
	}
	_, listed := Listed(s)
	_, also := Listed(other)
	types := Types(other)
	if len(branches) == 2 && types == nil || listed && also {
		return
	}
	delete(s, "anyOf")
	for k, v := range other {
		if _, twice := s[k]; !twice {
			s[k] = v
		}
	}
	if len(branches) == 1 {
		return
	}
	setTypes(s, append(slices.Clone(types), "null"))
	if values, ok := Listed(s); ok {
		delete(s, "const")
		s["enum"] = append(slices.Clone(values), nil)
	}
}

// recursive reports whether a schema contains a reference that leads back to itself. It also returns true for
// schemas that are too large to check.
func recursive(v any, root Node) bool {
	following, left := map[string]bool{}, 1000
	var visit func(v any) bool
	visit = func(v any) bool {
		if left--; left < 0 {
			return true
		}
		switch v := v.(type) {
		case []any:
			return slices.ContainsFunc(v, visit)
		case Node:
			if ref, ok := v["$ref"].(string); ok {
				target, found := Lookup(root, ref)
				if following[ref] {
					return true
				}
				following[ref] = true
				defer delete(following, ref)
				if found && visit(target) {
					return true
				}
			}
			for _, child := range v {
				if visit(child) {
					return true
				}
			}
		}
		return false
	}
	return visit(v)
}

// EveryType holds the types of JSON. Every value has one of them.
var EveryType = []string{"array", "boolean", "null", "number", "object", "string"}

// wholeNumbers replaces the type number with integer if the values must be multiples of 1. It removes integer from
// a list of types that includes number, and removes the list if it includes every JSON type.
func wholeNumbers(s Node) {
	if types := Types(s); slices.Contains(types, "number") && slices.Contains(types, "integer") {
		setTypes(s, slices.DeleteFunc(types, func(t string) bool { return t == "integer" }))
	}
	if types := Types(s); len(types) >= len(EveryType) && !slices.ContainsFunc(EveryType, func(t string) bool { return !slices.Contains(types, t) }) {
		delete(s, "type")
	}
	if s["multipleOf"] != json.Number("1") {
		return
	}
	types := Types(s)
	if i := slices.Index(types, "number"); i >= 0 {
		types[i] = "integer"
		setTypes(s, types)
	}
	if slices.Contains(types, "integer") {
		delete(s, "multipleOf")
	}
}

// enumerate removes the listed values that the type or the bounds exclude, and derives the type from the remaining
// values.
func enumerate(s Node) {
	values, ok := Listed(s)
	if !ok {
		return
	}
	if all, ok := s["enum"].([]any); ok && len(values) == 1 && !contains(all, values[0]) {
		s["not"] = Node{} // no value satisfies both enum and const
		return
	}
	types := Types(s)
	var left []any
	var kinds []string
	for _, v := range values {
		kind := kindOf(v)
		if Excludes(s, v) || types != nil && !HasType(types, kind) {
			continue
		}
		left = append(left, v)
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(left) == 0 {
		return // a schema that allows no value is a mistake, and stays visible
	}
	delete(s, "const")
	s["enum"] = left
	slices.Sort(kinds)
	setTypes(s, kinds)
	wholeNumbers(s)
	if len(kinds) == 1 && (kinds[0] == "null" || kinds[0] == "boolean" && contains(left, true) && contains(left, false)) {
		delete(s, "enum")
	}
}

// kindOf returns the most specific type of a JSON value.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case Node:
		return "object"
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			return "integer"
		}
		if n := exactNumber(v); n != nil && n.IsInt() {
			return "integer"
		}
	}
	return "number"
}

// applicable removes the keywords that only restrict values of types that the schema excludes.
func applicable(s Node) {
	types := Types(s)
	if types == nil {
		return
	}
	for _, group := range []struct {
		types, keywords []string
	}{
		{[]string{"string"}, []string{"minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType"}},
		{[]string{"string", "integer", "number"}, []string{"format"}}, // OpenAPI has formats of numbers, such as int32
		{[]string{"integer", "number"}, []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
		{[]string{"array"}, []string{"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"}},
		{[]string{"object"}, []string{
			"properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties",
			"dependentRequired", "dependentSchemas",
		}},
	} {
		if !slices.ContainsFunc(group.types, func(t string) bool { return slices.Contains(types, t) }) {
			for _, k := range group.keywords {
				delete(s, k)
			}
		}
	}
}
