package engine

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// inflight tracks the unanswered requests of all sessions.
type inflight struct {
	mu     sync.Mutex
	owed   map[*Request]struct{}
	ending bool
	idle   chan struct{} // closed when the last answer is sent while ending
	// awake fires while an answer is pending. See stallBound.
	awake  *time.Timer
	armed  bool
	ticked func() // test hook
}

// stallBound is the maximum time without a timer while an answer is pending. A stop-the-world
// phase may have to wait for a goroutine that blocks in a read of standard input, and the Go
// runtime only retries when the next timer fires. Without a timer that may take a minute (see
// docs/go-stall.md).
const stallBound = 200 * time.Millisecond

// add registers a request. It returns false while shutting down.
func (f *inflight) add(r *Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ending {
		return false
	}
	if f.owed == nil {
		f.owed = make(map[*Request]struct{})
	}
	f.owed[r] = struct{}{}
	if !f.armed {
		f.armed = true
		if f.awake == nil {
			f.awake = time.AfterFunc(stallBound, f.tick)
		} else {
			f.awake.Reset(stallBound)
		}
	}
	return true
}

// tick rearms the timer while an answer is pending.
func (f *inflight) tick() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.armed = len(f.owed) > 0; f.armed {
		f.awake.Reset(stallBound)
	}
	if f.ticked != nil {
		f.ticked()
	}
}

// remove unregisters a request. It is called once for each request.
func (f *inflight) remove(r *Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.owed, r)
	if len(f.owed) == 0 && f.ending {
		close(f.idle)
		f.idle = nil
	}
}

// all returns the requests in flight.
func (f *inflight) all() []*Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Keys(f.owed))
}

// end stops accepting requests and returns a channel that is closed when no request is in
// flight.
func (f *inflight) end() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	done := make(chan struct{})
	if f.ending {
		close(done)
		return done
	}
	f.ending = true
	if len(f.owed) == 0 {
		close(done)
	} else {
		f.idle = done
	}
	return done
}
