package breaking

import (
	"slices"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// toolsets compares the declared toolsets of two servers.
func (c *comparison) toolsets(o, n []manifest.Toolset) {
	name := func(s *manifest.Toolset) candidate { return candidate{name: s.Name} }
	l := list[manifest.Toolset]{c: c, kind: "toolset", where: "server.toolsets.", name: name, likeness: zeroLikeness}
	l.compare(o, n, func(o, n *manifest.Toolset, where string) {
		c.toggle("", where, o.Default, n.Default, "toolset-default-gained", "toolset-default-lost")
		c.addChange("toolset-words", "", where, "", o.Description, n.Description)
	})
}

// implied compares the scopes that scopes imply.
func (c *comparison) implied(o, n []manifest.Scope) {
	all := func(scopes []manifest.Scope) map[string][]string {
		m := map[string][]string{}
		for _, s := range scopes {
			m[s.Name] = s.Implies
		}
		return m
	}
	before, after := all(o), all(n)
	for _, s := range slices.Concat(o, n) {
		for _, implied := range s.Implies {
			was, is := slices.Contains(before[s.Name], implied), slices.Contains(after[s.Name], implied)
			if is != was {
				c.toggle("", "server.scopes."+s.Name+"."+implied, was, is, "scope-implied", "scope-not-implied")
			}
		}
	}
}

// scopes compares the scopes that a caller needs for something. A scope that a former one implies is not new to callers.
func (c *comparison) scopes(tool, where string, o, n []string) {
	held := manifest.WithImplied(c.implies, o)
	for _, scope := range n {
		if !slices.Contains(held, scope) {
			c.add("scope-required", tool, where+".scopes."+scope, "")
		}
	}
	for _, scope := range o {
		if !slices.Contains(n, scope) {
			c.add("scope-not-required", tool, where+".scopes."+scope, "")
		}
	}
	c.order(where+".scopes", o, n)
}
