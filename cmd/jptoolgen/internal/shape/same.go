package shape

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Same reports whether two schemas have the same normal form, with the same descriptions and other annotations.
// It ignores the title of the root. Recursive schemas are only the same if they are written in the same way.
func Same(a, b jsontext.Value) bool {
	x, okX := Decode(a).(Node)
	y, okY := Decode(b).(Node)
	if !okX || !okY || len(a) > maxBytes || len(b) > maxBytes {
		return false
	}
	if reflect.DeepEqual(x, y) {
		return true
	}
	Document(x)
	Document(y)
	delete(x, "title")
	delete(y, "title")
	t := twins{a: x, b: y, steps: maxFit}
	return t.equal(x, y, 0)
}

// twins are two documents being compared.
type twins struct {
	a, b  Node
	steps int
}

func (t *twins) equal(x, y Node, depth int) bool {
	x, okX := Resolve(x, t.a)
	y, okY := Resolve(y, t.b)
	if !okX || !okY || depth > MaxDepth || t.steps < 0 {
		return false
	}
	x, y = t.plain(x, t.a), t.plain(y, t.b)
	if len(x) != len(y) {
		return false
	}
	for k, v := range x {
		if w, ok := y[k]; !ok || !t.keyword(k, v, w, depth+1) {
			return false
		}
	}
	return true
}

// plain returns the normal form of a schema without keywords that have no effect.
func (t *twins) plain(s, root Node) Node {
	s = maps.Clone(Normal(s, root, &t.steps))
	maps.DeleteFunc(s, func(k string, v any) bool {
		switch k {
		case "$defs", "definitions", "$schema", "$id":
			return true
		case "items", "additionalProperties":
			return v == true || reflect.DeepEqual(v, Node{})
		case "required", "properties", "patternProperties", "title", "description":
			return v == "" || reflect.ValueOf(v).Kind() != reflect.String && reflect.ValueOf(v).Len() == 0
		}
		return false
	})
	return s
}

// keyword reports whether two values of a keyword have the same meaning.
func (t *twins) keyword(k string, v, w any, depth int) bool {
	switch k {
	case "required", "type", "enum":
		return reflect.DeepEqual(sortedJSON(v), sortedJSON(w))
	case "properties", "patternProperties", "dependentSchemas":
		a, okA := v.(Node)
		b, okB := w.(Node)
		if !okA || !okB || len(a) != len(b) {
			return false
		}
		for name, p := range a {
			q, ok := b[name]
			if !ok || !t.equal(AsNode(p), AsNode(q), depth) {
				return false
			}
		}
		return true
	case "allOf", "anyOf", "oneOf", "prefixItems":
		a, okA := v.([]any)
		b, okB := w.([]any)
		return okA && okB && slices.EqualFunc(a, b, func(p, q any) bool { return t.equal(AsNode(p), AsNode(q), depth) })
	case "items", "additionalProperties", "not", "propertyNames", "contains", "if", "then", "else":
		if v == false || w == false {
			return v == w
		}
		return t.equal(AsNode(v), AsNode(w), depth)
	}
	return reflect.DeepEqual(v, w) || equalNumbers(v, w)
}

// sortedJSON returns the values of a list as JSON, in a fixed order.
func sortedJSON(v any) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var all []string
	for _, item := range list {
		text, err := json.Marshal(item)
		all = append(all, fmt.Sprint(string(text), err))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// equalNumbers reports whether two values are equal numbers.
func equalNumbers(v, w any) bool {
	a, b := exactNumber(v), exactNumber(w)
	return a != nil && b != nil && a.Cmp(b) == 0
}
