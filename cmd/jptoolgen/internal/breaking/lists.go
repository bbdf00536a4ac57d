package breaking

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// resources compares the resources or the templates of two servers.
func (c *comparison) resources(where string, o, n []manifest.Resource) {
	name := func(r *manifest.Resource) candidate {
		uri := r.URI + r.URITemplate
		return candidate{name: uri, description: r.Name, shape: r.MIMEType}
	}
	// Many URIs are similar, so only the name tells which resource was renamed.
	likeness := func(x, y *candidate) float64 {
		if x.description == "" || x.description != y.description {
			return 0
		}
		return 1 + similarity(x.letters, y.letters)
	}
	l := list[manifest.Resource]{c: c, kind: "resource", where: where + ".", name: name, likeness: likeness}
	l.compare(o, n, func(o, n *manifest.Resource, where string) {
		if o.MIMEType == "" {
			c.addChange("resource-type-added", "", where, "", nil, orNil(n.MIMEType))
		} else {
			c.addChange("resource-type-changed", "", where, "", o.MIMEType, n.MIMEType)
		}
		c.addChange("resource-words", "", where, "name ", o.Name, n.Name)
		c.entry("", where, o.Entry(), n.Entry())
		c.scopes("", where, o.Scopes, n.Scopes)
		c.jsonTexts("resource-words", "", where, "", decodeOrNil(o.Other), decodeOrNil(n.Other))
	})
}

// prompts compares the prompts of two servers.
func (c *comparison) prompts(o, n []manifest.Prompt) {
	name := func(p *manifest.Prompt) candidate { return candidate{name: p.Name, description: p.Description} }
	l := list[manifest.Prompt]{c: c, kind: "prompt", where: "prompts.", name: name, likeness: propertyLikeness}
	l.compare(o, n, func(o, n *manifest.Prompt, where string) {
		c.entry("", where, o.Entry(), n.Entry())
		c.scopes("", where, o.Scopes, n.Scopes)
		c.jsonTexts("prompt-words", "", where, "", decodeOrNil(o.Other), decodeOrNil(n.Other))
		c.promptArguments(where+".", o.Arguments, n.Arguments)
	})
}

func (c *comparison) promptArguments(where string, o, n []manifest.PromptArgument) {
	name := func(a *manifest.PromptArgument) candidate {
		item := candidate{name: a.Name, description: a.Description}
		if a.Required {
			item.added = "prompt-argument-added-required"
		}
		return item
	}
	l := list[manifest.PromptArgument]{c: c, kind: "prompt-argument", where: where, name: name, likeness: propertyLikeness}
	l.compare(o, n, func(o, n *manifest.PromptArgument, where string) {
		c.toggle("", where, o.Required, n.Required, "prompt-argument-required", "prompt-argument-optional")
		c.addChange("prompt-words", "", where, "description ", orNil(o.Description), orNil(n.Description))
		c.jsonTexts("prompt-words", "", where, "", decodeOrNil(o.Other), decodeOrNil(n.Other))
	})
}

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
		add(l.kind+"-renamed", now, describeChange(item.name, now))
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
