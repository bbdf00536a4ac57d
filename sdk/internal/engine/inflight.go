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
	idle   chan struct{} // closed when the last answer is sent while ending; nil before that
	armed  bool          // a timer runs; see stallBound
	ticked func()        // test hook
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
	if f.idle != nil {
		return false
	}
	if f.owed == nil {
		f.owed = make(map[*Request]struct{})
	}
	f.owed[r] = struct{}{}
	if !f.armed {
		f.armed = true
		time.AfterFunc(stallBound, f.tick)
	}
	return true
}

// tick starts the timer again while an answer is pending.
func (f *inflight) tick() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.armed = len(f.owed) > 0; f.armed {
		time.AfterFunc(stallBound, f.tick)
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
	if len(f.owed) == 0 && f.idle != nil {
		close(f.idle)
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
	if f.idle == nil {
		f.idle = make(chan struct{})
		if len(f.owed) == 0 {
			close(f.idle)
		}
	}
	return f.idle
}
