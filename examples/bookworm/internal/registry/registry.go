// Package registry asks crates.io about crates.
package registry

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/cache"
	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
)

var (
	// ErrNotFound is a crate that crates.io does not know.
	ErrNotFound = errors.New("crates.io has no such crate")
	// ErrOffline is something that was to be asked for while offline.
	ErrOffline = errors.New("it is not in the cache, and nothing is fetched while offline")
)

// Limits on what crates.io answers, in bytes after decompression.
const (
	maxJSON   = 8 << 20
	maxReadme = 4 << 20
)

// FreshFor is how long an answer counts as new.
const FreshFor = 10 * time.Minute

// A Client asks, and remembers the answers about single crates. It is safe for use by
// several goroutines.
type Client struct {
	fetch   *fetch.Client
	cache   *cache.Cache
	base    *url.URL
	fresh   time.Duration
	offline bool
}

// New returns a client of the service at base. An answer is new for as long as
// fresh; then it is asked whether it is still right. While offline only remembered
// answers are returned, however old.
func New(f *fetch.Client, c *cache.Cache, base *url.URL, fresh time.Duration, offline bool) *Client {
	return &Client{fetch: f, cache: c, base: base, fresh: fresh, offline: offline}
}

// Search returns the crates that fit a query best, at most ten. It is not
// remembered.
func (c *Client) Search(ctx context.Context, query string) ([]Crate, error) {
	if c.offline {
		return nil, ErrOffline
	}
	address := c.base.JoinPath("api", "v1", "crates")
	address.RawQuery = url.Values{"q": {query}, "per_page": {"10"}}.Encode()
	reply, err := c.fetch.Get(ctx, address.String(), jsonHeader(), maxJSON)
	if err != nil {
		return nil, err
	}
	return parseSearch(reply.Body)
}

// Metadata returns what is known about a crate.
func (c *Client) Metadata(ctx context.Context, name string) (*Metadata, error) {
	if err := crateuri.Name(name); err != nil {
		return nil, err
	}
	d, asOf, err := c.document(ctx, name, "crate", c.base.JoinPath("api", "v1", "crates", name), maxJSON, c.fresh, func(body string) error {
		_, err := parseMetadata([]byte(body))
		return err
	})
	if err != nil {
		return nil, err
	}
	m, err := parseMetadata([]byte(d.Body))
	if err != nil {
		return nil, err
	}
	m.AsOf = asOf
	return m, nil
}

// Versions returns the versions of a crate, the newest first, under the name that
// crates.io has for it.
func (c *Client) Versions(ctx context.Context, name string) (*Versions, error) {
	if err := crateuri.Name(name); err != nil {
		return nil, err
	}
	d, asOf, err := c.document(ctx, name, "versions", c.base.JoinPath("api", "v1", "crates", name, "versions"), maxJSON, c.fresh, func(body string) error {
		_, err := parseVersions(name, []byte(body))
		return err
	})
	if err != nil {
		return nil, err
	}
	v, err := parseVersions(name, []byte(d.Body))
	if err != nil {
		return nil, err
	}
	v.AsOf = asOf
	return v, nil
}

// Readme returns the README of a version as HTML, "" if it has none. The version is
// one that exists; its README never changes.
func (c *Client) Readme(ctx context.Context, name, version string) (string, error) {
	if err := crateuri.Name(name); err != nil {
		return "", err
	}
	const forever = 100 * 365 * 24 * time.Hour
	address := c.base.JoinPath("api", "v1", "crates", name, url.PathEscape(version), "readme")
	d, _, err := c.document(ctx, name, "readme-"+version, address, maxReadme, forever, func(string) error { return nil })
	// The store behind crates.io says 403 where there is no README.
	if errors.Is(err, ErrNotFound) || fetch.IsStatus(err, http.StatusForbidden) {
		return "", nil
	}
	return d.Body, err
}

// document returns a remembered answer, or asks. The time is that of an old answer
// that could not be checked, and zero for one that is fresh.
func (c *Client) document(ctx context.Context, name, key string, address *url.URL, limit int64, span time.Duration, check func(string) error) (cache.Document, time.Time, error) {
	if c.offline {
		if d, ok := c.cache.Load(name, key); ok {
			return d, d.Checked, nil
		}
		return cache.Document{}, time.Time{}, ErrOffline
	}
	fresh := func(d cache.Document) bool {
		age := time.Since(d.Checked)
		return age >= 0 && age < span
	}
	d, err := c.cache.Refresh(ctx, name, key, fresh, func(ctx context.Context, old cache.Document) (cache.Document, error) {
		return c.ask(ctx, address, old, limit, check)
	})
	if fetch.IsStatus(err, http.StatusNotFound) {
		return d, time.Time{}, ErrNotFound
	}
	if err != nil && fetch.Transient(err) && ctx.Err() == nil {
		if old, ok := c.cache.Load(name, key); ok {
			slog.Warn("crates.io cannot be reached; an older answer is used", "crate", name, "of", old.Checked, "error", err)
			return old, old.Checked, nil
		}
	}
	return d, time.Time{}, err
}

// ask sends a request that has no body as its answer if the old one is still right.
func (c *Client) ask(ctx context.Context, address *url.URL, old cache.Document, limit int64, check func(string) error) (cache.Document, error) {
	header := jsonHeader()
	if limit == maxReadme {
		header.Set("Accept", "text/html")
	}
	if old.ETag != "" {
		header.Set("If-None-Match", old.ETag)
	}
	reply, err := c.fetch.Get(ctx, address.String(), header, limit)
	if err != nil {
		return old, err
	}
	if reply.Status == http.StatusNotModified {
		if old.ETag == "" {
			return old, &fetch.RefusedError{Reason: "an answer of status 304 to a plain request"}
		}
		old.Checked = time.Now()
		return old, nil
	}
	if err := check(string(reply.Body)); err != nil {
		return old, err
	}
	return cache.Document{Checked: time.Now(), ETag: tag(reply.Header), Body: string(reply.Body)}, nil
}

// tag returns the ETag of an answer, "" for one that cannot be sent back.
func tag(h http.Header) string {
	etag := h.Get("ETag")
	if len(etag) > 256 {
		return ""
	}
	for _, b := range []byte(etag) {
		if b < 0x20 || b > 0x7e {
			return ""
		}
	}
	return etag
}

func jsonHeader() http.Header { return http.Header{"Accept": {"application/json"}} }

// unmarshal reads what crates.io answers.
func unmarshal(data []byte, into any) error {
	if err := json.Unmarshal(data, into); err != nil {
		return &fetch.RefusedError{Reason: "an answer that is not the JSON of crates.io", Err: err}
	}
	return nil
}
