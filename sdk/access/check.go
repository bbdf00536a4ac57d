package access

import (
	"path/filepath"

	"github.com/jptool/jptool/sdk/fault"
)

// Check returns the absolute path that path leads to, if the policy grants c on it. For a path that does not
// exist yet, Check checks the location at which it would be created. The result holds only at the time of the
// call: to read and write, use the other methods, which act on exactly the file that they checked. Check is
// meant for paths that are passed to other programs as arguments, and for programs to run (see [Execute]).
//
// Check returns a [fault.InvalidInput] error if the path is absolute, leads above the root or is malformed,
// and a [fault.PermissionDenied] error if the path is not granted or leaves the root through a link.
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

// judge returns the base from which the place is opened, if the policy grants c on the place. It reports
// problems with the place only to callers to which c is granted there.
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

// mount returns the base of a place outside the root, or false if the policy does not grant access to it. The
// rule that applies to the given path must be an external rule whose target contains the place. A more specific
// rule that is not external revokes this permission (JP's behavior; see docs/access.md).
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
