package breaking

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// appliedKeywords are the keywords that apply a schema to a value or to a part of it, each followed by the keywords
// that only have an effect next to it.
var appliedKeywords = [][]string{
	{"not"}, {"allOf"}, {"if", "then", "else"}, {"contains", "minContains", "maxContains"}, {"dependentRequired"},
	{"propertyNames"}, {"dependentSchemas"},
}

// accepts lists the changes after which a schema accepts values that it rejected before. rejects lists the
// changes after which it rejects values that it accepted before. Unlike widening and narrowing, both include a
// new property.
var (
	accepts = append([]fact{added}, widening...)
	rejects = append([]fact{added}, narrowing...)
)

// compareApplied reports changes to the keywords in appliedKeywords. Changes are not judged, except that a keyword
// was added to or dropped from a schema for the whole value, and that the schemas allow the same values as before.
func (w *walk) compareApplied(path string, o, n node, depth int) {
	for _, group := range appliedKeywords {
		if !slices.ContainsFunc(group, func(k string) bool { return !w.isUnchanged(o[k], n[k]) }) {
			continue
		}
		f, whole := unjudged, group[0] != "propertyNames" && group[0] != "dependentSchemas"
		before, had := o[group[0]]
		after, has := n[group[0]]
		switch {
		case !had && whole:
			f = tightened
		case !has && whole:
			f = loosened
		case !had || !has:
		case group[0] == "allOf": // a value must match every schema
			f = w.compareParts(listOf(before), listOf(after), depth)
		case !slices.ContainsFunc(group, func(k string) bool { return !w.isUnchanged(o[k], n[k]) && !w.isSame(k, o[k], n[k], depth) }):
			f = reworded
		}
		k := changedKeyword(o, n, group...)
		w.report(f, path, k+" "+describeChange(o[k], n[k]))
	}
	w.patterns(path, o, n, depth)
}

// patterns compares the schemas for properties whose names match patterns. A property that matches a pattern is not
// an additional property, so adding or removing a pattern also changes which properties are additional.
func (w *walk) patterns(path string, o, n node, depth int) {
	before, after := shape.AsNode(o["patternProperties"]), shape.AsNode(n["patternProperties"])
	if len(missing(before, after))+len(missing(after, before)) > 0 {
		w.report(unjudged, path, "patternProperties "+describeChange(o["patternProperties"], n["patternProperties"]))
		return
	}
	for _, pattern := range slices.Sorted(maps.Keys(before)) {
		w.compare(path+".*", shape.AsNode(before[pattern]), shape.AsNode(after[pattern]), depth+1)
	}
}

// compareParts returns the fact for the schemas of two lists, all of which apply to a value.
func (w *walk) compareParts(before, after []node, depth int) fact {
	same := func(a, b node) bool { return w.equivalent([]node{a}, []node{b}, depth) }
	switch lost, gained := hasUncovered(after, before, same), hasUncovered(before, after, same); {
	case lost && gained:
		return unjudged
	case lost:
		return tightened
	case gained:
		return loosened
	}
	return reworded
}

// isSame reports whether the schemas in two values of a keyword are known to allow the same values.
func (w *walk) isSame(keyword string, before, after any, depth int) bool {
	switch keyword {
	case "dependentRequired", "minContains", "maxContains":
		return false
	case "dependentSchemas":
		from, to := shape.AsNode(before), shape.AsNode(after)
		return len(missing(from, to))+len(missing(to, from)) == 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(from)), func(name string) bool {
			return !w.isSame("", from[name], to[name], depth)
		})
	}
	return w.equivalent([]node{shape.AsNode(before)}, []node{shape.AsNode(after)}, depth)
}

// list compares the schemas of list items, position by position. It skips positions that cannot exist in one of
// the lists.
func (w *walk) list(path string, o, n node, depth int) {
	before, _ := o["prefixItems"].([]any)
	after, _ := n["prefixItems"].([]any)
	size := max(len(before), len(after))
	for i := range size {
		if canReach(o, i) && canReach(n, i) {
			w.compare(fmt.Sprintf("%s[%d]", path, i), position(o, before, i), position(n, after, i), depth+1)
		}
	}
	if (o["items"] != nil || n["items"] != nil) && canReach(o, size) && canReach(n, size) {
		w.compare(path+"[]", shape.AsNode(o["items"]), shape.AsNode(n["items"]), depth+1)
	}
}

// canReach reports whether a list can have an item at a position.
func canReach(s node, i int) bool {
	most := number(s["maxItems"])
	return most.value == nil || most.value.Cmp(big.NewFloat(float64(i))) > 0
}

// position returns the schema of the item at a position.
func position(s node, prefix []any, i int) node {
	if i < len(prefix) {
		return shape.AsNode(prefix[i])
	}
	return shape.AsNode(s["items"])
}
