// Package registry requests data about crates from crates.io.
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
	// ErrNotFound reports a crate that does not exist on crates.io.
	ErrNotFound = errors.New("crates.io has no such crate")
	// ErrOffline reports that data must be requested, but the client is offline.
	ErrOffline = errors.New("the data is not in the cache, and bookworm is offline")
)

// Limits for responses from crates.io, in bytes after decompression.
const (
	maxJSON   = 8 << 20
	maxReadme = 4 << 20
)

// FreshFor is the time for which a response is used without checking it again.
const FreshFor = 10 * time.Minute

// A Client sends requests and caches the responses about single crates. It is safe for concurrent use.
type Client struct {
	fetch   *fetch.Client
	cache   *cache.Cache
	base    *url.URL
	fresh   time.Duration
	offline bool
}

// New returns a client for the service at base. A response is used for the duration fresh, and then revalidated.
// If offline is set, the client only returns cached responses, however old they are.
func New(f *fetch.Client, c *cache.Cache, base *url.URL, fresh time.Duration, offline bool) *Client {
	return &Client{fetch: f, cache: c, base: base, fresh: fresh, offline: offline}
}

// Search returns at most ten crates, best match first. The response is not cached.
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

// Metadata returns the metadata of a crate.
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

// Versions returns the versions of a crate, newest first, and its name on crates.io.
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

// Stored returns the versions of a crate from the last response, however old it is, without sending a request.
func (c *Client) Stored(name string) []Version {
	d, _ := c.cache.Load(name, "versions")
	v, err := parseVersions(name, []byte(d.Body))
	if err != nil {
		return nil
	}
	return v.List
}

// Readme returns the README of a version as HTML, or "" if the version has no README. The version must exist. The README of
// a version never changes.
func (c *Client) Readme(ctx context.Context, name, version string) (string, error) {
	if err := crateuri.Name(name); err != nil {
		return "", err
	}
	const forever = 100 * 365 * 24 * time.Hour
	address := c.base.JoinPath("api", "v1", "crates", name, url.PathEscape(version), "readme")
	d, _, err := c.document(ctx, name, "readme-"+version, address, maxReadme, forever, func(string) error { return nil })
	// The storage behind crates.io responds 403 if there is no README.
	if errors.Is(err, ErrNotFound) || fetch.IsStatus(err, http.StatusForbidden) {
		return "", nil
	}
	return d.Body, err
}

// document returns a cached response, or sends a request. The time is zero for a fresh response, and otherwise
// the time of an old response that could not be revalidated.
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
			slog.Warn("crates.io unreachable, using an older response", "crate", name, "checked", old.Checked, "error", err)
			return old, old.Checked, nil
		}
	}
	return d, time.Time{}, err
}

// ask sends a request. If the old response is still current, the new response has no body.
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
			return old, &fetch.RefusedError{Reason: "unexpected status 304"}
		}
		old.Checked = time.Now()
		return old, nil
	}
	if err := check(string(reply.Body)); err != nil {
		return old, err
	}
	return cache.Document{Checked: time.Now(), ETag: tag(reply.Header), Body: string(reply.Body)}, nil
}

// tag returns the ETag of a response, or "" if it cannot be used in a request.
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

// unmarshal parses a response from crates.io.
func unmarshal(data []byte, into any) error {
	if err := json.Unmarshal(data, into); err != nil {
		return &fetch.RefusedError{Reason: "cannot decode the response from crates.io", Err: err}
	}
	return nil
}
