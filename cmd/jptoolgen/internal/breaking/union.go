package breaking

import (
	"maps"
	"reflect"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// maxAlternatives is the maximum number of alternatives of a union that are compared.
const maxAlternatives = 256

// compareUnions compares two schemas if at least one of them is a union. Each alternative of one schema must be
// covered by an alternative of the other. The schemas are passed in normal form and as written. compareUnions
// returns false if it cannot tell which schema is wider.
func (w *walk) compareUnions(path string, normal, written [2]node, parts []node, depth int) bool {
	o, n := normal[0], normal[1]
	both := isUnion(o) && isUnion(n)
	rest := siblingKeywords(o)
	if !isUnion(o) && !isUnion(n) || both && !w.isUnchanged(rest, siblingKeywords(n)) {
		return false
	}
	if both && w.isUnchanged(o["anyOf"], n["anyOf"]) && w.isUnchanged(o["oneOf"], n["oneOf"]) {
		return false
	}
	if both && (rest["unevaluatedProperties"] != nil || rest["unevaluatedItems"] != nil) {
		return false // whether a branch evaluates a property or an item matters too
	}
	one, other := listOf(o["oneOf"]), align(listOf(o["oneOf"]), listOf(n["oneOf"]))
	if both && w.isUnchanged(o["anyOf"], n["anyOf"]) && w.equivalent(one, other, depth) {
		if !reflect.DeepEqual(one, other) || !w.sameDefs {
			w.report(reworded, path, "oneOf "+describeChange(o["oneOf"], n["oneOf"]))
		}
		return true
	}
	before, all := w.branch(w.old, written[0], 0)
	after, allNow := w.branch(w.new, written[1], 0)
	if both {
		before, all = w.expand(w.old, o, false, 0)
		after, allNow = w.expand(w.new, n, false, 0)
	}
	if max(len(before), len(after)) > maxAlternatives || w.c.steps < 0 {
		w.report(unjudged, path, "the union has too many alternatives to compare")
		return true
	}
	lost, gained := w.with(parts).compareAlternatives(before, after, depth)
	f := typeFact(lost || !allNow, gained || !all)
	if f == typeChanged {
		return false
	}
	branches, _ := o["anyOf"].([]any)
	others, _ := n["anyOf"].([]any)
	if from, to, ok := onlyChange(listOf(o["anyOf"]), listOf(n["anyOf"])); ok && f != 0 && w.sameDefs {
		w.with(parts).compare(path, from, to, depth+1)
		return true
	}
	keyword := changedKeyword(o, n, "anyOf", "oneOf")
	if f == 0 {
		reordered := len(branches) > 0 && len(subtract(branches, others)) == 0 && len(subtract(others, branches)) == 0
		if reordered || w.equivalent(listOf(o[keyword]), listOf(n[keyword]), depth, reworded) {
			return true
		}
		f = reworded
	}
	w.report(f, path, keyword+" "+describeChange(o[keyword], n[keyword]))
	return true
}

func isUnion(s node) bool { return s["anyOf"] != nil || s["oneOf"] != nil }

// siblingKeywords returns the keywords next to the alternatives of a union, which restrict the values of all
// alternatives.
func siblingKeywords(s node) node {
	rest := maps.Clone(s)
	maps.DeleteFunc(rest, func(k string, _ any) bool {
		return k == "anyOf" || k == "oneOf" && s["anyOf"] == nil || k == "default" || slices.Contains(shape.Annotations, k)
	})
	return rest
}

// expand returns the alternatives of a schema, each of which has exactly one type. If whole is set, each alternative
// includes the keywords next to the union. all is false if the schema rejects some values of its alternatives, such
// as values that match two alternatives of a oneOf.
func (w *walk) expand(forms *shape.Forms, s node, whole bool, level int) (list []node, all bool) {
	keyword := "anyOf"
	if s[keyword] == nil {
		keyword = "oneOf"
	}
	branches, ok := s[keyword].([]any)
	if !ok || level > maxTrials {
		return byType(s), !isUnion(s)
	}
	all = keyword == "anyOf"
	rest := siblingKeywords(s)
	for _, v := range branches {
		branch := shape.AsNode(v)
		switch t := rest["type"]; {
		case whole && len(rest) > 0:
			parts, _ := rest["allOf"].([]any)
			branch = maps.Clone(rest)
			branch["allOf"] = append(slices.Clone(parts), v)
		case t != nil && branch["type"] == nil && branch["$ref"] == nil:
			branch = maps.Clone(branch)
			branch["type"] = t
		}
		if w.c.steps--; w.c.steps < 0 || len(list) > maxAlternatives {
			return list, false
		}
		more, complete := w.branch(forms, branch, level+1)
		list, all = append(list, more...), all && complete
	}
	return list, all
}

// branch returns the branch of a union as an alternative. If the branch is a union, it returns the alternatives
// of that union.
func (w *walk) branch(forms *shape.Forms, b node, level int) (list []node, all bool) {
	s, known := forms.Of(b)
	if !known {
		return []node{b}, true
	}
	switch {
	case isUnion(s):
		return w.expand(forms, s, true, level)
	case shape.Never(s):
		return nil, true
	case b["$ref"] != nil && isBareReference(b) && text(s["type"]) != "":
		return []node{b}, true // the reference shows that a recursive type is already being compared
	}
	return byType(s), true
}

// byType returns a schema as a list of alternatives, one for each of its types.
func byType(s node) []node {
	types := shape.Types(s)
	if types == nil {
		types = shape.EveryType
	}
	var all []node
	for _, t := range types {
		branch := maps.Clone(s)
		branch["type"] = t
		all = append(all, branch)
	}
	return all
}

// union reports changes to the branches of anyOf. A branch is covered if a branch of the other
// schema allows at least the same values. The parameter reported is the change that w.types has already
// reported.
func (w *walk) union(path string, o, n node, parts []node, depth int, reported fact) {
	_, had := o["anyOf"].([]any)
	_, has := n["anyOf"].([]any)
	before, after := listOf(o["anyOf"]), listOf(n["anyOf"])
	if !had && !has || w.sameDefs && reflect.DeepEqual(before, after) {
		return
	}
	if !had {
		before = byType(o)
	}
	if !has {
		after = byType(n)
	}
	lost, gained := w.with(parts).compareAlternatives(before, after, depth)
	detail := "anyOf " + describeChange(o["anyOf"], n["anyOf"])
	if from, to, ok := onlyChange(before, after); ok && (lost || gained) && w.sameDefs {
		w.with(parts).compare(path, from, to, depth+1)
		return
	}
	switch f := typeFact(lost, gained); {
	case f == 0 && w.equivalent(before, after, depth, reworded):
	case f == 0:
		w.report(reworded, path, detail)
	case f != reported:
		w.report(f, path, detail)
	}
}

// compareAlternatives reports whether an alternative in before allows values that no alternative in after allows,
// and vice versa.
func (w *walk) compareAlternatives(before, after []node, depth int) (lost, gained bool) {
	lost = hasUncovered(before, after, func(b, a node) bool { return w.free(narrowing, b, a, depth) })
	gained = hasUncovered(after, before, func(a, b node) bool { return w.free(widening, b, a, depth) })
	return lost, gained
}

// equivalent reports whether the schemas at each position of two lists allow the same values, and their comparison
// does not find any of the given facts.
func (w *walk) equivalent(before, after []node, depth int, facts ...fact) bool {
	facts = slices.Concat(accepts, rejects, facts)
	return len(before) > 0 && slices.EqualFunc(before, after, func(b, a node) bool { return w.free(facts, b, a, depth) })
}

// align returns the second list in the order of the first: a schema that both have gets its place in the first. The
// order of the branches of a union has no meaning.
func align(first, second []node) []node {
	left := slices.Clone(second)
	all := make([]node, 0, len(second))
	for _, s := range first {
		i := slices.IndexFunc(left, func(other node) bool { return reflect.DeepEqual(s, other) })
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			s = nil // a place for a schema that only the second list has
		}
		all = append(all, s)
	}
	for i := range all {
		if all[i] == nil && len(left) > 0 {
			all[i], left = left[0], left[1:]
		}
	}
	all = slices.DeleteFunc(all, func(s node) bool { return s == nil })
	return append(all, left...)
}

// hasUncovered reports whether the first list contains a schema that fits no schema in the second list.
func hasUncovered(some, others []node, fits func(one, other node) bool) bool {
	return slices.ContainsFunc(some, func(one node) bool {
		return !slices.ContainsFunc(others, func(other node) bool { return fits(one, other) })
	})
}

// listOf returns the schemas in the value of a keyword that has a list of schemas.
func listOf(v any) []node {
	list, _ := v.([]any)
	all := make([]node, len(list))
	for i, s := range list {
		all[i] = shape.AsNode(s)
	}
	return all
}

// free reports whether the comparison of two schemas does not find any of the given facts.
func (w *walk) free(facts []fact, o, n node, depth int) bool {
	free := true
	trial := *w
	trial.references = maps.Clone(w.references)
	trial.trials++
	trial.log = nil
	trial.report = func(f fact, _, _ string) {
		*trial.reported++
		free = free && !slices.Contains(facts, f)
	}
	trial.compare("", o, n, depth+1)
	return free
}

// neither lists the changes after which some values are newly rejected and others newly accepted, or after which
// the same values have a different meaning.
var neither = []fact{typeChanged, formChanged, removed, renamed, defaultAdded, defaultChanged, defaultRemoved, unjudged}

// narrowing lists the changes after which a schema rejects values that it accepted before. widening lists the
// changes after which it accepts values that it rejected before.
var (
	narrowing = append([]fact{addedRequired, becameRequired, typeNarrowed, valuesRemoved, tightened, formAdded, closed}, neither...)
	widening  = append([]fact{added, addedRequired, becameOptional, typeWidened, valuesAdded, loosened, formDropped, opened}, neither...)
)

// onlyChange returns the branch that changed, if exactly one changed and its type is still the same.
func onlyChange(before, after []node) (from, to node, ok bool) {
	in := func(all []node) func(node) bool {
		return func(b node) bool {
			return slices.ContainsFunc(all, func(a node) bool { return reflect.DeepEqual(a, b) })
		}
	}
	gone, more := slices.DeleteFunc(slices.Clone(before), in(after)), slices.DeleteFunc(slices.Clone(after), in(before))
	if len(gone) != 1 || len(more) != 1 {
		return nil, nil, false
	}
	from, to = gone[0], more[0]
	return from, to, text(from["type"]) != "" && from["type"] == to["type"]
}
