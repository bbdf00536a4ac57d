// Package library provides crates and their documentation from the network and from the cache.
package library

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/jptool/jptool/examples/bookworm/internal/cache"
	"github.com/jptool/jptool/examples/bookworm/internal/docsrs"
	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
)

// The default services.
const (
	CratesIO = "https://crates.io"
	DocsRS   = "https://docs.rs"
)

// Config configures a library. Zero values select the defaults.
type Config struct {
	// CratesIO and DocsRS are the URLs of the services.
	CratesIO, DocsRS string
	// Cache is the directory of the cache. The default is a directory in the user's cache directory.
	Cache string
	// CacheBytes is the maximum size of the cache; 0 means no limit.
	CacheBytes int64
	// Offline disables the network.
	Offline bool
	// Fresh is the time for which a response from crates.io is used without checking it again.
	Fresh time.Duration
	// Timeout limits a request (default 30 s). Half of it limits the time without data in a download. Download
	// limits a whole download (default 10 minutes).
	Timeout, Download time.Duration
	// Call limits the time that a tool call waits (default 45 s). MCP clients wait for a minute.
	Call time.Duration
	// Backoff is the delay before the first retry (default 500 ms).
	Backoff time.Duration
	// Version is the version of the program, which the User-Agent header contains.
	Version string
}

// A Library provides crates and documentation. It is safe for concurrent use.
type Library struct {
	registry *registry.Client
	docs     *docsrs.Client
	cache    *cache.Cache
	offline  bool
	patience time.Duration
	sizes    sync.Map // sizes of archives that docs.rs reported, keyed by NAME@VERSION
}

// Open returns a library. If a setting is invalid, the error mentions it.
func Open(c Config) (*Library, error) {
	crates, err := base("the URL of crates.io", cmp.Or(c.CratesIO, CratesIO))
	if err != nil {
		return nil, err
	}
	docs, err := base("the URL of docs.rs", cmp.Or(c.DocsRS, DocsRS))
	if err != nil {
		return nil, err
	}
	dir := c.Cache
	if dir == "" {
		if dir, err = DefaultCache(); err != nil {
			return nil, err
		}
	}
	store, err := cache.Open(dir, c.CacheBytes)
	if err != nil {
		return nil, err
	}
	settings := fetch.Config{
		Agent:   "bookworm/" + cmp.Or(c.Version, "devel") + " (+https://github.com/jptool/jptool)",
		Bases:   []*url.URL{crates, docs},
		Hosts:   []string{"crates.io", "static.crates.io", "docs.rs", "static.docs.rs"},
		Timeout: c.Timeout,
		Stall:   c.Timeout / 2,
		Backoff: c.Backoff,
	}
	forDocs := fetch.New(settings)
	// crates.io asks for at most one request per second (crates.io, Data Access Policy). A server on this
	// machine has no such limit.
	if ip := net.ParseIP(crates.Hostname()); crates.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		settings.Limiter = rate.NewLimiter(rate.Every(time.Second), 1)
	}
	forCrates := fetch.New(settings)
	return &Library{
		registry: registry.New(forCrates, store, crates, c.Fresh, c.Offline),
		docs:     docsrs.New(forDocs, docs, c.Download),
		cache:    store,
		offline:  c.Offline,
		patience: cmp.Or(c.Call, 45*time.Second),
	}, nil
}

// Close closes the cache.
func (l *Library) Close() error { return l.cache.Close() }

// Registry returns the client of crates.io.
func (l *Library) Registry() *registry.Client { return l.registry }

// Cache returns the cache.
func (l *Library) Cache() *cache.Cache { return l.cache }

// Patience returns the time that a tool call may wait.
func (l *Library) Patience() time.Duration { return l.patience }

// Offline reports whether the network is disabled.
func (l *Library) Offline() bool { return l.offline }

// DefaultCache returns the directory of the cache in the user's cache directory. It returns an error if the user
// has no cache directory, because a world-writable directory would be unsafe.
func DefaultCache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", errors.New("the user has no cache directory; set one with --cache or BOOKWORM_CACHE_DIR")
	}
	return filepath.Join(dir, "bookworm"), nil
}

// base parses the URL of a service.
func base(what, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s must be an http or https URL without a user name, a query or a fragment, such as https://docs.rs", what)
	}
	return u, nil
}
