package access

import (
	"path/filepath"

	"github.com/jptool/jptool/sdk/fault"
)

// Check returns the absolute path that path leads to, if the policy grants c on it.
// What does not exist yet is judged as it would be made. The verdict holds for the
// moment: for reading and writing, use the methods that act on what they judged. It
// is meant for programs that are handed a path, such as those that [Execute] grants.
//
// A path that is absolute, leads above the root or is malformed is a
// [fault.InvalidInput]; one that is not granted, or that a link leads out of the
// root, a [fault.PermissionDenied].
func (f *FS) Check(c Capability, path string) (resolved string, err error) {
	p, err := f.resolve(path, true)
	if err != nil {
		return "", err
	}
	if _, err := f.judge(c, p); err != nil {
		return "", err
	}
	return p.path, nil
}

// judge returns the base that the place is opened below, if c is granted there. What
// is wrong with a place is told only to those who may know it.
func (f *FS) judge(c Capability, p place) (base, error) {
	if !c.Valid() {
		return base{}, fault.New(fault.Internal, "unknown capability %.40q", string(c))
	}
	b := f.base
	if !p.inside {
		var ok bool
		if b, ok = f.mount(p); !ok {
			return base{}, refuse(escape, p.given)
		}
	}
	if !f.policy.permits(c, p.key) {
		return base{}, f.policy.deny(c, p.key)
	}
	switch {
	case p.trouble != "":
		return base{}, refuse(p.trouble, p.given)
	case p.link && c.changes():
		return base{}, refuse(link, p.given)
	}
	return b, nil
}

// mount returns the base of a place outside the root. The rule that decides about
// the path as it was given must lead there: one below it that is not external takes
// the way back (JP's behaviour; see docs/access.md).
func (f *FS) mount(p place) (base, bool) {
	i := f.policy.rule(p.key)
	if i < 0 || !f.policy.FS[i].leadsOut() {
		return base{}, false
	}
	rule := f.policy.FS[i]
	if _, under := relative(filepath.Clean(rule.Target), p.path); !under {
		return base{}, false
	}
	b, ok := f.mounts[rule.Target]
	return b, ok
}
