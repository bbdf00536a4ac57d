package shape

import (
	"maps"
	"reflect"
	"slices"
)

// unite turns alternatives that only list values into an enumeration, and turns oneOf into anyOf if no value
// satisfies two alternatives.
func (f *Forms) unite(s Node, keyword string) {
	list, ok := s[keyword].([]any)
	if !ok || len(list) == 0 || len(list) > maxBranches {
		return
	}
	*f.steps -= len(list) * len(list) / 32 // the approximate cost of comparing the alternatives
	branches := make([]Node, len(list))
	for i, v := range list {
		if branches[i], ok = f.Of(AsNode(v)); !ok {
			return
		}
	}
	if branches, list = splice(branches, list, keyword); len(list) == 0 {
		delete(s, keyword)
		s["not"] = Node{}
		return
	}
	if values, ok := listedValues(branches); ok && s["enum"] == nil && s["const"] == nil {
		delete(s, keyword)
		s["enum"] = values
		return
	}
	branches, s[keyword] = mergeListed(branches, list)
	if keyword == "oneOf" && s["anyOf"] == nil && f.areExclusive(branches) {
		s["anyOf"] = s["oneOf"]
		delete(s, "oneOf")
	}
}

// splice returns the alternatives that do not reject every value. It replaces an anyOf within an anyOf with its
// alternatives.
func splice(branches []Node, list []any, keyword string) (some []Node, written []any) {
	for i, b := range branches {
		plain := maps.Clone(b)
		maps.DeleteFunc(plain, func(k string, _ any) bool { return slices.Contains(Annotations, k) })
		inner, nested := plain["anyOf"].([]any)
		switch {
		case Never(b):
		case nested && keyword == "anyOf" && len(plain) == 1 && len(some)+len(inner) <= maxBranches:
			for _, v := range inner {
				some, written = append(some, AsNode(v)), append(written, v)
			}
		case reflect.DeepEqual(plain, Node{"type": "null"}):
			some, written = append(some, b), append(written, any(plain))
		default:
			some, written = append(some, b), append(written, list[i])
		}
	}
	return some, written
}

// listedValues returns the values of alternatives that only list values, without duplicates.
func listedValues(branches []Node) ([]any, bool) {
	var all []any
	for _, b := range branches {
		values, ok := Listed(b)
		if b["type"] == "null" {
			values, ok = []any{nil}, true
		}
		for k := range b {
			ok = ok && (k == "enum" || k == "type" || slices.Contains(Annotations, k))
		}
		if !ok || len(all)+len(values) > maxValues || slices.ContainsFunc(values, func(v any) bool { return contains(all, v) }) {
			return nil, false
		}
		all = append(all, values...)
	}
	return all, slices.ContainsFunc(all, func(v any) bool { return v != nil })
}

// mergeListed merges the alternatives that only list values into one alternative.
func mergeListed(branches []Node, list []any) (some []Node, written []any) {
	lists := func(b Node) bool {
		_, ok := listedValues([]Node{b})
		return ok
	}
	several := slices.DeleteFunc(slices.Clone(branches), func(b Node) bool { return !lists(b) })
	values, ok := listedValues(several)
	if !ok || len(several) == 1 {
		return branches, list
	}
	one := Node{"enum": values}
	enumerate(one)
	for i, b := range branches {
		switch {
		case !lists(b):
			some, written = append(some, b), append(written, list[i])
		case one != nil:
			some, written, one = append(some, one), append(written, any(one)), nil
		}
	}
	return some, written
}

// Listed returns the values that a schema lists.
func Listed(s Node) ([]any, bool) {
	if v, ok := s["const"]; ok {
		return []any{v}, true
	}
	all, ok := s["enum"].([]any)
	return all, ok
}

func contains(all []any, v any) bool {
	return slices.ContainsFunc(all, func(a any) bool { return reflect.DeepEqual(a, v) })
}

// areExclusive reports whether each value satisfies at most one of the alternatives.
func (f *Forms) areExclusive(branches []Node) bool {
	for i, a := range branches {
		for _, b := range branches[:i] {
			if !disjoint(a, b) && !f.hasDiscriminator(a, b) {
				return false
			}
		}
	}
	return true
}

// disjoint reports whether no value satisfies both schemas, judging by their types or their listed values.
func disjoint(a, b Node) bool {
	before, listed := Listed(a)
	after, alsoListed := Listed(b)
	if listed && alsoListed && len(before)+len(after) <= maxValues {
		return !slices.ContainsFunc(before, func(v any) bool { return contains(after, v) })
	}
	number := func(t string) string {
		if t == "integer" {
			return "number"
		}
		return t
	}
	types, alsoTypes := Types(a), Types(b)
	if lacksRequired(a, b) || lacksRequired(b, a) {
		return true
	}
	return types != nil && alsoTypes != nil && !slices.ContainsFunc(types, func(t string) bool {
		return slices.ContainsFunc(alsoTypes, func(u string) bool { return number(t) == number(u) })
	})
}

// lacksRequired reports whether a is a closed object without a property that b requires.
func lacksRequired(a, b Node) bool {
	required, _ := b["required"].([]any)
	properties, _ := a["properties"].(Node)
	return a["type"] == "object" && b["type"] == "object" && a["additionalProperties"] == false && a["patternProperties"] == nil &&
		slices.ContainsFunc(required, func(v any) bool {
			name, ok := v.(string)
			_, declared := properties[name]
			return ok && !declared
		})
}

// hasDiscriminator reports whether both schemas require a property that has different values in each.
func (f *Forms) hasDiscriminator(a, b Node) bool {
	if !reflect.DeepEqual(a["type"], "object") || !reflect.DeepEqual(b["type"], "object") {
		return false
	}
	needed, _ := a["required"].([]any)
	alsoNeeded, _ := b["required"].([]any)
	defer func(circular bool) { f.circular = circular }(f.circular) // a property is another value
	of, _ := a["properties"].(Node)
	alsoOf, _ := b["properties"].(Node)
	return slices.ContainsFunc(needed, func(name any) bool {
		text, ok := name.(string)
		if !ok || !contains(alsoNeeded, name) {
			return false
		}
		p, found := f.Of(AsNode(of[text]))
		q, alsoFound := f.Of(AsNode(alsoOf[text]))
		return found && alsoFound && disjoint(p, q)
	})
}
