// Package files reads and writes regular files.
//
// It never blocks on a pipe, never writes to a device, and replaces files atomically. A path may be a symbolic
// link to a regular file. The error for any other file contains its name and kind.
package files

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/rawjson"
)

// maxLinks is the maximum length of a chain of symbolic links, as in Linux.
const maxLinks = 40

// Resolve returns the target of a path with all symbolic links followed. The target does not have to exist.
// Resolve returns an error if the target exists but is not a regular file.
func Resolve(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		at, err := filepath.EvalSymlinks(path)
		if err != nil {
			at = path // some links in /proc cannot be followed by name
		}
		return "", check(path, at, info)
	}
	at := path
	for range maxLinks {
		info, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return at, nil
		}
		if err != nil {
			return "", err
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(at)) // ".." is relative to the real directory
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		at = to
	}
	return "", fmt.Errorf("%q is part of a cycle of symbolic links; use a regular file", path)
}

// check returns an error if the target of a path is not a regular file.
func check(path, at string, info fs.FileInfo) error {
	kind := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		kind = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	case mode&fs.ModeSymlink != 0:
		kind = "a link"
	default:
		kind = "not a file"
	}
	if at != path {
		return fmt.Errorf("%q is a link to %q, which is %s; use a regular file", path, at, kind)
	}
	return fmt.Errorf("%q is %s; use a regular file", path, kind)
}

// Read returns the content of a regular file of at most limit bytes. It follows symbolic links.
func Read(path string, limit int64) ([]byte, error) {
	at, err := Resolve(path)
	if err != nil {
		return nil, err
	}
	return read(path, at, limit, os.OpenFile)
}

// ReadText is like [Read], but without the byte order mark that some editors write at the start of a file.
func ReadText(path string, limit int64) ([]byte, error) {
	data, err := Read(path, limit)
	if err == nil && (bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))) {
		return nil, fmt.Errorf("%q is in UTF-16; save it as UTF-8", path)
	}
	return rawjson.NoMark(data), err
}

// ReadIn is like [ReadText], but for a file in a root. It does not follow links out of the root.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, cmp.Or(CheckIn(root, name), err)
	}
	path := filepath.Join(root.Name(), name)
	if err := check(path, path, info); err != nil {
		return nil, err
	}
	data, err := read(path, name, limit, root.OpenFile)
	return rawjson.NoMark(data), err
}

// CheckIn returns an error if a name in a root exists and is not a regular file.
func CheckIn(root *os.Root, name string) error {
	info, err := root.Lstat(name)
	if err == nil {
		path := filepath.Join(root.Name(), name)
		return check(path, path, info)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// read opens a file and checks again that it is regular.
func read(path, at string, limit int64, open func(string, int, fs.FileMode) (*os.File, error)) ([]byte, error) {
	f, err := open(at, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := check(path, path, info); err != nil {
		return nil, err
	}
	_ = f.SetReadDeadline(time.Now().Add(time.Second)) // some files in /proc block; files on disk do not support deadlines
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%q is larger than %d MiB", path, limit>>20)
	}
	return data, err
}

// Write replaces the content of a file and returns its path with symbolic links followed. An existing file keeps
// its mode. A new file has the mode perm, reduced by the process's umask.
func Write(path string, data []byte, perm fs.FileMode) (at string, err error) {
	at, err = Resolve(path)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(filepath.Dir(at))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("writing %s: the directory does not exist; create it first", at)
	}
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", at, reason(err))
	}
	defer root.Close()
	return at, WriteIn(root, filepath.Base(at), data, perm)
}

// WriteIn is like [Write], but for a file in a root. It returns an error for a symbolic link.
func WriteIn(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	info, err := root.Lstat(name)
	there := err == nil
	if there {
		path := filepath.Join(root.Name(), name)
		if err = check(path, path, info); err == nil {
			err = writable(path, name, info, root.OpenFile)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	sweep(root, filepath.Dir(name))
	part := filepath.Join(filepath.Dir(name), ".jptoolgen-"+rand.Text())
	err = Create(root, part, data, perm)
	if err == nil && there {
		err = errors.Join(keepOwner(root, part, info), root.Chmod(part, info.Mode().Perm()))
	}
	if err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		_ = root.Remove(part) // the file may be incomplete
		return fmt.Errorf("writing %s: %w", filepath.Join(root.Name(), name), reason(err))
	}
	return nil
}

// incomplete matches the names of files that WriteIn has not finished.
var incomplete = lazyregexp.New(`^\.jptoolgen-[A-Z2-7]{26}$`)

// sweep removes the incomplete files in a directory that are more than an hour old. A write takes much less
// time, so the processes that wrote them were killed. sweep ignores files that it cannot remove.
func sweep(root *os.Root, dir string) {
	all, _ := fs.ReadDir(root.FS(), filepath.ToSlash(dir))
	for _, entry := range all {
		if !entry.Type().IsRegular() || !incomplete().MatchString(entry.Name()) {
			continue
		}
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = root.Remove(filepath.Join(dir, entry.Name()))
		}
	}
}

// writable returns an error if a file is not writable. Without this check, a rename would replace the file.
func writable(path, at string, info fs.FileInfo, open func(string, int, fs.FileMode) (*os.File, error)) error {
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%q is read-only; make it writable", path)
	}
	f, err := open(at, os.O_WRONLY|nonblock, 0)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, reason(err))
	}
	return f.Close()
}

// reason returns an error without the name of the temporary file, which the caller does not know.
func reason(err error) error {
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// Join returns the path of a file that is named relative to a directory.
func Join(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// Make creates a directory and its missing parents, and opens it.
func Make(dir string, perm fs.FileMode) (*os.Root, error) {
	if err := os.MkdirAll(dir, perm); err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// Create writes a new file. It returns an error if the file exists.
func Create(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = root.Remove(name) // the file may be incomplete
	}
	return err
}

// Above returns a directory and its parents, up to the root of its git repository. Outside of a repository, it
// returns only the directory, because other users may own the parents.
func Above(dir string) []string {
	var all []string
	for at := dir; ; at = filepath.Dir(at) {
		all = append(all, at)
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return all
		}
		if filepath.Dir(at) == at {
			return []string{dir}
		}
	}
}
