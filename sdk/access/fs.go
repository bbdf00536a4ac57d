package access

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/jptool/jptool/sdk/fault"
)

// An FS is the files below a root, and those that the policy's external rules lead
// to. It is safe for use by several goroutines. Its methods take paths as the
// package comment says and ask for these capabilities:
//
//	Open, ReadFile, ReadDir, Stat, Lstat    read
//	Create, WriteFile, OpenFile             create or update, by what is there
//	Mkdir, MkdirAll                         create
//	Remove                                  delete
//	Rename                                  delete, and create or update
//
// Links are followed to read, where what they lead to is granted. Nothing is
// changed through a link as the last name of a path.
type FS struct {
	policy *Policy
	base   base
	mounts map[string]base // by FSRule.Target
}

// A base is a directory that paths are opened below.
type base struct {
	dir  string // absolute, without links
	root *os.Root
}

// Open returns the files of root under policy p; nil leaves them unrestricted, and
// they are confined to root all the same. An approved target of an external rule is
// opened along, and one that cannot be is as good as absent. A root that cannot be
// opened is a [fault.Unavailable], one outside of [Policy.Within] a
// [fault.PermissionDenied]. The caller closes the FS.
func Open(root string, p *Policy) (*FS, error) {
	dir, err := real(root)
	if err != nil {
		return nil, fault.Wrap(bare(err), fault.Unavailable, "the workspace cannot be opened: %s", bare(err))
	}
	if !p.encloses(dir) {
		return nil, fault.New(fault.PermissionDenied, "the workspace lies outside the directory that the server was started with as --root")
	}
	b, err := openBase(dir)
	if err != nil {
		return nil, fault.Wrap(bare(err), fault.Unavailable, "the workspace cannot be opened: %s", bare(err))
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

// Close ends the use of the FS. Files that it opened stay open.
func (f *FS) Close() error {
	err := f.base.root.Close()
	for _, m := range f.mounts {
		err = errors.Join(err, m.root.Close())
	}
	return err
}

// leadsOut reports whether the rule lets anything out of the root. A target that is
// empty or relative contains no place or any, so it approves of none.
func (r FSRule) leadsOut() bool { return r.External && filepath.IsAbs(r.Target) }

// real returns the absolute path of root without links. Links go before "..", as the
// operating system has it.
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

// openBase opens dir, which must be a real path before and after.
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

// openMount opens an approved target, or for a file the directory that it is in.
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

// sameReal reports by an error that dir is not where opened is, or leads over links.
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
