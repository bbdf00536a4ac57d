package breaking

import (
	"maps"
	"reflect"
	"slices"
)

// flat writes an anyOf that says no more than one schema does as that schema: a choice
// of one, and a choice between null and one other, which foreign servers publish for
// an optional value.
func flat(s node) node {
	branches, _ := s["anyOf"].([]any)
	isNull := func(b any) bool { return reflect.DeepEqual(b, node{"type": "null"}) }
	others := slices.DeleteFunc(slices.Clone(branches), isNull)
	if len(others) != 1 || len(branches) > 2 {
		return s
	}
	other := asNode(others[0])
	if other["$ref"] != nil || other["anyOf"] != nil {
		return s
	}
	merged := maps.Clone(s)
	delete(merged, "anyOf")
	for k, v := range other {
		if _, twice := s[k]; !twice {
			merged[k] = v
		} else if k != "title" && k != "description" {
			return s
		}
	}
	if len(branches) == 1 {
		return merged
	}
	if other["type"] == nil {
		return s
	}
	var all []any
	for _, t := range types(other) {
		all = append(all, t)
	}
	merged["type"] = append(all, "null")
	if enum, ok := merged["enum"].([]any); ok {
		merged["enum"] = append(append([]any{}, enum...), nil)
	}
	if c, ok := merged["const"]; ok {
		delete(merged, "const")
		merged["enum"] = []any{c, nil}
	}
	return merged
}

// union tells what became of the branches of anyOf. A branch that fits into one of
// the other side is covered by it. Told is what the types have told already.
func (w *walk) union(path string, o, n node, depth int, told fact) {
	before, had := o["anyOf"].([]any)
	after, has := n["anyOf"].([]any)
	if !had && !has || w.sameDefs && reflect.DeepEqual(before, after) {
		return
	}
	if !had {
		before = oneByOne(o)
	}
	if !has {
		after = oneByOne(n)
	}
	lost := slices.ContainsFunc(before, func(b any) bool {
		return !slices.ContainsFunc(after, func(a any) bool { return w.free(narrowing, asNode(b), asNode(a), depth) })
	})
	gained := slices.ContainsFunc(after, func(a any) bool {
		return !slices.ContainsFunc(before, func(b any) bool { return w.free(widening, asNode(b), asNode(a), depth) })
	})
	detail := "anyOf " + became(o["anyOf"], n["anyOf"])
	if from, to, ok := onlyChange(before, after); ok && (lost || gained) && w.sameDefs {
		w.compare(path, from, to, depth+1)
		return
	}
	switch f := moves(lost, gained); {
	case f == 0:
		w.tell(reworded, path, detail)
	case f != told:
		w.tell(f, path, detail)
	}
}

// free reports whether none of the facts tells one schema from the other.
func (w *walk) free(facts []fact, o, n node, depth int) bool {
	free := true
	trial := *w
	trial.references = maps.Clone(w.references)
	trial.trials++
	trial.tell = func(f fact, _, _ string) {
		*trial.told++
		free = free && !slices.Contains(facts, f)
	}
	trial.compare("", o, n, depth+1)
	return free
}

// neither are the facts after which some values are refused and others allowed, or
// after which the same values mean something else.
var neither = []fact{typeChanged, formChanged, removed, renamed, defaultAdded, defaultChanged, defaultRemoved, unjudged}

// narrowing and widening are the facts after which a schema refuses values that it
// allowed, and allows values that it refused.
var (
	narrowing = append([]fact{addedRequired, becameRequired, typeNarrowed, valuesRemoved, tightened, formAdded, closed}, neither...)
	widening  = append([]fact{added, addedRequired, becameOptional, typeWidened, valuesAdded, loosened, formDropped, opened}, neither...)
)

// oneByOne returns a schema without anyOf as branches, one for each type that it lists.
func oneByOne(s node) []any {
	s = maps.Clone(s)
	delete(s, "anyOf")
	list, ok := s["type"].([]any)
	if !ok {
		return []any{s}
	}
	var all []any
	for _, t := range list {
		branch := maps.Clone(s)
		branch["type"] = t
		all = append(all, branch)
	}
	return all
}

// onlyChange returns the branch that differs, if only one does and it is of the same
// type as before.
func onlyChange(before, after []any) (from, to node, ok bool) {
	in := func(all []any) func(any) bool {
		return func(b any) bool { return slices.ContainsFunc(all, func(a any) bool { return reflect.DeepEqual(a, b) }) }
	}
	gone, more := slices.DeleteFunc(slices.Clone(before), in(after)), slices.DeleteFunc(slices.Clone(after), in(before))
	if len(gone) != 1 || len(more) != 1 {
		return nil, nil, false
	}
	from, to = asNode(gone[0]), asNode(more[0])
	return from, to, text(from["type"]) != "" && from["type"] == to["type"]
}
