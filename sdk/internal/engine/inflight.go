package engine

import (
	"sync"
	"time"
)

// inflight is the requests between their message and their answer, of all sessions.
type inflight struct {
	mu     sync.Mutex
	first  *Request // a ring, nil for none
	owed   int
	ending bool
	idle   chan struct{} // closed when nothing is owed while ending
	// awake is a timer that is armed while an answer is owed. See stallBound.
	awake  *time.Timer
	armed  bool
	ticked func() // for tests; nil for nothing
}

// stallBound is how long the process may be without a timer while an answer is owed. A
// stop of the world may have to wait for a goroutine that sits in a read of standard input;
// Go's runtime looks again at the latest when the next timer is due, which without one may
// be a minute later (see docs/go-stall.md).
const stallBound = 200 * time.Millisecond

// add lets a request in, and reports false when no more are.
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

// tick arms the timer again as long as an answer is owed.
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

// remove forgets a request that owes no answer any more. It is called once for each.
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

// all returns the requests that owe an answer.
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

// end lets nothing in any more, and returns what is closed when nothing is owed.
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
