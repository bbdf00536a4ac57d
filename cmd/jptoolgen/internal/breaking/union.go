package breaking

import (
	"maps"
	"reflect"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// union reports how the branches of anyOf changed. A branch that allows no more than a branch of the other
// schema is covered by it. The argument reported is the change of the types, which types has reported already.
func (w *walk) union(path string, o, n node, depth int, reported fact) {
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
		return !slices.ContainsFunc(after, func(a any) bool { return w.free(narrowing, shape.AsNode(b), shape.AsNode(a), depth) })
	})
	gained := slices.ContainsFunc(after, func(a any) bool {
		return !slices.ContainsFunc(before, func(b any) bool { return w.free(widening, shape.AsNode(b), shape.AsNode(a), depth) })
	})
	detail := "anyOf " + became(o["anyOf"], n["anyOf"])
	if from, to, ok := onlyChange(before, after); ok && (lost || gained) && w.sameDefs {
		w.compare(path, from, to, depth+1)
		return
	}
	switch f := moves(lost, gained); {
	case f == 0:
		w.report(reworded, path, detail)
	case f != reported:
		w.report(f, path, detail)
	}
}

// free reports whether the comparison of two schemas finds no fact of the list.
func (w *walk) free(facts []fact, o, n node, depth int) bool {
	free := true
	trial := *w
	trial.references = maps.Clone(w.references)
	trial.trials++
	trial.report = func(f fact, _, _ string) {
		*trial.reported++
		free = free && !slices.Contains(facts, f)
	}
	trial.compare("", o, n, depth+1)
	return free
}

// neither are the changes after which some values are newly rejected and others newly accepted, or after which
// the same values have another meaning.
var neither = []fact{typeChanged, formChanged, removed, renamed, defaultAdded, defaultChanged, defaultRemoved, unjudged}

// narrowing are the changes after which a schema rejects values that it accepted; widening are the changes after
// which it accepts values that it rejected.
var (
	narrowing = append([]fact{addedRequired, becameRequired, typeNarrowed, valuesRemoved, tightened, formAdded, closed}, neither...)
	widening  = append([]fact{added, addedRequired, becameOptional, typeWidened, valuesAdded, loosened, formDropped, opened}, neither...)
)

// oneByOne returns a schema without anyOf as a list of branches, one for each of its types.
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

// onlyChange returns the branch that changed, if exactly one changed and its type is still the same.
func onlyChange(before, after []any) (from, to node, ok bool) {
	in := func(all []any) func(any) bool {
		return func(b any) bool { return slices.ContainsFunc(all, func(a any) bool { return reflect.DeepEqual(a, b) }) }
	}
	gone, more := slices.DeleteFunc(slices.Clone(before), in(after)), slices.DeleteFunc(slices.Clone(after), in(before))
	if len(gone) != 1 || len(more) != 1 {
		return nil, nil, false
	}
	from, to = shape.AsNode(gone[0]), shape.AsNode(more[0])
	return from, to, text(from["type"]) != "" && from["type"] == to["type"]
}
