package access

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/jptool/jptool/sdk/fault"
)

// An FS gives access to the files below a root and to the targets of the policy's external rules. It is safe for
// concurrent use. Its methods take paths as described in the package comment and require these capabilities:
//
//	Open, ReadFile, ReadDir, Stat, Lstat    read
//	Create, WriteFile, OpenFile             update if the file exists, else create
//	Mkdir, MkdirAll                         create
//	Remove                                  delete
//	Rename                                  delete, and create or update
//
// Reads follow links to paths that are granted. Changes are refused if the last name of a path is a link.
type FS struct {
	policy *Policy
	base   base
	mounts map[string]base // by FSRule.Target
}

// A base is a directory below which paths are opened.
type base struct {
	dir  string // absolute, without links
	root *os.Root
}

// Open returns the files of root under policy p. With a nil policy, files are confined to root and otherwise
// unrestricted. Open also opens the approved targets of external rules; a target that cannot be opened is
// treated as missing. Open returns a [fault.Unavailable] error if root cannot be opened, and a
// [fault.PermissionDenied] error if root is outside [Policy.Within]. The caller must close the FS.
func Open(root string, p *Policy) (*FS, error) {
	dir, err := real(root)
	if err != nil {
		return nil, fault.Wrap(bare(err), fault.Unavailable, "the root cannot be opened: %s", bare(err))
	}
	if !p.encloses(dir) {
		return nil, fault.New(fault.PermissionDenied, "the root is outside the server's --root directory")
	}
	b, err := openBase(dir)
	if err != nil {
		return nil, fault.Wrap(bare(err), fault.Unavailable, "the root cannot be opened: %s", bare(err))
	}
	f := &FS{policy: p, base: b, mounts: map[string]base{}}
	if p == nil {
		return f, nil
	}
	for _, rule := range p.FS {
		if _, ok := f.mounts[rule.Target]; ok || !rule.leadsOut() || !p.encloses(filepath.Clean(rule.Target)) {
			continue
		}
		if b, err := openMount(filepath.Clean(rule.Target)); err == nil {
			f.mounts[rule.Target] = b
		}
	}
	return f, nil
}

// Close closes the FS. Files that it opened stay open.
func (f *FS) Close() error {
	err := f.base.root.Close()
	for _, m := range f.mounts {
		err = errors.Join(err, m.root.Close())
	}
	return err
}

// leadsOut reports whether the rule allows leaving the root. An empty or relative target approves nothing,
// since it does not name one location.
func (r FSRule) leadsOut() bool { return r.External && filepath.IsAbs(r.Target) }

// real returns the absolute path of root without links. Links are resolved before "..", as the operating system
// does.
func real(root string) (string, error) {
	if root == "" {
		return "", fs.ErrNotExist
	}
	if !filepath.IsAbs(root) {
		wd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		root = wd + string(filepath.Separator) + root
	}
	return filepath.EvalSymlinks(root)
}

// openBase opens dir, which must be a path without links before and after it is opened.
func openBase(dir string) (base, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return base{}, err
	}
	opened, err := root.Stat(".")
	if err == nil {
		err = sameReal(dir, opened)
	}
	if err != nil {
		return base{}, errors.Join(err, root.Close())
	}
	return base{dir: dir, root: root}, nil
}

// openMount opens an approved target, or the parent directory if the target is a file.
func openMount(target string) (base, error) {
	info, err := os.Lstat(target)
	if err != nil {
		return base{}, err
	}
	if !info.IsDir() {
		target = filepath.Dir(target)
	}
	return openBase(target)
}

// sameReal returns an error if dir is no longer the opened directory, or if its path contains
// links.
func sameReal(dir string, opened fs.FileInfo) error {
	now, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if now != dir || !os.SameFile(info, opened) {
		return fs.ErrNotExist
	}
	return nil
}
