package access

import (
	"cmp"
	"os"
	"path/filepath"
)

// Rename moves a file or directory to another path. It replaces an existing file, but not a directory. The
// old path requires the delete capability. The new path requires update if a file exists there, and create
// otherwise. (A file that is created at the new path between the check and the move is replaced as well.)
//
// Two moves are denied even with these grants, because they would grant more than the rules do. A file that the
// policy does not permit reading cannot be moved to a path where the policy permits it. A directory cannot be
// moved while a rule applies below its old or new path.
func (f *FS) Rename(from, to string) error {
	return retryUntilStable(from, func() error { return f.rename(from, to) })
}

func (f *FS) rename(from, to string) error {
	src, srcErr := f.resolve(from, true)
	dst, dstErr := f.resolve(to, true)
	if err := cmp.Or(srcErr, dstErr); err != nil {
		return err
	}
	arrives := Update
	if dst.missing > 0 {
		arrives = Create
	}
	if err := cmp.Or(f.authorize(Delete, src), f.authorize(arrives, dst)); err != nil {
		return err
	}
	if src.missing > 0 {
		return refuse(missing, from)
	}
	if f.authorize(Read, dst) == nil {
		if err := f.authorize(Read, src); err != nil {
			return err
		}
	}
	return src.enter(func(from entry) error {
		return dst.enter(func(to entry) error { return f.move(from, to) })
	})
}

func (f *FS) move(from, to entry) error {
	if to.name == "." {
		return refuse(misplaced, to.given)
	}
	if _, inner := relative(from.path, to.path); inner && from.path != to.path || from.name == "." {
		return refuse(misplaced, from.given)
	}
	info, err := from.stat()
	switch {
	case err != nil:
		return err
	case info.IsDir() && f.policy.hasRuleBelow(from.key, from.real):
		return refuse(ruled, from.given)
	case info.IsDir() && f.policy.hasRuleBelow(to.key, to.real):
		return refuse(ruled, to.given)
	}
	if to.missing == 0 {
		old, err := to.stat()
		if err != nil {
			return err
		}
		if old.IsDir() && !os.SameFile(old, info) {
			return refuse(exists, to.given)
		}
	}
	if filepath.Dir(from.path) == filepath.Dir(to.path) {
		return from.dir.Rename(from.name, to.name)
	}
	return renameAcross(from, to)
}
