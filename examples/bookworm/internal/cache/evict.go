package cache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"
	"time"
)

// An Entry is a part of the cache that is kept or removed as a whole.
type Entry struct {
	// Name is NAME@VERSION for a release, or the name of a crate for the crates.io responses about the crate.
	Name string
	// Bytes is the size, and Used is the time of the last use.
	Bytes int64
	Used  time.Time
	dir   string
}

// Entries returns all entries, most recently used first.
func (c *Cache) Entries() ([]Entry, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	var all []Entry
	for _, parent := range []string{cratesDir, registryDir} {
		dirs, err := fs.ReadDir(c.root.FS(), parent)
		if err != nil {
			return nil, c.disk(err)
		}
		for _, d := range dirs {
			info, err := d.Info()
			if err != nil || !d.IsDir() {
				continue
			}
			e := Entry{Name: d.Name(), Used: info.ModTime(), dir: path.Join(parent, d.Name())}
			files, err := fs.ReadDir(c.root.FS(), e.dir)
			if err != nil {
				continue // another process has removed the entry
			}
			for _, f := range files {
				if info, err := f.Info(); err == nil {
					e.Bytes += info.Size()
				}
			}
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return b.Used.Compare(a.Used) })
	return all, nil
}

// evict removes entries until the cache is within its limit. It keeps the entry named spare. It ignores
// errors, because nothing depends on its success.
func (c *Cache) evict(spare string) {
	if c.limit <= 0 {
		return
	}
	removed, err := c.shrink(c.limit, spare)
	if err != nil {
		slog.Warn("failed to reduce the cache to its limit", "error", err)
	}
	for _, e := range removed {
		slog.Info("removed from the cache", "name", e.Name, "bytes", e.Bytes)
	}
}

// Shrink removes the least recently used entries until the cache has the given maximum size in bytes, and
// returns the removed entries. Entries that are locked remain.
func (c *Cache) Shrink(limit int64) ([]Entry, error) { return c.shrink(limit, "") }

func (c *Cache) shrink(limit int64, spare string) (removed []Entry, err error) {
	entries, err := c.Entries()
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for _, e := range entries {
		total += e.Bytes
	}
	for _, e := range slices.Backward(entries) {
		if total <= limit {
			break
		}
		if e.dir == spare {
			continue
		}
		if failed := c.remove(e); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		removed, total = append(removed, e), total-e.Bytes
	}
	return removed, err
}

// Remove removes the entries of a crate (NAME) or of one version (NAME@VERSION), or all entries if
// which is "". It returns the removed entries. Entries that are locked remain and cause an error.
func (c *Cache) Remove(which string) ([]Entry, error) {
	entries, err := c.Entries()
	if err != nil {
		return nil, err
	}
	var removed []Entry
	var failed error
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name, "@")
		if which != "" && which != e.Name && which != name {
			continue
		}
		if err := c.remove(e); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		removed = append(removed, e)
	}
	return removed, failed
}

// remove removes an entry if its lock is free.
func (c *Cache) remove(e Entry) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // do not wait for the holder of the lock
	err := c.withLock(ctx, path.Base(e.dir), func() bool { return false }, func() error { return c.root.RemoveAll(e.dir) })
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s was not removed: it is in use", e.Name)
	}
	return c.disk(err)
}
