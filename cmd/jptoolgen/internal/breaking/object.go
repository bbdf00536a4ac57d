package breaking

import (
	"maps"
	"slices"
)

// object tells what became of the properties of an object, and of the names that
// are not among them.
func (w *walk) object(path string, o, n node, depth int) {
	before, after := properties(o), properties(n)
	needed, nowNeeded := required(o), required(n)
	gone, more := missing(before, after), missing(after, before)
	for from, to := range w.renamed(before, after, gone, more) {
		at := path + "." + to
		w.tell(renamed, at, became(from, to))
		w.compare(at, asNode(before[from]), asNode(after[to]), depth+1)
		w.need(at, needed[from], nowNeeded[to])
		gone = slices.DeleteFunc(gone, func(name string) bool { return name == from })
		more = slices.DeleteFunc(more, func(name string) bool { return name == to })
		delete(nowNeeded, to)
	}
	for _, name := range gone {
		w.tell(removed, path+"."+name, "")
	}
	for _, name := range more {
		if nowNeeded[name] {
			w.tell(addedRequired, path+"."+name, "")
		} else {
			w.tell(added, path+"."+name, "")
		}
		delete(nowNeeded, name)
		if others, ok := o["additionalProperties"].(node); ok { // the name was allowed, with any such value
			w.compare(path+"."+name, others, asNode(after[name]), depth+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if schema, ok := after[name]; ok {
			w.compare(path+"."+name, asNode(before[name]), asNode(schema), depth+1)
			w.need(path+"."+name, needed[name], nowNeeded[name])
			delete(nowNeeded, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(nowNeeded)) { // without a schema of its own
		if _, declared := before[name]; !declared {
			w.need(path+"."+name, needed[name], true)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		_, was := before[name]
		if _, is := after[name]; !was && !is {
			w.need(path+"."+name, true, required(n)[name])
		}
	}
	w.others(path, o, n, depth)
}

// need tells whether a property must be there now, or no longer.
func (w *walk) need(path string, before, after bool) {
	switch {
	case before && !after:
		w.tell(becameOptional, path, "")
	case !before && after:
		w.tell(becameRequired, path, "")
	}
}

// others tells what became of the names that are not declared, and of their values.
func (w *walk) others(path string, o, n node, depth int) {
	before, after := o["additionalProperties"], n["additionalProperties"]
	switch {
	case before != false && after != false:
		if before != nil || after != nil {
			w.compare(path+".*", asNode(before), asNode(after), depth+1)
		}
	case before == false && after != false:
		w.tell(opened, path, "additionalProperties "+became(before, after))
	case before != false && after == false:
		w.tell(closed, path, "additionalProperties "+became(before, after))
	}
}

func properties(s node) node {
	all, _ := s["properties"].(node)
	return all
}

// required returns the names that an object must have.
func required(s node) map[string]bool {
	names := map[string]bool{}
	list, _ := s["required"].([]any)
	for _, v := range list {
		names[text(v)] = true
	}
	return names
}

// missing returns the names of all that are not among these, sorted.
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

// renamed guesses which properties that are gone have another name now.
func (w *walk) renamed(before, after node, gone, more []string) map[string]string {
	if len(gone) == 0 || len(more) == 0 {
		return nil
	}
	w.c.steps -= len(gone) * len(more) / 32 // which cost as much as one comparison
	describe := func(all node, names []string) []named {
		var list []named
		for _, name := range names {
			s := asNode(all[name])
			list = append(list, named{name: name, description: text(s["description"]), shape: structure(s)})
		}
		return list
	}
	return pairs(describe(before, gone), describe(after, more), propertyLikeness)
}
