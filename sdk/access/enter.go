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

// An act is an operation on the last name of a place, in the directory that contains that name. It must
// not follow links: if the name is a link, it returns [errChanged].
type act func(dir *os.Root, name string, p place) error

// do resolves a path, checks that the policy grants the capabilities that needs returns, and calls run. It
// repeats this until run finds the file that was checked.
func (f *FS) do(given string, follow bool, needs func(place) []Capability, run act) error {
	return settle(given, func() error {
		p, err := f.resolve(given, follow)
		if err != nil {
			return err
		}
		var b base
		for _, c := range needs(p) {
			if b, err = f.judge(c, p); err != nil {
				return err
			}
		}
		return enter(b, p, run)
	})
}

// there returns information about the file with this name in dir. The file must not be a link,
// because links in the place were resolved.
func (p place) there(dir *os.Root, name string) (fs.FileInfo, error) {
	if p.missing > 0 {
		return nil, refuse(missing, p.given)
	}
	info, err := dir.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, errChanged
	}
	return info, err
}

// settle calls try again as long as its error may mean that the path has changed since it was
// checked.
func settle(given string, try func() error) error {
	for range attempts {
		err := try()
		if err == nil {
			return nil
		}
		if !stale(err) {
			return system(err, given)
		}
	}
	return refuse(changed, given)
}

// enter opens the directory that contains the place, without following links, and calls run there.
func enter(b base, p place, run act) error {
	rel, ok := relative(b.dir, p.path)
	if !ok {
		return errChanged
	}
	if p.missing > 1 {
		return refuse(missing, path.Dir(p.given))
	}
	if rel == "" {
		return run(b.root, ".", p)
	}
	names := strings.Split(rel, string(filepath.Separator))
	last := len(names) - 1
	dir, err := walk(b.root, names[:last])
	if err != nil {
		return err
	}
	if dir != b.root {
		defer dir.Close()
	}
	return run(dir, names[last], p)
}

// walk opens directories one inside the other. Each must be the directory that Lstat saw just before, and not
// a link: os.Root alone would follow links that stay in root, and could therefore lead from a path that one
// rule grants to a path that another rule refuses.
func walk(root *os.Root, names []string) (*os.Root, error) {
	dir := root
	for _, name := range names {
		next, err := step(dir, name)
		if dir != root {
			dir.Close()
		}
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
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

// stale reports whether an error may be due to a changed place: a name disappeared or became something else,
// or os.Root found a link that leaves it. This is the only error from os.Root without an errno.
func stale(err error) bool {
	if errors.Is(err, errChanged) {
		return true
	}
	if _, coded := errors.AsType[*fault.Error](err); coded {
		return false
	}
	inner := bare(err)
	if number, ok := inner.(syscall.Errno); ok {
		return number == syscall.ENOENT || number == syscall.ENOTDIR || number == syscall.ELOOP
	}
	return inner != err && !errors.Is(err, fs.ErrClosed)
}
