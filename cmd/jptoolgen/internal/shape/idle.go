package shape

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// anyText holds patterns that match every string. anyName holds patterns that match every property name, because
// names have only one line.
var (
	anyText = []string{"", ".*", "^", "^.*"}
	anyName = append([]string{"^.*$", "^(.*)$", ".*$"}, anyText...)
)

// idle removes keywords that have no effect next to the other keywords.
func (f *Forms) idle(s Node) Node {
	if p, ok := s["pattern"].(string); ok && slices.Contains(anyText, p) {
		delete(s, "pattern")
	}
	if s["if"] == nil {
		delete(s, "then")
		delete(s, "else")
	} else if s["then"] == nil && s["else"] == nil {
		delete(s, "if")
	}
	idleList(s)
	idleObject(s)
	if v, ok := s["not"]; ok {
		inner, known := f.Of(AsNode(v))
		switch {
		case known && (Never(inner) || disjoint(s, inner)):
			delete(s, "not")
		case known && len(inner) == 0:
			s["not"] = inner
		}
	}
	return s
}

// Never reports whether a schema is known to reject every value.
func Never(s Node) bool {
	if v, ok := s["not"]; ok && (v == true || reflect.DeepEqual(v, Node{})) {
		return true
	}
	values, ok := Listed(s)
	types := Types(s)
	return ok && (len(values) == 0 || types != nil && !slices.ContainsFunc(values, func(v any) bool { return HasType(types, kindOf(v)) }))
}

// free reports whether a keyword has no value, or a schema that allows every value.
func free(v any) bool { return v == nil || v == true || reflect.DeepEqual(v, Node{}) }

// idleList writes the positions of a list as prefixItems and maxItems, and removes an items keyword that has no
// effect.
func idleList(s Node) {
	if s["contains"] == nil {
		delete(s, "minContains")
		delete(s, "maxContains")
	}
	prefix, _ := s["prefixItems"].([]any)
	limit, limited := whole(s["maxItems"], maxValues)
	if Never(AsNode(s["items"])) {
		delete(s, "items")
		if !limited || limit > len(prefix) {
			s["maxItems"], limit, limited = json.Number(strconv.Itoa(len(prefix))), len(prefix), true
		}
	}
	if limited && limit <= len(prefix) {
		prefix = prefix[:limit]
		delete(s, "items")
	}
	for n := len(prefix); n > 0 && (reflect.DeepEqual(prefix[n-1], s["items"]) || free(prefix[n-1]) && free(s["items"])); n-- {
		prefix = prefix[:n-1]
	}
	switch _, has := s["prefixItems"].([]any); {
	case len(prefix) > 0:
		s["prefixItems"] = prefix
	case has:
		delete(s, "prefixItems")
	}
}

func idleObject(s Node) {
	if names, ok := s["propertyNames"]; ok && (free(names) || reflect.DeepEqual(names, Node{"type": "string"})) {
		delete(s, "propertyNames")
	}
	properties, _ := s["properties"].(Node)
	patterns, _ := s["patternProperties"].(Node)
	for pattern, v := range patterns {
		if slices.Contains(anyName, pattern) && len(patterns) == 1 && len(properties) == 0 {
			s["additionalProperties"] = v
			delete(s, "patternProperties")
		} else if free(v) && free(s["additionalProperties"]) {
			patterns = maps.Clone(patterns)
			delete(patterns, pattern)
			s["patternProperties"] = patterns
		}
	}
	if all, ok := s["patternProperties"].(Node); ok && len(all) == 0 {
		delete(s, "patternProperties")
	}
	if Never(AsNode(s["additionalProperties"])) {
		s["additionalProperties"] = false
	}
	if s["additionalProperties"] == false && s["patternProperties"] == nil && properties != nil {
		properties = maps.Clone(properties)
		maps.DeleteFunc(properties, func(_ string, v any) bool { return Never(AsNode(v)) })
		s["properties"] = properties
	}
	required, _ := s["required"].([]any)
	if n, ok := whole(s["minProperties"], maxValues); ok && n <= len(required) && n <= 1 {
		delete(s, "minProperties")
	}
}
