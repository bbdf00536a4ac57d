package cache

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"time"
)

// A Document is a response from crates.io.
type Document struct {
	// Checked is the time when the document was last known to be current.
	Checked time.Time `json:"checked"`
	// ETag is the entity tag, or "" if the server sent none (RFC 9110, 8.8.3).
	ETag string `json:"etag,omitempty"`
	// Body is the response body.
	Body string `json:"body"`
}

// maxDocument is the maximum size of a stored document: a body of 8 MiB in which every byte is escaped.
const maxDocument = 64 << 20

// Load returns a stored document about a crate, and whether it exists. A damaged file counts as missing.
func (c *Cache) Load(name, key string) (Document, bool) {
	var d Document
	if checkNames(name, key) != nil || c.open() != nil {
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

// Refresh returns the document if it is fresh. Otherwise, it calls fetch, once for all goroutines and
// processes that want the document at the same time. The function fetch receives the old document, or the
// zero Document. Refresh returns the error from fetch. If the disk cannot be used, it returns the document
// without storing it.
//
//jp:allow JP704 JP715 reason="a repeated run uses the cache, and changes nothing else"
func (c *Cache) Refresh(ctx context.Context, name, key string, fresh func(Document) bool, fetch func(context.Context, Document) (Document, error)) (Document, error) {
	if err := checkNames(name, key); err != nil {
		return Document{}, err
	}
	if d, ok := c.Load(name, key); ok && fresh(d) {
		return d, nil
	}
	if c.open() != nil {
		return fetch(ctx, Document{})
	}
	var got Document
	err := c.flights.do(ctx, name+" "+key, func(ctx context.Context) error {
		ready := func() bool {
			d, ok := c.Load(name, key)
			return ok && fresh(d)
		}
		return c.withLock(ctx, name, ready, func() error {
			old, _ := c.Load(name, key)
			d, err := fetch(ctx, old)
			if err != nil {
				return err
			}
			got = d
			return c.disk(c.save(name, key, d))
		})
	})
	var failed *DiskError
	if errors.As(err, &failed) { // the function that sets got has returned
		slog.Warn("response not stored in the cache", "error", err)
		if got.Body == "" { // another call received the response, or the lock cannot be used
			return fetch(ctx, Document{})
		}
		return got, nil
	}
	if err != nil {
		return Document{}, err
	}
	got, ok := c.Load(name, key)
	if !ok {
		return Document{}, errors.New("a document that was just written to the cache is missing")
	}
	return got, nil
}

// save stores a document. The caller holds the lock of the crate.
func (c *Cache) save(name, key string, d Document) error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	dir := path.Join(registryDir, name)
	if err := c.checkNoLink(dir); err != nil {
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
