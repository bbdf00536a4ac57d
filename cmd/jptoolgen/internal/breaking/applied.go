package breaking

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// appliedKeywords are the keywords that apply a schema to a value or to a part of it.
var appliedKeywords = []string{
	"not", "if", "then", "else", "allOf", "contains", "minContains", "maxContains", "propertyNames", "patternProperties",
	"dependentRequired", "dependentSchemas",
}

// compareApplied reports changes to the keywords in appliedKeywords.
func (w *walk) compareApplied(path string, o, n node, parts []node, depth int) {
	w.pair(path, "not", o, n, func(before, after any) (lost, gained bool) {
		p, q := shape.AsNode(before), shape.AsNode(after)
		return !w.free(accepts, p, q, depth), !w.free(rejects, p, q, depth)
	})
	w.pair(path, "allOf", o, n, func(before, after any) (lost, gained bool) { // a value must match every schema
		beside, from, to := w.with(parts), listOf(before), listOf(after)
		lost = hasUncovered(to, from, func(a, b node) bool { return beside.free(rejects, b, a, depth) })
		gained = hasUncovered(from, to, func(b, a node) bool { return beside.free(accepts, b, a, depth) })
		return lost, gained
	})
	w.pair(path, "if", o, n, func(before, after any) (lost, gained bool) {
		p, q := shape.AsNode(before), shape.AsNode(after)
		if !w.free(accepts, p, q, depth) || !w.free(rejects, p, q, depth) {
			return true, true
		}
		w.with(parts).branches(path, o, n, depth)
		return false, false
	})
	if o["if"] != nil && w.isUnchanged(o["if"], n["if"]) {
		w.with(parts).branches(path, o, n, depth)
	}
	w.contains(path, o, n, depth)
	w.pair(path, "dependentRequired", o, n, func(before, after any) (lost, gained bool) {
		from, to := needs(before), needs(after)
		return len(missing(to, from)) > 0, len(missing(from, to)) > 0
	})
	if o["propertyNames"] != nil || n["propertyNames"] != nil {
		name := func(s node) node {
			if s["propertyNames"] == nil {
				return node{"type": "string"}
			}
			return node{"type": "string", "allOf": []any{s["propertyNames"]}}
		}
		w.compare(path+".*", name(o), name(n), depth+1)
	}
	w.with(parts).byName(path, "dependentSchemas", o, n, depth)
	w.patterns(path, o, n, depth)
}

// branches compares the "then" schemas and the "else" schemas of two schemas that have the same condition.
func (w *walk) branches(path string, o, n node, depth int) {
	for _, k := range []string{"then", "else"} {
		w.compare(path, shape.AsNode(o[k]), shape.AsNode(n[k]), depth+1)
	}
}

// accepts lists the changes after which a schema accepts values that it rejected before. rejects lists the
// changes after which it rejects values that it accepted before. Unlike widening and narrowing, both include a
// new property.
var (
	accepts = append([]fact{added}, widening...)
	rejects = append([]fact{added}, narrowing...)
)

// pair reports a change to a keyword that rejects values. If both schemas have the keyword, judge returns
// whether values are newly rejected and whether values are newly accepted.
func (w *walk) pair(path, keyword string, o, n node, judge func(before, after any) (lost, gained bool)) {
	before, had := o[keyword]
	after, has := n[keyword]
	if !had && !has || w.isUnchanged(before, after) {
		return
	}
	lost, gained := !had, !has
	if had && has {
		lost, gained = judge(before, after)
	}
	f := reworded
	switch {
	case lost && gained:
		f = unjudged
	case lost:
		f = tightened
	case gained:
		f = loosened
	}
	w.report(f, path, keyword+" "+describeChange(before, after))
}

// contains reports changes to the items that a list must contain.
func (w *walk) contains(path string, o, n node, depth int) {
	w.pair(path, "contains", o, n, func(before, after any) (lost, gained bool) {
		p, q := shape.AsNode(before), shape.AsNode(after)
		if o["maxContains"] != nil || n["maxContains"] != nil { // with maxContains, a wider schema can make a list invalid
			differs := !w.free(accepts, p, q, depth) || !w.free(rejects, p, q, depth)
			return differs, differs
		}
		return !w.free(rejects, p, q, depth), !w.free(accepts, p, q, depth)
	})
	if o["contains"] != nil && n["contains"] != nil {
		least := func(s node) limit {
			if s["minContains"] == nil {
				return limit{value: big.NewFloat(1)}
			}
			return limitOf(s, "minContains")
		}
		w.bound(path, "minContains", least(o), least(n), o, n)
		w.bound(path, "maxContains", limitOf(o, "maxContains"), limitOf(n, "maxContains"), o, n)
	}
}

// needs returns the pairs of property names in which the first name requires the second.
func needs(v any) node {
	all := node{}
	names, _ := v.(node)
	for name, list := range names {
		for other := range requiredNames(node{"required": list}) {
			all[name+"\x00"+other] = true
		}
	}
	return all
}

// byName compares the values of a keyword that maps names to schemas. A missing schema allows every value.
func (w *walk) byName(path, keyword string, o, n node, depth int) {
	before, _ := o[keyword].(node)
	after, _ := n[keyword].(node)
	all := maps.Clone(before)
	if all == nil {
		all = node{}
	}
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w.compare(path, shape.AsNode(before[name]), shape.AsNode(after[name]), depth+1)
	}
}

// patterns compares the schemas for properties whose names match patterns. A property that matches a pattern is not
// an additional property, so adding or removing a pattern also changes which properties are additional.
func (w *walk) patterns(path string, o, n node, depth int) {
	before, _ := o["patternProperties"].(node)
	after, _ := n["patternProperties"].(node)
	open := open(o) && open(n)
	if !open && (len(missing(before, after)) > 0 || len(missing(after, before)) > 0) {
		w.report(unjudged, path, "patternProperties "+describeChange(o["patternProperties"], n["patternProperties"]))
		return
	}
	w.byName(path+".*", "patternProperties", o, n, depth)
}

// open reports whether a schema allows every additional property.
func open(s node) bool {
	others := s["additionalProperties"]
	return others != false && len(shape.AsNode(others)) == 0
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
