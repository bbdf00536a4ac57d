package access

import (
	"cmp"
	"slices"
)

// A Policy is what a user grants a tool. Each list stands for itself: an empty one
// restricts nothing, and one with rules refuses whatever none of them grants (JP
// RFD 076, Configuration). A nil Policy restricts nothing. A Policy must not change
// while it is in use; then it is safe for use by several goroutines.
type Policy struct {
	// Within is a directory, an absolute path without links, that neither the root nor
	// the target of an external rule may lie outside of; "" is no bound.
	Within string

	FS  []FSRule
	Net []NetRule
	Env []EnvRule
}

// An FSRule grants capabilities on one path and what is below it. The rule with the
// most path segments wins, of several the last; its grants apply in full, and those
// of shorter rules not at all.
type FSRule struct {
	// Path is relative to the root; "" and "." are the root. It is compared byte
	// by byte, without wildcards. A ".." in it counts for nothing, as in JP.
	Path string
	// External says that Path is a symbolic link that leads out of the root.
	External bool
	// Target is the absolute real path that the user let an external Path lead to.
	// Without it, an external rule lets nothing out of the root.
	Target string

	Read, Execute bool
	// Write stands for those of Create, Update and Delete that are nil.
	Write                  bool
	Create, Update, Delete *bool
}

// Grants reports whether the rule grants c. An unknown capability is never granted.
func (r FSRule) Grants(c Capability) bool {
	switch c {
	case Read:
		return r.Read
	case Create:
		return *cmp.Or(r.Create, &r.Write)
	case Update:
		return *cmp.Or(r.Update, &r.Write)
	case Delete:
		return *cmp.Or(r.Delete, &r.Write)
	case Execute:
		return r.Execute
	}
	return false
}

// Permits reports whether the rules grant c on path, taken as it is written: no file
// is looked at. A path that is absolute or leads above the root is never permitted.
// To use a file, open it by an [FS], which knows where links lead.
func (p *Policy) Permits(c Capability, path string) bool {
	clean, why := normalize(path)
	return why == "" && p.permits(c, clean)
}

func (p *Policy) permits(c Capability, clean string) bool {
	if !c.Valid() || !p.restricted() {
		return c.Valid()
	}
	rule := p.rule(clean)
	return rule >= 0 && p.FS[rule].Grants(c)
}

// GrantingPaths returns the paths of the rules that grant c, in their order and the
// root as ".". A rule that a later one of the same path replaces is not among them.
// It is empty for a policy that does not restrict files.
func (p *Policy) GrantingPaths(c Capability) []string {
	if p == nil {
		return []string{}
	}
	var effective []FSRule
	for _, rule := range p.FS {
		if i := slices.IndexFunc(effective, func(r FSRule) bool { return r.Path == rule.Path }); i >= 0 {
			effective[i] = rule
		} else {
			effective = append(effective, rule)
		}
	}
	paths := []string{}
	for _, rule := range effective {
		if rule.Grants(c) {
			paths = append(paths, orDot(rule.Path))
		}
	}
	return paths
}

func (p *Policy) restricted() bool { return p != nil && len(p.FS) > 0 }

// rule returns the index of the rule that decides about a path, and -1 for none.
func (p *Policy) rule(path string) int {
	if p == nil {
		return -1
	}
	target, best, most := segments(path), -1, -1
	for i, rule := range p.FS {
		own := segments(rule.Path)
		if len(own) >= most && hasPrefix(target, own) {
			best, most = i, len(own)
		}
	}
	return best
}

// below reports whether a rule stands below path: then what is true of path is not
// true of all that it contains.
func (p *Policy) below(path string) bool {
	if p == nil {
		return false
	}
	dir := segments(path)
	return slices.ContainsFunc(p.FS, func(r FSRule) bool {
		own := segments(r.Path)
		return len(own) > len(dir) && hasPrefix(own, dir)
	})
}
