package access

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// MaxEntries is the maximum number of entries that ReadDir returns.
const MaxEntries = 1 << 16

func only(c Capability) func(place) []Capability {
	return func(place) []Capability { return []Capability{c} }
}

// Stat returns information about the file that path leads to.
func (f *FS) Stat(path string) (fs.FileInfo, error) { return f.stat(path, true) }

// Lstat is like [FS.Stat], but describes a link itself. It checks the policy for the location of the link.
func (f *FS) Lstat(path string) (fs.FileInfo, error) { return f.stat(path, false) }

func (f *FS) stat(path string, follow bool) (info fs.FileInfo, err error) {
	err = f.do(path, follow, only(Read), func(s entry) (err error) {
		if s.link && !follow {
			info, err = s.dir.Lstat(s.name)
		} else {
			info, err = s.stat()
		}
		return err
	})
	return info, err
}

// ReadDir returns the entries of a directory, sorted by name, including entries that the policy does not
// allow opening. It returns a [fault.InvalidInput] error if the directory has more than [MaxEntries]
// entries.
func (f *FS) ReadDir(path string) ([]fs.DirEntry, error) {
	dir, err := f.Open(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(MaxEntries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, systemError(err, path)
	}
	if len(entries) > MaxEntries {
		return nil, refuse(tooLarge, path)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Mkdir creates a directory. Its parent must exist.
func (f *FS) Mkdir(path string, perm fs.FileMode) error {
	return f.do(path, true, only(Create), func(s entry) error {
		if s.missing == 0 {
			return refuse(exists, path)
		}
		return s.dir.Mkdir(s.name, perm&fs.ModePerm)
	})
}

// MkdirAll creates a directory and its missing parents. It requires create on each of them, and on the directory
// itself even if it exists.
func (f *FS) MkdirAll(path string, perm fs.FileMode) error {
	p, err := f.resolve(path, true)
	if err != nil {
		return err
	}
	clean, _ := lexical(path)
	names := segments(clean)
	for n := len(names) - p.missing + 1; n <= len(names); n++ {
		err := f.Mkdir(strings.Join(names[:n], "/"), perm)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return f.do(path, true, only(Create), func(s entry) error {
		info, err := s.stat()
		if err == nil && !info.IsDir() {
			return refuse(notDirectory, path)
		}
		return err
	})
}

// Remove removes a file or an empty directory.
func (f *FS) Remove(path string) error {
	return f.do(path, true, only(Delete), func(s entry) error {
		if s.name == "." {
			return refuse(misplaced, path)
		}
		if _, err := s.stat(); err != nil {
			return err
		}
		return s.dir.Remove(s.name)
	})
}
