package breaking

import (
	"reflect"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// hints compares annotations by their effect on clients. If a hint is missing, a client assumes the worst. A
// read-only tool is not destructive and may be repeated (MCP 2025-11-25, ToolAnnotations).
func (c *comparison) hints(tool string, o, n manifest.Annotations) {
	reads, readsNow := is(o.ReadOnly, false), is(n.ReadOnly, false)
	where := tool + ".annotations"
	changed := c.toggle(tool, where+".read_only", reads, readsNow, "read-only")
	if !reads && !readsNow {
		changed = c.toggle(tool, where+".destructive", is(o.Destructive, true), is(n.Destructive, true), "destructive") || changed
		changed = c.toggle(tool, where+".idempotent", is(o.Idempotent, false), is(n.Idempotent, false), "idempotent") || changed
	}
	changed = c.toggle(tool, where+".open_world", is(o.OpenWorld, true), is(n.OpenWorld, true), "open-world") || changed
	if !changed && !reflect.DeepEqual(o, n) {
		c.add("hint-restated", tool, where, "")
	}
}

// toggle records that a tool gained or lost a property. The IDs of the rules are the given prefix with the
// suffixes -gained and -lost. toggle reports whether there was a change.
func (c *comparison) toggle(tool, where string, before, after bool, rules string) bool {
	switch {
	case after && !before:
		c.add(rules+"-gained", tool, where, "")
	case before && !after:
		c.add(rules+"-lost", tool, where, "")
	}
	return before != after
}

// is returns the value of a hint, or the value that clients assume if the hint is missing.
func is(hint *bool, assumed bool) bool {
	if hint == nil {
		return assumed
	}
	return *hint
}
