package engine

import (
	"sync"
	"time"
)

// inflight tracks the requests of all sessions that have not been answered.
type inflight struct {
	mu     sync.Mutex
	first  *Request // a ring, nil if empty
	owed   int
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
	f.owed++
	r.next, r.prev = r, r
	if f.first != nil {
		r.next, r.prev = f.first, f.first.prev
		r.prev.next, r.next.prev = r, r
	} else {
		f.first = r
	}
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
	if f.armed = f.owed > 0; f.armed {
		f.awake.Reset(stallBound)
	}
	if f.ticked != nil {
		f.ticked()
	}
}

// remove unregisters a request. It is called once for each.
func (f *inflight) remove(r *Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.next == r {
		f.first = nil
	} else {
		r.prev.next, r.next.prev = r.next, r.prev
		if f.first == r {
			f.first = r.next
		}
	}
	r.next, r.prev = nil, nil
	if f.owed--; f.owed == 0 && f.ending {
		close(f.idle)
		f.idle = nil
	}
}

// all returns the requests in flight.
func (f *inflight) all() []*Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []*Request
	for r := f.first; r != nil; r = r.next {
		list = append(list, r)
		if r.next == f.first {
			break
		}
	}
	return list
}

// end stops accepting requests and returns a channel that is closed when none is in flight.
func (f *inflight) end() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	done := make(chan struct{})
	if f.ending {
		close(done)
		return done
	}
	f.ending = true
	if f.owed == 0 {
		close(done)
	} else {
		f.idle = done
	}
	return done
}
