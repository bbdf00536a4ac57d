package shape

import (
	"encoding/json"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// flatten merges the schemas of allOf into s. A schema stays in allOf if it depends on keywords of another one.
func (f *Forms) flatten(s Node) {
	list, ok := s["allOf"].([]any)
	if !ok {
		return
	}
	before := maps.Clone(s)
	delete(s, "allOf")
	enumerate(s)
	var rest []any
	for _, v := range list {
		if *f.steps < 0 || len(rest) > maxBranches {
			clear(s)
			maps.Copy(s, before)
			return
		}
		part, ok := f.Of(AsNode(v))
		if !ok {
			rest = append(rest, v)
			continue
		}
		part = maps.Clone(part)
		inner, _ := part["allOf"].([]any)
		delete(part, "allOf")
		unevaluated := part["unevaluatedProperties"] != nil || part["unevaluatedItems"] != nil
		if part["if"] == nil && !dependent(dropUnevaluated(s), part) && (inner == nil || !unevaluated) {
			if merged := maps.Clone(s); both(merged, part) {
				clear(s)
				maps.Copy(s, merged)
				rest = append(rest, inner...)
				continue
			}
		}
		if inner != nil {
			part["allOf"] = inner
		}
		rest = append(rest, part)
	}
	if len(rest) > 0 {
		s["allOf"] = rest
	}
}

// dropUnevaluated returns s without unevaluatedProperties and unevaluatedItems, which take the schemas in allOf into
// account.
func dropUnevaluated(s Node) Node {
	s = maps.Clone(s)
	delete(s, "unevaluatedProperties")
	delete(s, "unevaluatedItems")
	return s
}

// replaceUnevaluated replaces unevaluatedProperties and unevaluatedItems with additionalProperties and items, if s does
// not apply another schema to the value.
func replaceUnevaluated(s Node) {
	for _, k := range []string{"$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"} {
		if s[k] != nil {
			return
		}
	}
	for from, to := range map[string]string{"unevaluatedProperties": "additionalProperties", "unevaluatedItems": "items"} {
		v, ok := s[from]
		if !ok || to == "items" && s["contains"] != nil {
			continue
		}
		delete(s, from)
		if _, has := s[to]; !has {
			s[to] = v
		}
	}
}

// dependent reports whether the effect of a keyword in one schema changes if it is combined with a keyword of
// the other.
func dependent(a, b Node) bool {
	for _, group := range [][]string{
		{"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"},
		{"items", "prefixItems", "unevaluatedItems", "contains", "minContains", "maxContains"},
		{"if", "then", "else"},
	} {
		has := func(s Node) (some, others bool) {
			for i, k := range group {
				if v, ok := s[k]; ok && v != true && !reflect.DeepEqual(v, Node{}) {
					some, others = true, others || i > 0
				}
			}
			return some, others
		}
		some, others := has(a)
		alsoSome, alsoOthers := has(b)
		if some && alsoSome && (others || alsoOthers) {
			return true
		}
	}
	return false
}

// both adds the keywords of part to s. It returns false if one schema cannot express both.
func both(s, part Node) bool {
	for k, v := range part {
		w, ok := s[k]
		if !ok {
			s[k] = v
			continue
		}
		if reflect.DeepEqual(v, w) || slices.Contains(Annotations, k) || k == "default" {
			continue
		}
		merged, ok := merge(k, w, v)
		if !ok {
			return false
		}
		s[k] = merged
	}
	if types := Types(s); types != nil && len(types) == 0 {
		delete(s, "type")
		s["not"] = Node{}
	}
	return true
}

// merge combines two values of a keyword into a value that requires both.
func merge(keyword string, a, b any) (any, bool) {
	list, isList := a.([]any)
	other, alsoList := b.([]any)
	switch {
	case keyword == "type":
		return commonTypes(Types(Node{"type": a}), Types(Node{"type": b})), true
	case keyword == "enum" && isList && alsoList:
		left := slices.DeleteFunc(slices.Clone(list), func(v any) bool { return !contains(other, v) })
		return left, len(left) > 0
	case keyword == "required" && isList && alsoList:
		return append(slices.Clone(list), other...), true
	case keyword == "properties":
		all, isObject := a.(Node)
		more, isAlso := b.(Node)
		all = maps.Clone(all)
		for name, schema := range more {
			if first, twice := all[name]; twice && !reflect.DeepEqual(first, schema) {
				schema = Node{"allOf": []any{first, schema}}
			}
			all[name] = schema
		}
		return all, isObject && isAlso
	case keyword == "not":
		return Node{"anyOf": []any{a, b}}, true
	case keyword == "uniqueItems":
		return true, a == true || b == true
	}
	x, y := exactNumber(a), exactNumber(b)
	isLower := strings.HasPrefix(keyword, "min") || keyword == "exclusiveMinimum"
	isUpper := strings.HasPrefix(keyword, "max") || keyword == "exclusiveMaximum"
	if x == nil || y == nil || !isLower && !isUpper {
		return nil, false
	}
	if (x.Cmp(y) < 0) == isLower {
		return b, true
	}
	return a, true
}

// commonTypes returns the types that both lists allow, as the value of the keyword.
func commonTypes(a, b []string) any {
	left := []any{}
	for _, t := range a {
		for _, u := range b {
			switch {
			case t == u || t == "integer" && u == "number":
				left = append(left, t)
			case t == "number" && u == "integer":
				left = append(left, u)
			}
		}
	}
	if len(left) == 1 {
		return left[0]
	}
	return left
}

// whole reports whether a value is a number from 0 to limit.
func whole(v any, limit int64) (int, bool) {
	n, ok := v.(json.Number)
	f := exactNumber(n)
	if !ok || f == nil || !f.IsInt() || f.Sign() < 0 || f.Cmp(new(big.Float).SetInt64(limit)) > 0 {
		return 0, false
	}
	i, _ := f.Int64()
	return int(i), true
}
