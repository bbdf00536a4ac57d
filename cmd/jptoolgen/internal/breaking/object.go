package breaking

import (
	"maps"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// object reports changes to declared and undeclared properties. around holds the other old schemas
// that apply to the object.
func (w *walk) object(path string, o, n node, around []node, depth int) {
	before, after := properties(o), properties(n)
	needed, nowNeeded := requiredNames(o), requiredNames(n)
	gone, more := missing(before, after), missing(after, before)
	names := w.guessRenames(before, after, gone, more)
	for _, from := range slices.Sorted(maps.Keys(names)) {
		to := names[from]
		at := path + "." + to
		w.report(renamed, at, describeChange(from, to))
		if w.log != nil {
			w.log.renamed[at] = from
		}
		w.compare(at, shape.AsNode(before[from]), shape.AsNode(after[to]), depth+1)
		w.reportRequired(at, needed[from], nowNeeded[to])
		gone = slices.DeleteFunc(gone, func(name string) bool { return name == from })
		more = slices.DeleteFunc(more, func(name string) bool { return name == to })
	}
	for _, name := range gone {
		w.report(removed, path+"."+name, "")
	}
	for _, name := range more {
		switch {
		case nowNeeded[name] && needed[name]: // the property was allowed before, with any value
			w.compare(path+"."+name, shape.AsNode(o["additionalProperties"]), shape.AsNode(after[name]), depth+1)
			continue
		case nowNeeded[name]:
			w.report(addedRequired, path+"."+name, "")
		case o["additionalProperties"] != false && w.allowsNone(shape.AsNode(after[name])):
			w.report(typeNarrowed, path+"."+name, "the schema allows no value")
		case o["additionalProperties"] != false && w.restricts(o, around, name, depth):
			w.report(typeNarrowed, path+"."+name, "the rest of the schema restricts it")
		default:
			w.report(added, path+"."+name, "")
		}
		if others, ok := o["additionalProperties"].(node); ok { // the property was allowed before, with any value of this schema
			w.compare(path+"."+name, others, shape.AsNode(after[name]), depth+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if schema, ok := after[name]; ok {
			w.compare(path+"."+name, shape.AsNode(before[name]), shape.AsNode(schema), depth+1)
			w.reportRequired(path+"."+name, needed[name], nowNeeded[name])
		}
	}
	undeclared := maps.Clone(needed)
	maps.Copy(undeclared, nowNeeded)
	for _, name := range slices.Sorted(maps.Keys(undeclared)) {
		_, was := before[name]
		if _, is := after[name]; !was && !is {
			w.reportRequired(path+"."+name, needed[name], nowNeeded[name])
		}
	}
	w.others(path, o, n, depth)
}

// allowsNone reports whether a new schema is known to reject every value.
func (w *walk) allowsNone(s node) bool {
	s, known := w.new.Of(s)
	return known && shape.Never(s)
}

// restricts is called for a property that the old schema s does not declare. It reports whether a schema that applies
// to the same object mentions the property, so that values of the property that it allows may now be rejected. The
// schema can be one of parts, or in a keyword such as allOf.
func (w *walk) restricts(s node, parts []node, name string, depth int) bool {
	parts = slices.Concat(parts, listOf(s["allOf"]), listOf(s["anyOf"]), listOf(s["oneOf"]))
	byName, _ := s["dependentSchemas"].(node)
	for _, part := range append(slices.Collect(maps.Values(byName)), s["if"], s["then"], s["else"], s["not"]) {
		if part != nil {
			parts = append(parts, shape.AsNode(part))
		}
	}
	return s["patternProperties"] != nil || slices.ContainsFunc(parts, func(part node) bool {
		w.c.steps--
		part, known := shape.Resolve(part, w.old.Root)
		_, declared := properties(part)[name]
		_, has := part["additionalProperties"].(node)
		return !known || depth > shape.MaxDepth || w.c.steps < 0 || declared || has || w.restricts(part, nil, name, depth+1)
	})
}

// reportRequired reports that a property became required or optional.
func (w *walk) reportRequired(path string, before, after bool) {
	switch {
	case before && !after:
		w.report(becameOptional, path, "")
	case !before && after:
		w.report(becameRequired, path, "")
	}
}

// others reports changes to undeclared properties and their values.
func (w *walk) others(path string, o, n node, depth int) {
	before, after := o["additionalProperties"], n["additionalProperties"]
	switch {
	case before != false && after != false:
		if before != nil || after != nil {
			w.compare(path+".*", shape.AsNode(before), shape.AsNode(after), depth+1)
		}
	case before == false && after != false:
		w.report(opened, path, "additionalProperties "+describeChange(before, after))
	case before != false && after == false:
		w.report(closed, path, "additionalProperties "+describeChange(before, after))
	}
}

func properties(s node) node {
	all, _ := s["properties"].(node)
	return all
}

// requiredNames returns the names of the required properties.
func requiredNames(s node) map[string]bool {
	names := map[string]bool{}
	list, _ := s["required"].([]any)
	for _, v := range list {
		names[text(v)] = true
	}
	return names
}

// missing returns the sorted names in the first object that are not in the second.
func missing(all, these node) []string {
	var names []string
	for name := range all {
		if _, ok := these[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// guessRenames guesses which removed properties were renamed, and returns their new names.
func (w *walk) guessRenames(before, after node, gone, more []string) map[string]string {
	if len(gone) == 0 || len(more) == 0 {
		return nil
	}
	w.c.steps -= len(gone) * len(more) / 32 // 32 pairs of names cost about as much as one comparison
	describe := func(all node, names []string) []candidate {
		var list []candidate
		for _, name := range names {
			s := shape.AsNode(all[name])
			list = append(list, candidate{name: name, description: text(s["description"]), shape: structure(s)})
		}
		return list
	}
	return pairs(describe(before, gone), describe(after, more), propertyLikeness)
}
