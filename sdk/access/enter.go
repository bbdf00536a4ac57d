package access

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jptool/jptool/sdk/fault"
)

// attempts is the maximum number of tries for a path that changes during an operation.
const attempts = 32

// errChanged means that a path no longer leads to the file that was resolved.
var errChanged = errors.New("the path changed")

// An entry is a name in an open directory.
type entry struct {
	dir  *os.Root
	name string
	place
}

// do resolves a path, checks that the policy grants the capabilities returned by needs, and calls
// run. It repeats these steps until run finds the file that was checked. If the file is now a link,
// run must return errChanged.
func (f *FS) do(given string, follow bool, needs func(place) []Capability, run func(entry) error) error {
	return retryUntilStable(given, func() error {
		p, err := f.resolve(given, follow)
		if err != nil {
			return err
		}
		for _, c := range needs(p) {
			if err := f.authorize(c, p); err != nil {
				return err
			}
		}
		return p.enter(run)
	})
}

// stat returns information about the named file. It fails if the file is a link, because a resolved place
// contains no links.
func (s entry) stat() (fs.FileInfo, error) {
	if s.missing > 0 {
		return nil, refuse(missing, s.given)
	}
	info, err := s.dir.Lstat(s.name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, errChanged
	}
	return info, err
}

// retryUntilStable calls try until its result does not depend on a path that changed after the check.
func retryUntilStable(given string, try func() error) error {
	for range attempts {
		if err := try(); !isStale(err) {
			return systemError(err, given)
		}
	}
	return refuse(changed, given)
}

// enter opens the directory that contains the place, one path element at a time, and calls run with it.
// No step follows a link: os.Root alone would follow links that stay in root, and could lead from a path
// that one rule grants to a path that another rule denies.
func (p place) enter(run func(entry) error) error {
	if p.missing > 1 {
		return refuse(missing, path.Dir(p.given))
	}
	dir := p.base.root
	rel, _ := relative(p.base.dir, p.path) // always succeeds: the base contains the place
	if rel == "" {
		return run(entry{dir, ".", p})
	}
	names := strings.Split(rel, string(filepath.Separator))
	last := len(names) - 1
	for _, name := range names[:last] {
		next, err := step(dir, name)
		if dir != p.base.root {
			dir.Close()
		}
		if err != nil {
			return err
		}
		dir = next
	}
	if dir != p.base.root {
		defer dir.Close()
	}
	return run(entry{dir, names[last], p})
}

func step(dir *os.Root, name string) (*os.Root, error) {
	before, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, errChanged
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	after, err := next.Stat(".")
	if err != nil || !os.SameFile(before, after) {
		next.Close()
		return nil, errChanged
	}
	return next, nil
}

// isStale reports whether an error may be due to a changed place: a name disappeared or now refers to
// something else, or os.Root found a link that leaves the root (the only error from os.Root without an
// errno).
func isStale(err error) bool {
	if errors.Is(err, errChanged) {
		return true
	}
	if _, coded := errors.AsType[*fault.Error](err); coded {
		return false
	}
	inner := unwrapPaths(err)
	if number, ok := inner.(syscall.Errno); ok {
		return number == syscall.ENOENT || number == syscall.ENOTDIR || number == syscall.ELOOP
	}
	return inner != err && !errors.Is(err, fs.ErrClosed)
}

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
	if err := f.authorize(c, p); err != nil {
		return "", err
	}
	return p.path, nil
}

// authorize returns an error if the policy does not grant c on the place. It reports problems with the
// place only to callers to which c is granted there.
func (f *FS) authorize(c Capability, p place) error {
	switch {
	case !c.Valid():
		return fault.New(fault.Internal, "unknown capability %.40q", string(c))
	case p.base == nil:
		return refuse(escape, p.given)
	case !f.policy.permits(c, p.key):
		return f.policy.deny(c, p.key)
	case !f.policy.permits(c, p.real): // a link inside a target may lead to a path with its own rule
		return f.policy.deny(c, p.real)
	case p.problem != nil:
		return refuse(p.problem, p.given)
	case p.link && c.changes():
		return refuse(link, p.given)
	}
	return nil
}
