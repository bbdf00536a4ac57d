package library

import (
	"context"
	"fmt"
	"os"

	"github.com/jptool/jptool/examples/bookworm/internal/cache"
	"github.com/jptool/jptool/examples/bookworm/internal/docsrs"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
)

// Find returns documentation that is in the cache, else [cache.ErrAbsent].
func (l *Library) Find(name, num string) (*cache.Release, error) { return l.cache.Find(name, num) }

// Size returns how many bytes the archive of a version has, -1 if docs.rs does not
// say, and 0 if it is in the cache. Nothing of it is downloaded, and docs.rs is asked
// once: an archive that has grown since is a [docsrs.LargerError] later.
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
				return nil // since a moment ago
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

// A Request is for the documentation of a version.
type Request struct {
	// Most is how many bytes are downloaded, all if it is 0. More is a
	// [docsrs.LargerError].
	Most int64
	// Anew says to download it even if it is in the cache.
	Anew bool
	// Progress is told how many of how many bytes are there, the latter 0 if unknown.
	Progress func(done, total int64)
}

// Fetch returns the documentation of a version, from the cache if it is there.
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
