package cache

import (
	"context"
	"errors"
	"sync"
)

// flights runs a function once for all concurrent callers with the same key. Unlike x/sync's singleflight, it
// cancels the function once all callers have canceled.
type flights struct {
	mu      sync.Mutex
	running map[string]*flight
}

type flight struct {
	done    chan struct{}
	err     error
	waiting int
	cancel  context.CancelFunc
}

// Once runs f, or joins the current run for the same key in this process, and returns its error.
func (c *Cache) Once(ctx context.Context, key string, f func(context.Context) error) error {
	return c.flights.do(ctx, key, f)
}

// do runs run, or joins the current run for the same key, and returns its error. It returns early when ctx is
// done. If the last caller ran out of time, the run continues, so a later call finds its result.
func (f *flights) do(ctx context.Context, key string, run func(context.Context) error) error {
	f.mu.Lock()
	one := f.running[key]
	if one == nil {
		work, cancel := context.WithCancel(context.WithoutCancel(ctx))
		one = &flight{done: make(chan struct{}), cancel: cancel}
		if f.running == nil {
			f.running = map[string]*flight{}
		}
		f.running[key] = one
		go func() {
			one.err = run(work)
			f.mu.Lock()
			if f.running[key] == one {
				delete(f.running, key)
			}
			f.mu.Unlock()
			cancel()
			close(one.done)
		}()
	}
	one.waiting++
	f.mu.Unlock()
	select {
	case <-one.done:
		return one.err
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if one.waiting--; one.waiting == 0 && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		one.cancel()
		if f.running[key] == one {
			delete(f.running, key) // later callers start a new run
		}
	}
	return ctx.Err()
}
