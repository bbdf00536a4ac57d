package access

import (
	"io/fs"
	"path/filepath"
)

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
	return asked("open", name, func() (fs.File, error) { return v.files.Open(name) })
}

func (v view) ReadDir(name string) ([]fs.DirEntry, error) {
	return asked("readdir", name, func() ([]fs.DirEntry, error) { return v.files.ReadDir(name) })
}

func (v view) ReadFile(name string) ([]byte, error) {
	return asked("readfile", name, func() ([]byte, error) { return v.files.ReadFile(name) })
}

func (v view) Stat(name string) (fs.FileInfo, error) {
	return asked("stat", name, func() (fs.FileInfo, error) { return v.files.Stat(name) })
}

func asked[T any](op, name string, get func() (T, error)) (T, error) {
	var none T
	// On Windows, a valid path may contain a backslash, which is a separator there.
	if _, err := filepath.Localize(name); err != nil {
		return none, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	got, err := get()
	if err != nil {
		return none, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return got, nil
}
