package crates

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jptool/jptool/examples/bookworm/internal/archive"
	"github.com/jptool/jptool/examples/bookworm/internal/cache"
	"github.com/jptool/jptool/examples/bookworm/internal/docsrs"
	"github.com/jptool/jptool/examples/bookworm/internal/index"
	"github.com/jptool/jptool/examples/bookworm/internal/library"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// A reader opens documentation, and downloads it if necessary.
type reader struct {
	library *library.Library
	confirm elicit.Confirm
	unasked int64 // maximum number of bytes to download without asking
	call    *tool.Call
	clock   *clock
}

// release returns the documentation for a version. It asks the user before it downloads documentation that is
// larger than the user's limit.
func (r reader) release(ctx context.Context, c choice) (*cache.Release, error) {
	if found, err := r.library.Find(c.name, c.version); err == nil {
		return found, nil
	}
	limit := max(r.unasked, 1)
	if c.size > r.unasked {
		if err := r.ask(ctx, c, c.size); err != nil {
			return nil, err
		}
		limit = 0
	}
	release, err := r.fetch(ctx, c, limit)
	var larger *docsrs.LargerError
	if limit > 0 && errors.As(err, &larger) {
		// docs.rs did not announce the size of the archive earlier.
		if err := r.ask(ctx, c, larger.Size); err != nil {
			return nil, err
		}
		release, err = r.fetch(ctx, c, 0)
	}
	return release, err
}

func (r reader) fetch(ctx context.Context, c choice, limit int64) (release *cache.Release, err error) {
	err = r.clock.run(ctx, func(within context.Context) error {
		release, err = r.library.Fetch(within, c.name, c.version, library.Request{Most: limit, Progress: func(done, total int64) {
			if within.Err() == nil { // other calls may wait for the same download
				r.call.Progress(float64(done), float64(total), "downloading "+c.name+" "+c.version)
			}
		}})
		return r.unfinishedFault(within, err, "download of the documentation for "+c.name+" "+c.version)
	})
	return release, err
}

// unfinishedFault returns the fault for work that continues even though the call has run out of time.
func (r reader) unfinishedFault(within context.Context, err error, what string) error {
	if err == nil || !errors.Is(within.Err(), context.DeadlineExceeded) {
		return err
	}
	return fault.Wrap(err, fault.Timeout, "the %s takes longer than %s and continues in the background; call again in a minute", what, r.library.Patience())
}

func (r reader) ask(ctx context.Context, c choice, size int64) error {
	if size > docsrs.MaxArchive {
		return &docsrs.LargerError{Size: size}
	}
	amount := "unknown size"
	switch {
	case size >= 1<<20:
		amount = fmt.Sprintf("%.1f MiB", float64(size)/(1<<20))
	case size > 0:
		amount = fmt.Sprintf("%.1f KiB", float64(size)/(1<<10))
	}
	yes, err := r.confirm.Ask(ctx, "Download the documentation for %s %s (%s)?", c.name, c.version, amount)
	if err != nil {
		return err
	}
	if !yes {
		return fault.New(fault.InputDeclined, "the download of the documentation for %s %s (%s) was declined", c.name, c.version, amount)
	}
	return nil
}

// read calls use with the documentation for a version. If the archive in the cache is damaged, read downloads it
// once more.
func (r reader) read(ctx context.Context, c choice, use func(*rustdoc.Docs) error) error {
	return r.repairAndRetry(ctx, c, func(release *cache.Release) error {
		a, err := release.Archive()
		if err != nil {
			return err
		}
		defer a.Close()
		docs, err := rustdoc.Open(a, c.name)
		if err != nil {
			return err
		}
		return use(docs)
	})
}

// search passes the index of a version to use. It builds an index that is missing or damaged.
func (r reader) search(ctx context.Context, c choice, use func(*index.Index) error) error {
	return r.repairAndRetry(ctx, c, func(release *cache.Release) error {
		err := r.withIndex(ctx, release, use)
		if err == nil || isBroken(err) || ctx.Err() != nil {
			return err
		}
		unusable := func(path string) bool {
			ix, err := index.Open(path)
			if err != nil {
				return true
			}
			defer ix.Close()
			return use(ix) != nil
		}
		if err := release.DiscardIndex(ctx, unusable); err != nil {
			return err
		}
		return r.withIndex(ctx, release, use)
	})
}

func (r reader) withIndex(ctx context.Context, release *cache.Release, use func(*index.Index) error) error {
	var path string
	err := r.clock.run(ctx, func(within context.Context) (err error) {
		path, err = release.Index(within, func(ctx context.Context, a *archive.Archive, dest string) error {
			if within.Err() == nil {
				r.call.Progress(0, 0, "indexing "+release.Name+" "+release.Version)
			}
			err := index.Build(ctx, a, release.Name, dest)
			if errors.Is(err, index.ErrNoItems) {
				return &archive.BadError{Reason: "it contains no items that can be read", Err: err}
			}
			return err
		})
		return r.unfinishedFault(within, err, "indexing of "+release.Name+" "+release.Version)
	})
	if err != nil {
		return err
	}
	ix, err := index.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return cache.ErrAbsent // another process has replaced the archive
	}
	if err != nil {
		return err
	}
	defer ix.Close()
	return use(ix)
}

// repairAndRetry calls use with a release. If the archive is damaged or missing, repairAndRetry downloads the
// archive again and calls use once more. It removes an archive that is still damaged.
func (r reader) repairAndRetry(ctx context.Context, c choice, use func(*cache.Release) error) error {
	release, err := r.release(ctx, c)
	if err != nil {
		return err
	}
	if err = use(release); !isBroken(err) || r.library.Offline() {
		return err
	}
	r.call.Log().Warn("cached documentation damaged, downloading it again", "crate", c.name, "version", c.version, "error", err)
	if err := release.Discard(ctx); err != nil {
		return err
	}
	err = r.clock.run(ctx, func(ctx context.Context) error {
		c.size, err = r.library.Size(ctx, c.name, c.version)
		return err
	})
	if err != nil {
		return err
	}
	if release, err = r.release(ctx, c); err != nil {
		return err
	}
	if err = use(release); isBroken(err) {
		return errors.Join(err, release.Discard(ctx))
	}
	return err
}
