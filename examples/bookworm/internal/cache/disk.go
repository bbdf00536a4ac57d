package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/jptool/jptool/examples/bookworm/internal/archive"
)

// A DiskError reports that the disk prevents the use of the cache: for example, it is full or read-only, or
// there is a file where a directory is needed.
type DiskError struct {
	// Path is the file or directory that cannot be used.
	Path string
	Err  error
}

// Error mentions the path and the reason.
func (e *DiskError) Error() string {
	return fmt.Sprintf("the cache cannot be used: %s: %s", e.Path, e.Err)
}

// Unwrap returns the reason.
func (e *DiskError) Unwrap() error { return e.Err }

// disk converts a file system error to a [DiskError] and returns other errors unchanged.
func (c *Cache) disk(err error) error {
	var (
		known *DiskError
		bad   *archive.BadError
		file  *fs.PathError
		link  *os.LinkError
	)
	path := ""
	switch {
	case err == nil, errors.As(err, &known), errors.As(err, &bad):
		return err
	case errors.As(err, &file):
		path, err = file.Path, file.Err
	case errors.As(err, &link):
		path, err = link.New, link.Err
	default:
		return err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, filepath.FromSlash(path))
	}
	return &DiskError{path, err}
}

// open opens the directory of the cache, and creates it if necessary. If it fails, a later call may succeed.
//
//jp:allow JP704 JP715 reason="a repeated run uses the cache, and changes nothing else"
func (c *Cache) open() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.root != nil {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return c.disk(err)
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return c.disk(err)
	}
	for _, sub := range []string{cratesDir, registryDir, locksDir} {
		// Archives and indexes are opened by path, so the subdirectories must not be links.
		info, err := root.Lstat(sub)
		if errors.Is(err, fs.ErrNotExist) {
			err = root.Mkdir(sub, 0o700)
		} else if err == nil && !info.IsDir() {
			err = &DiskError{filepath.Join(c.dir, sub), errors.New("not a directory")}
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return errors.Join(c.disk(err), root.Close())
		}
	}
	c.root = root
	return nil
}
