package breaking

import (
	"cmp"
	"slices"
	"strings"
)

// A list describes how to compare the items of two lists.
type list[T any] struct {
	c *comparison
	// kind is the prefix of the rule IDs for added, removed and renamed items. where is the prefix of the
	// locations of items.
	kind, where string
	name        func(*T) candidate
	likeness    func(x, y *candidate) float64
	// tool returns the name of the tool that an item belongs to. It is nil if items do not belong to tools.
	tool func(item string) string
	// rename records that an item was renamed. If it is nil, the rule is the kind followed by "-renamed".
	rename func(o, n *T, where, detail string)
}

// compare pairs the items of two lists by name and by likeness, and calls the function both for each pair. It
// records all other items as removed or added.
func (l list[T]) compare(o, n []T, both func(o, n *T, where string)) {
	add := func(rule, item, detail string) {
		tool := ""
		if l.tool != nil {
			tool = l.tool(item)
		}
		l.c.add(rule, tool, l.where+item, detail)
	}
	before, after := index(o, l.name), index(n, l.name)
	names := func(list []T) (all []string) {
		for i := range list {
			if name := l.name(&list[i]).name; before[name] != nil && after[name] != nil {
				all = append(all, name)
			}
		}
		return all
	}
	if !slices.Equal(names(o), names(n)) {
		l.c.respell(cmp.Or(strings.TrimSuffix(l.where, "."), l.kind+"s"), []string{""})
	}
	var gone, more []candidate
	for i := range o {
		if item := l.name(&o[i]); after[item.name] == nil {
			gone = append(gone, item)
		}
	}
	for i := range n {
		item := l.name(&n[i])
		if old := before[item.name]; old != nil {
			both(old, &n[i], l.where+item.name)
			continue
		}
		more = append(more, item)
	}
	to, taken := pairs(gone, more, l.likeness), map[string]bool{}
	for _, item := range gone {
		now, ok := to[item.name]
		if !ok {
			add(l.kind+"-removed", item.name, "")
			continue
		}
		taken[now] = true
		if l.rename != nil {
			l.rename(before[item.name], after[now], l.where+now, describeChange(item.name, now))
		} else {
			add(l.kind+"-renamed", now, describeChange(item.name, now))
		}
		both(before[item.name], after[now], l.where+now)
	}
	for _, item := range more {
		if !taken[item.name] {
			add(cmp.Or(item.added, l.kind+"-added"), item.name, "")
		}
	}
}

func index[T any](list []T, name func(*T) candidate) map[string]*T {
	all := map[string]*T{}
	for i := range list {
		all[name(&list[i]).name] = &list[i]
	}
	return all
}
