package cache

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/archive"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

const (
	archiveExt = ".zip"
	indexExt   = ".sqlite"
	partName   = "part"
)

// ErrAbsent reports a release that is not in the cache.
var ErrAbsent = errors.New("not in the cache")

// A Release is the documentation for one version of a crate.
type Release struct {
	// Name and Version identify the version of the crate.
	Name, Version string
	cache         *Cache
	dir           string // relative to the cache, with slashes
	sum           string
}

// Find returns a release that is in the cache, or [ErrAbsent].
func (c *Cache) Find(name, version string) (*Release, error) {
	if err := errors.Join(checkNames(name, version), c.open()); err != nil {
		return nil, err
	}
	r := &Release{Name: name, Version: version, cache: c, dir: path.Join(cratesDir, name+"@"+version)}
	if err := c.checkNoLink(r.dir); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(c.root.FS(), r.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, c.disk(err)
	}
	// There are two archives only while one is replacing the other.
	var newest time.Time
	for _, e := range entries {
		sum, ok := strings.CutSuffix(e.Name(), archiveExt)
		if info, err := e.Info(); ok && err == nil && info.Mode().IsRegular() && (r.sum == "" || info.ModTime().After(newest)) {
			r.sum, newest = sum, info.ModTime()
		}
	}
	if r.sum == "" {
		return nil, ErrAbsent
	}
	r.touch()
	return r, nil
}

// touch updates the time of the last use, so that the release is not evicted soon.
func (r *Release) touch() {
	now := time.Now()
	_ = r.cache.root.Chtimes(r.dir, now, now) // a cache on a read-only disk is still readable
}

// Fetch returns a release from the cache. If it is missing, Fetch calls download, which writes the archive to a
// file. It does so once for all processes that want the release at the same time. It returns an
// [archive.BadError] if the result is not an archive or not the documentation for a crate. If anew is set, it
// always downloads the archive. Callers with the same purpose share a download.
//
//jp:allow JP704 JP715 reason="a repeated run uses the cache, and changes nothing else"
func (c *Cache) Fetch(ctx context.Context, name, version, purpose string, anew bool, download func(context.Context, *os.File) error) (*Release, error) {
	if found, err := c.Find(name, version); !errors.Is(err, ErrAbsent) && !(anew && err == nil) {
		return found, err
	}
	key := name + "@" + version
	err := c.flights.do(ctx, key+" "+purpose, func(ctx context.Context) error {
		ready := func() bool {
			_, err := c.Find(name, version)
			return err == nil && !anew
		}
		return c.withLock(ctx, key, ready, func() error { return c.disk(c.download(ctx, name, version, download)) })
	})
	if err != nil {
		return nil, err
	}
	return c.Find(name, version)
}

// download downloads the archive. The caller holds the lock of the release.
func (c *Cache) download(ctx context.Context, name, version string, download func(context.Context, *os.File) error) error {
	dir := path.Join(cratesDir, name+"@"+version)
	if err := c.root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	part := path.Join(dir, partName)
	if err := c.root.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := c.root.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum, err := receive(ctx, f, name, download)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, c.root.Remove(part))
	}
	dest := path.Join(dir, sum+archiveExt)
	if info, err := c.root.Lstat(dest); err == nil && !info.Mode().IsRegular() { // this package did not write the file
		if err := c.root.RemoveAll(dest); err != nil {
			return err
		}
	}
	if err := c.root.Rename(part, dest); err != nil {
		return err
	}
	r := &Release{cache: c, dir: dir, sum: sum}
	r.removeLeftovers(true)
	c.evict(dir)
	return nil
}

// receive lets download write an archive to f, checks the archive and returns its checksum.
func receive(ctx context.Context, f *os.File, name string, download func(context.Context, *os.File) error) (string, error) {
	if err := download(ctx, f); err != nil {
		return "", err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return "", err
	}
	if _, err := documentation(f, size, name); err != nil {
		return "", err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(f, 0, size)); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), f.Sync()
}

// documentation opens an archive and checks that it contains the documentation for a crate.
func documentation(f io.ReaderAt, size int64, crate string) (*archive.Archive, error) {
	a, err := archive.Open(f, size, archive.Standard())
	if err != nil {
		return nil, err
	}
	if _, err := rustdoc.Library(a, crate); err != nil {
		return nil, &archive.BadError{Reason: "it does not contain the documentation for a crate"}
	}
	return a, nil
}

// removeLeftovers removes files that earlier processes left: temporary files, and the index of a replaced archive. The
// caller holds the lock.
func (r *Release) removeLeftovers(keepIndex bool) {
	entries, err := fs.ReadDir(r.cache.root.FS(), r.dir)
	if err != nil {
		return
	}
	keep := []string{r.sum + archiveExt}
	if keepIndex {
		keep = append(keep, r.sum+indexExt)
	}
	for _, e := range entries {
		if !slices.Contains(keep, e.Name()) {
			_ = r.cache.root.RemoveAll(path.Join(r.dir, e.Name())) // the next process tries again
		}
	}
}

// Path returns the path of the archive on disk.
func (r *Release) Path() string {
	return filepath.Join(r.cache.dir, filepath.FromSlash(r.dir), r.sum+archiveExt)
}

// An OpenArchive is the opened archive of a release. The caller must close it.
type OpenArchive struct {
	*archive.Archive
	io.Closer
}

// Archive opens the archive. It returns [ErrAbsent] if the archive was removed, and an [archive.BadError] if the
// archive is damaged; see [Release.Discard].
func (r *Release) Archive() (*OpenArchive, error) {
	f, err := r.cache.root.Open(path.Join(r.dir, r.sum+archiveExt))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrAbsent
	}
	if err != nil {
		return nil, r.cache.disk(err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(r.cache.disk(err), f.Close())
	}
	a, err := documentation(f, info.Size(), r.Name)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &OpenArchive{Archive: a, Closer: f}, nil
}

// Index returns the path of the index. If it is missing, Index calls build, once for all processes. The function
// build writes to a temporary file, so that other processes never see an incomplete index.
//
//jp:allow JP704 JP715 reason="a repeated run uses the cache, and changes nothing else"
func (r *Release) Index(ctx context.Context, build func(ctx context.Context, a *archive.Archive, dest string) error) (string, error) {
	name := path.Join(r.dir, r.sum+indexExt)
	dest := filepath.Join(r.cache.dir, filepath.FromSlash(name))
	if err := r.cache.checkNoLink(name); err != nil {
		return "", err
	}
	ready := func() bool {
		info, err := r.cache.root.Lstat(name)
		return err == nil && info.Mode().IsRegular()
	}
	if ready() {
		return dest, nil
	}
	key := path.Base(r.dir)
	err := r.cache.flights.do(ctx, key+" index", func(ctx context.Context) error {
		return r.cache.withLock(ctx, key, ready, func() error {
			a, err := r.Archive()
			if err != nil {
				return err
			}
			defer a.Close()
			r.removeLeftovers(false)
			if err := build(ctx, a.Archive, dest); err != nil {
				return r.indexError(dest, err)
			}
			r.cache.evict(r.dir)
			return nil
		})
	})
	return dest, err
}

// indexError converts an error from building an index. It treats SQLite errors as disk errors.
func (r *Release) indexError(dest string, err error) error {
	var sqlite interface {
		error
		Code() int
	}
	if errors.As(err, &sqlite) {
		return &DiskError{dest, sqlite}
	}
	return r.cache.disk(fmt.Errorf("build the index: %w", err))
}

// DiscardIndex removes an unusable index, so that the next call to [Release.Index] builds it again. It calls
// broken again under the lock, and keeps an index that another process has replaced in the meantime.
func (r *Release) DiscardIndex(ctx context.Context, broken func(path string) bool) error {
	name := path.Join(r.dir, r.sum+indexExt)
	return r.discard(ctx, func() bool { return broken(filepath.Join(r.cache.dir, filepath.FromSlash(name))) }, name)
}

// Discard removes a damaged archive and its index.
func (r *Release) Discard(ctx context.Context) error {
	return r.discard(ctx, func() bool { return true }, path.Join(r.dir, r.sum+archiveExt), path.Join(r.dir, r.sum+indexExt))
}

//jp:allow JP704 JP715 reason="a damaged entry of the cache is removed once, and downloaded again"
func (r *Release) discard(ctx context.Context, broken func() bool, names ...string) error {
	never := func() bool { return false }
	err := r.cache.withLock(ctx, path.Base(r.dir), never, func() error {
		if !broken() {
			return nil
		}
		for _, name := range names {
			if err := r.cache.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	})
	return r.cache.disk(err)
}
