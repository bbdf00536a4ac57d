// Package files reads and writes regular files.
//
// It waits for no pipe, writes to no device, and replaces a file whole or not at all. What is named may be
// a link to a file; what is neither is refused with its name and kind.
package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// mostLinks is how many links in a row are followed, as Linux does.
const mostLinks = 40

// Resolve returns the file that a path stands for, with links followed. The file need not be there. What is
// there and is not a regular file is an error.
func Resolve(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		at, err := filepath.EvalSymlinks(path)
		if err != nil {
			at = path // some links of /proc cannot be followed by name
		}
		return "", check(path, at, info)
	}
	at := path
	for range mostLinks {
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
			dir, err := filepath.EvalSymlinks(filepath.Dir(at)) // a .. is meant as seen from there
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		at = to
	}
	return "", fmt.Errorf("%q is a link that leads to itself: name a regular file", path)
}

// check returns an error if what path leads to is not a regular file.
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
		return fmt.Errorf("%q is a link to %q, which is %s: name a regular file", path, at, kind)
	}
	return fmt.Errorf("%q is %s: name a regular file", path, kind)
}

// Read returns what a regular file holds, at most so many bytes. Links are followed.
func Read(path string, most int64) ([]byte, error) {
	at, err := Resolve(path)
	if err != nil {
		return nil, err
	}
	return read(path, at, most, os.OpenFile)
}

// ReadIn is [Read] of a file in a root, and follows no link out of it.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(root.Name(), name)
	if err := check(path, path, info); err != nil {
		return nil, err
	}
	return read(path, name, most, root.OpenFile)
}

// read reads a file that was regular a moment ago.
func read(path, at string, most int64, open func(string, int, fs.FileMode) (*os.File, error)) ([]byte, error) {
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
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%q is larger than %d MiB", path, most>>20)
	}
	return data, err
}

// Write replaces what a file holds and returns the file: links are followed. One that is there keeps its
// mode, a new one has perm less the process's mask.
func Write(path string, data []byte, perm fs.FileMode) (at string, err error) {
	at, err = Resolve(path)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(filepath.Dir(at))
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", at, reason(err))
	}
	defer root.Close()
	return at, WriteIn(root, filepath.Base(at), data, perm)
}

// WriteIn is [Write] of a file in a root. A link is refused.
func WriteIn(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	info, err := root.Lstat(name)
	there := err == nil
	if there {
		path := filepath.Join(root.Name(), name)
		err = check(path, path, info)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	part := filepath.Join(filepath.Dir(name), ".jptoolgen-"+rand.Text())
	err = Create(root, part, data, perm)
	if err == nil && there {
		err = root.Chmod(part, info.Mode().Perm())
	}
	if err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		_ = root.Remove(part) // what is left of a file that could not be written
		return fmt.Errorf("writing %s: %w", filepath.Join(root.Name(), name), reason(err))
	}
	return nil
}

// reason returns an error without the name of the file that the caller does not know.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// Create writes a file that is not there yet.
func Create(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
