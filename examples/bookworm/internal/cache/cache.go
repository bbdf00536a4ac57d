// Package cache keeps what was downloaded, shared by processes and whole at any time.
//
//	crates/NAME@VERSION/SUM.zip     an archive of documentation
//	crates/NAME@VERSION/SUM.sqlite  the index of it
//	registry/NAME/KEY.json          what crates.io said
//	locks/NAME@VERSION              who works on it
//
// A file is written under another name, under a lock, and renamed when it is whole.
// So a process may end at any moment: what is there can be used, and what is not
// whole is removed by the next one that works on it.
package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A Cache is a folder. It is safe for use by several goroutines and processes.
type Cache struct {
	dir     string
	root    *os.Root
	most    int64
	flights flights
}

const (
	cratesDir   = "crates"
	registryDir = "registry"
	locksDir    = "locks"
)

// Open returns the cache in a folder, which it makes. When more than most bytes are
// kept, those that were not used for longest are removed; 0 keeps all.
func Open(dir string, most int64) (*Cache, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the cache: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the cache: %w", err)
	}
	for _, sub := range []string{cratesDir, registryDir, locksDir} {
		if err := root.MkdirAll(sub, 0o700); err != nil {
			return nil, errors.Join(fmt.Errorf("making the cache: %w", err), root.Close())
		}
		// What is beside the pages is opened by its path, so it must be where it seems.
		if info, err := root.Lstat(sub); err != nil || !info.IsDir() {
			return nil, errors.Join(fmt.Errorf("the cache %s: %s is not a folder", dir, sub), root.Close())
		}
	}
	return &Cache{dir: dir, root: root, most: most}, nil
}

// Dir returns the folder.
func (c *Cache) Dir() string { return c.dir }

// Close lets go of the folder.
func (c *Cache) Close() error { return c.root.Close() }

// plain are the names that a crate, a version or a key may have here. The caller has
// checked them more closely; this keeps every path inside the cache.
var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.+-]{0,191}$`)

func checkNames(names ...string) error {
	for _, name := range names {
		if !plain.MatchString(name) || strings.Contains(name, "..") {
			return fmt.Errorf("%.60q cannot name anything in the cache", name)
		}
	}
	return nil
}

// patience is how often a lock that somebody else holds is tried.
const patience = 20 * time.Millisecond

// locked runs f while no other process or goroutine does so for the same key. If
// ready reports true while it waits, f does not run. The key is a checked name.
func (c *Cache) locked(ctx context.Context, key string, ready func() bool, f func() error) error {
	if err := c.within(locksDir, key); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(c.dir, locksDir, key), flock.SetPermissions(0o600))
	tick := time.NewTicker(patience)
	defer tick.Stop()
	for {
		if ready() {
			return nil
		}
		held, err := lock.TryLock()
		if err != nil {
			return fmt.Errorf("locking the cache: %w", err)
		}
		if held {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	defer lock.Unlock()
	if ready() {
		return nil
	}
	return f()
}

// within refuses a name that is a link, which could lead out of the cache.
func (c *Cache) within(names ...string) error {
	path := filepath.Join(names...)
	if info, err := c.root.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("the cache holds a link where none belongs: %s", path)
	}
	return nil
}
