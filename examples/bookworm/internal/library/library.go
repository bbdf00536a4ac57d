// Package library is crates and their documentation, wherever they come from.
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

// The services.
const (
	CratesIO = "https://crates.io"
	DocsRS   = "https://docs.rs"
)

// Config is where a library looks. Zero values stand for the defaults.
type Config struct {
	// CratesIO and DocsRS are the addresses of the services.
	CratesIO, DocsRS string
	// Cache is the folder of the cache, in the user's cache folder by default.
	Cache string
	// CacheBytes is how much the cache may hold; 0 is no limit.
	CacheBytes int64
	// Offline says to use nothing but the cache.
	Offline bool
	// Fresh is how long what crates.io said counts as new.
	Fresh time.Duration
	// Timeout bounds one request, 30 s, and twice the silence in a download; Download
	// bounds the whole of an archive, 10 minutes.
	Timeout, Download time.Duration
	// Backoff is the first wait before a request is sent again, 500 ms.
	Backoff time.Duration
	// Version is that of the program.
	Version string
}

// A Library is safe for use by several goroutines.
type Library struct {
	registry *registry.Client
	docs     *docsrs.Client
	cache    *cache.Cache
	offline  bool
	sizes    sync.Map // of archives, by NAME@VERSION, as docs.rs has told them
}

// Open returns a library. The error says which setting is at fault.
func Open(c Config) (*Library, error) {
	crates, err := base("the address of crates.io", cmp.Or(c.CratesIO, CratesIO))
	if err != nil {
		return nil, err
	}
	docs, err := base("the address of docs.rs", cmp.Or(c.DocsRS, DocsRS))
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
	// crates.io asks for at most one request a second (crates.io, Data Access Policy).
	// A copy on this machine does not.
	if ip := net.ParseIP(crates.Hostname()); crates.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		settings.Limiter = rate.NewLimiter(rate.Every(time.Second), 1)
	}
	forCrates := fetch.New(settings)
	return &Library{
		registry: registry.New(forCrates, store, crates, c.Fresh, c.Offline),
		docs:     docsrs.New(forDocs, docs, c.Download),
		cache:    store,
		offline:  c.Offline,
	}, nil
}

// Close lets go of the cache.
func (l *Library) Close() error { return l.cache.Close() }

// Registry returns crates.io.
func (l *Library) Registry() *registry.Client { return l.registry }

// Cache returns the cache.
func (l *Library) Cache() *cache.Cache { return l.cache }

// Offline reports whether nothing but the cache is used.
func (l *Library) Offline() bool { return l.offline }

// DefaultCache returns the folder of the cache in the user's cache folder. Without
// one there is none: a folder that everybody may write to is no place for it.
func DefaultCache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", errors.New("there is no cache folder of the user; name a folder by --cache or BOOKWORM_CACHE_DIR")
	}
	return filepath.Join(dir, "bookworm"), nil
}

// base reads the address of a service.
func base(what, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s must be like https://docs.rs: an http or https address without user, query and fragment", what)
	}
	return u, nil
}
