// Package access provides file access that is confined to a directory and to the grants of a user.
//
// A [Policy] describes what a user allows a tool to do (JP RFD 076). [Open] combines a policy with a directory.
// Every method of the returned [FS] resolves its path, checks the resolved location against the policy, and then
// acts on exactly that file, through directory handles that follow no symbolic link. If another process changes
// the path between the check and the operation, the method tries again or fails; it does not act on another
// file. (Renames between directories have weaker guarantees on systems other than Linux; docs/access.md lists
// what else is not enforced.)
//
// Paths are relative to the directory and use slashes. The errors have type *[fault.Error];
// Details["reason"] distinguishes errors with the same code.
package access

import (
	"cmp"
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
// Reads follow links to paths that are granted. Changes are denied if the last name of a path is a link.
type FS struct {
	policy *Policy
	base   *base
	mounts map[string]*base // keyed by FSRule.Target
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
	if p == nil {
		p = new(Policy)
	}
	dir, err := realPath(root)
	if err == nil && !p.encloses(dir) {
		return nil, fault.New(fault.PermissionDenied, "the root directory is outside the server's --root directory")
	}
	var b *base
	if err == nil {
		b, err = openBase(dir)
	}
	if err != nil {
		return nil, fault.Wrap(unwrapPaths(err), fault.Unavailable, "the root directory cannot be opened: %s", unwrapPaths(err))
	}
	f := &FS{policy: p, base: b, mounts: map[string]*base{}}
	for _, rule := range p.FS {
		target := filepath.Clean(rule.Target)
		if _, ok := f.mounts[rule.Target]; ok || !rule.leavesRoot() || !p.encloses(target) {
			continue
		}
		if info, err := os.Lstat(target); err == nil && !info.IsDir() {
			target = filepath.Dir(target) // a file is opened from its directory
		}
		if b, err := openBase(target); err == nil {
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

// leavesRoot reports whether the rule allows leaving the root. A relative target is ignored.
func (r FSRule) leavesRoot() bool { return r.External && filepath.IsAbs(r.Target) }

// realPath returns the absolute path of root without links. Like the operating system, it resolves links
// before "..". filepath.Abs does not.
func realPath(root string) (string, error) {
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

// openBase opens dir. It returns an error if the path contains a link before or after it is opened.
func openBase(dir string) (*base, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	opened, statErr := root.Stat(".")
	now, linkErr := filepath.EvalSymlinks(dir)
	info, dirErr := os.Lstat(dir)
	err = cmp.Or(statErr, linkErr, dirErr)
	if err == nil && (now != dir || !os.SameFile(info, opened)) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &base{dir: dir, root: root}, nil
}

// FS returns the files as an io/fs file system, for [fs.WalkDir], [fs.Glob] and similar functions. Its paths
// must satisfy [fs.ValidPath], and its errors are of type *fs.PathError and wrap a *fault.Error. A directory
// lists its unreadable subdirectories too; a walk gets an error for each of them.
func (f *FS) FS() fs.FS { return view{f} }

type view struct{ files *FS }

var (
	_ fs.ReadDirFS  = view{}
	_ fs.ReadFileFS = view{}
	_ fs.StatFS     = view{}
)

func (v view) Open(name string) (fs.File, error) {
	return readView("open", name, func() (fs.File, error) { return v.files.Open(name) })
}

func (v view) ReadDir(name string) ([]fs.DirEntry, error) {
	return readView("readdir", name, func() ([]fs.DirEntry, error) { return v.files.ReadDir(name) })
}

func (v view) ReadFile(name string) ([]byte, error) {
	return readView("readfile", name, func() ([]byte, error) { return v.files.ReadFile(name) })
}

func (v view) Stat(name string) (fs.FileInfo, error) {
	return readView("stat", name, func() (fs.FileInfo, error) { return v.files.Stat(name) })
}

func readView[T any](op, name string, get func() (T, error)) (T, error) {
	var none T
	// fs.ValidPath accepts a backslash, which is a separator on Windows.
	if _, err := filepath.Localize(name); err != nil {
		return none, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	got, err := get()
	if err != nil {
		return none, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return got, nil
}
