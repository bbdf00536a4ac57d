package cache

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"
)

// A Document is something that crates.io said.
type Document struct {
	// Checked is when it was last known to be right.
	Checked time.Time `json:"checked"`
	// ETag is its entity tag, "" for none (RFC 9110, 8.8.3).
	ETag string `json:"etag,omitempty"`
	// Body is the text itself.
	Body string `json:"body"`
}

// maxDocument bounds what is read back: a body of 8 MiB, every byte of it escaped.
const maxDocument = 64 << 20

// Load returns a document about a crate, and whether there is one. A file that is
// broken counts as none.
func (c *Cache) Load(name, key string) (Document, bool) {
	var d Document
	if checkNames(name, key) != nil {
		return d, false
	}
	f, err := c.root.Open(path.Join(registryDir, name, key+".json"))
	if err != nil {
		return d, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxDocument))
	if err != nil || json.Unmarshal(data, &d) != nil {
		return Document{}, false
	}
	return d, true
}

// Refresh returns a document that is fresh, and has fetch bring it otherwise: once
// for all goroutines and processes that want it at a time. Fetch gets the old one,
// or the zero Document. If it fails its error is returned.
//
//jp:allow JP704 JP715 reason="a run that is repeated finds what is in the cache, and nothing else changes"
func (c *Cache) Refresh(ctx context.Context, name, key string, fresh func(Document) bool, fetch func(context.Context, Document) (Document, error)) (Document, error) {
	if err := checkNames(name, key); err != nil {
		return Document{}, err
	}
	if d, ok := c.Load(name, key); ok && fresh(d) {
		return d, nil
	}
	var got Document
	err := c.flights.do(ctx, name+" "+key, func(ctx context.Context) error {
		ready := func() bool {
			d, ok := c.Load(name, key)
			return ok && fresh(d)
		}
		return c.locked(ctx, name, ready, func() error {
			old, _ := c.Load(name, key)
			d, err := fetch(ctx, old)
			if err != nil {
				return err
			}
			return c.save(name, key, d)
		})
	})
	if err != nil {
		return Document{}, err
	}
	got, ok := c.Load(name, key)
	if !ok {
		return Document{}, errors.New("the cache has lost a document that was just written")
	}
	return got, nil
}

// save runs under the lock of the crate.
func (c *Cache) save(name, key string, d Document) error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	dir := path.Join(registryDir, name)
	if err := c.within(dir); err != nil {
		return err
	}
	if err := c.root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	part := path.Join(dir, partName)
	if err := c.root.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := c.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return c.root.Rename(part, path.Join(dir, key+".json"))
}
