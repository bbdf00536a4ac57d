package breaking

import (
	"maps"
	"reflect"
	"slices"
)

// nullable writes a choice between null and one other schema, which foreign
// servers publish for an optional value, as one schema that allows null.
func nullable(s node) node {
	branches, _ := s["anyOf"].([]any)
	if len(branches) != 2 {
		return s
	}
	for i, b := range branches {
		other := asNode(branches[1-i])
		if !reflect.DeepEqual(b, node{"type": "null"}) || other["type"] == nil || other["$ref"] != nil {
			continue
		}
		merged := maps.Clone(s)
		delete(merged, "anyOf")
		for k, v := range other {
			if _, twice := s[k]; twice {
				if k == "title" || k == "description" {
					continue
				}
				return s
			}
			merged[k] = v
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
	return s
}

// union tells what became of the branches of anyOf. A branch that fits into one of
// the other side is covered by it.
func (w *walk) union(path string, o, n node, depth int) {
	before, had := o["anyOf"].([]any)
	after, has := n["anyOf"].([]any)
	if !had && !has || w.sameDefs && reflect.DeepEqual(before, after) {
		return
	}
	if !had {
		before = []any{withoutUnion(o)}
	}
	if !has {
		after = []any{withoutUnion(n)}
	}
	lost := slices.ContainsFunc(before, func(b any) bool {
		return !slices.ContainsFunc(after, func(a any) bool { return w.free(narrowing, asNode(b), asNode(a), depth) })
	})
	gained := slices.ContainsFunc(after, func(a any) bool {
		return !slices.ContainsFunc(before, func(b any) bool { return w.free(widening, asNode(b), asNode(a), depth) })
	})
	detail := "anyOf " + became(o["anyOf"], n["anyOf"])
	switch {
	case lost && gained:
		w.tell(typeChanged, path, detail)
	case lost:
		w.tell(typeNarrowed, path, detail)
	case gained:
		w.tell(typeWidened, path, detail)
	default:
		w.tell(reworded, path, detail)
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

func withoutUnion(s node) node {
	s = maps.Clone(s)
	delete(s, "anyOf")
	return s
}
