package library

import (
	"context"
	"fmt"
	"os"

	"github.com/jptool/jptool/examples/bookworm/internal/cache"
	"github.com/jptool/jptool/examples/bookworm/internal/docsrs"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
)

// Find returns documentation from the cache, or [cache.ErrAbsent].
func (l *Library) Find(name, num string) (*cache.Release, error) { return l.cache.Find(name, num) }

// Size returns the size of the archive of a version in bytes, -1 if docs.rs does not announce it, or 0 if the
// archive is cached. It does not download the archive. It stores the result. If the archive has grown before
// a download, the download fails with a [docsrs.LargerError].
func (l *Library) Size(ctx context.Context, name, num string) (int64, error) {
	if _, err := l.cache.Find(name, num); err == nil {
		return 0, nil
	}
	if l.offline {
		return 0, registry.ErrOffline
	}
	key := name + "@" + num
	if _, known := l.sizes.Load(key); !known {
		err := l.cache.Once(ctx, "size of "+key, func(ctx context.Context) error {
			if _, known := l.sizes.Load(key); known {
				return nil // the archive was downloaded in the meantime
			}
			size, err := l.docs.Size(ctx, name, num)
			if err == nil {
				l.sizes.Store(key, size)
			}
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	size, _ := l.sizes.Load(key)
	return size.(int64), nil
}

// A Request describes how to get the documentation for a version.
type Request struct {
	// Most is the maximum size of a download in bytes; 0 means no limit. A larger archive causes a
	// [docsrs.LargerError].
	Most int64
	// Anew downloads the documentation even if it is cached.
	Anew bool
	// Progress is called with the number of bytes downloaded and the total, which is 0 if unknown.
	Progress func(done, total int64)
}

// Fetch returns the documentation for a version, from the cache if possible.
func (l *Library) Fetch(ctx context.Context, name, num string, r Request) (*cache.Release, error) {
	if l.offline {
		found, err := l.cache.Find(name, num)
		if err != nil || r.Anew {
			return nil, registry.ErrOffline
		}
		return found, nil
	}
	return l.cache.Fetch(ctx, name, num, fmt.Sprint(r.Most), r.Anew, func(ctx context.Context, f *os.File) error {
		return l.docs.Download(ctx, name, num, f, docsrs.Options{Most: r.Most, Progress: r.Progress})
	})
}
