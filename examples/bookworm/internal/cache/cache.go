// Package cache stores downloaded files. Several processes can share a cache, and its files are complete at all
// times.
//
//	crates/NAME@VERSION/SUM.zip     an archive of documentation
//	crates/NAME@VERSION/SUM.sqlite  the index of the archive
//	registry/NAME/KEY.json          a response from crates.io
//	locks/NAME@VERSION              a lock file
//
// A process holds a lock while it writes a file under a temporary name, and renames the file when it is
// complete. A process can therefore be killed at any time: the files under their final names are
// usable, and the next process that works on the same entry removes incomplete files.
package cache

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A Cache stores files in a directory. It is safe for concurrent use by goroutines and processes.
type Cache struct {
	dir     string
	limit   int64
	mu      sync.Mutex
	root    *os.Root // nil until open
	flights flights
}

const (
	cratesDir   = "crates"
	registryDir = "registry"
	locksDir    = "locks"
)

// Open returns the cache in a directory, which is opened or created when the cache is first used. If the cache
// exceeds limit bytes, it removes the least recently used entries; 0 means no limit.
func Open(dir string, limit int64) (*Cache, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	return &Cache{dir: dir, limit: limit}, nil
}

// Dir returns the directory.
func (c *Cache) Dir() string { return c.dir }

// Close closes the directory.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.root == nil {
		return nil
	}
	return c.root.Close()
}

// plain reports whether a crate, a version or a key can be a file name in the cache. It can have letters, digits
// and _.+-, and must start with a letter or a digit. The caller has validated it more strictly; this check keeps
// every path inside the cache.
func plain(name string) bool {
	const longest, marks = 192, "_.+-"
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(marks, r)
	}
	return name != "" && len(name) <= longest && !strings.ContainsFunc(name, odd) && !strings.ContainsAny(name[:1], marks) && !strings.Contains(name, "..")
}

func checkNames(names ...string) error {
	for _, name := range names {
		if !plain(name) {
			return fmt.Errorf("invalid name %.60q in the cache", name)
		}
	}
	return nil
}

// patience is the interval between attempts to take a lock that another process holds.
const patience = 20 * time.Millisecond

// withLock holds the lock of a key while it runs f. No other process or goroutine can hold the lock at the same
// time. If ready returns true while withLock waits for the lock, f does not run. The key must be a valid name.
func (c *Cache) withLock(ctx context.Context, key string, ready func() bool, f func() error) error {
	if err := c.checkNoLink(locksDir, key); err != nil {
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
			return c.disk(err)
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

// checkNoLink returns an error if a name is a symbolic link, because a link could lead outside the cache.
func (c *Cache) checkNoLink(names ...string) error {
	path := filepath.Join(names...)
	if info, err := c.root.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("the cache contains an unexpected link: %s", path)
	}
	return nil
}
