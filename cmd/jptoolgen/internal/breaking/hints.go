package breaking

import "github.com/jptool/jptool/sdk/gen/manifest"

// hints compares annotations by their effect on clients. A client assumes the worst about a missing hint. A
// read-only tool is not destructive and may be repeated (MCP 2025-11-25, ToolAnnotations).
func (c *comparison) hints(tool string, o, n manifest.Annotations) {
	reads, readsNow := is(o.ReadOnly, false), is(n.ReadOnly, false)
	changed := false
	judge := func(where string, before, after bool, gained, lost string) {
		switch {
		case !before && after:
			c.add(gained, tool, tool+".annotations."+where, "")
			changed = true
		case before && !after:
			c.add(lost, tool, tool+".annotations."+where, "")
			changed = true
		}
	}
	judge("read_only", reads, readsNow, "read-only-gained", "read-only-lost")
	if !reads && !readsNow {
		judge("destructive", is(o.Destructive, true), is(n.Destructive, true), "destructive-gained", "destructive-lost")
		judge("idempotent", is(o.Idempotent, false), is(n.Idempotent, false), "idempotent-gained", "idempotent-lost")
	}
	judge("open_world", is(o.OpenWorld, true), is(n.OpenWorld, true), "open-world-gained", "open-world-lost")
	if changed {
		return
	}
	for _, h := range []struct{ before, after *bool }{
		{o.ReadOnly, n.ReadOnly}, {o.Destructive, n.Destructive}, {o.Idempotent, n.Idempotent}, {o.OpenWorld, n.OpenWorld},
	} {
		if (h.before == nil) != (h.after == nil) || h.before != nil && *h.before != *h.after {
			c.add("hint-restated", tool, tool+".annotations", "")
			return
		}
	}
}

// is returns a hint, or the value that clients assume if it is missing.
func is(hint *bool, assumed bool) bool {
	if hint == nil {
		return assumed
	}
	return *hint
}
