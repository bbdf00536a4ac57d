package engine

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// inflight tracks the unanswered requests of all sessions.
type inflight struct {
	mu      sync.Mutex
	owed    map[*Request]struct{}
	answers sync.WaitGroup // pending
	ending  bool
	armed   bool   // a timer runs; see stallBound
	ticked  func() // test hook
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
	f.answers.Add(1)
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
	f.answers.Done()
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
	f.ending = true
	return finished(&f.answers)
}

// finished returns a channel that is closed when the counter is zero.
func finished(counter *sync.WaitGroup) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		counter.Wait()
		close(done)
	}()
	return done
}
