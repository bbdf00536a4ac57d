package stdio

import (
	"sync"

	"github.com/jptool/jptool/sdk/internal/engine"
)

const (
	// mostWaiting is how many bytes of calls wait for their turn before nothing more is
	// read, and perCall what one is counted for beside its text.
	mostWaiting = 4 << 20
	perCall     = 512
	// mostOthers is how many other requests run before nothing more is read.
	mostOthers = 64
)

// A queue counts what has been read and is not done with.
type queue struct {
	freed chan struct{} // has an element when there may be room again

	mu      sync.Mutex
	waiting int // bytes of calls that wait
	others  int
}

func newQueue() queue { return queue{freed: make(chan struct{}, 1)} }

// enqueue counts a request, begun says that it does not wait any more, and done that it
// has been run or dropped.
func (q *queue) enqueue(r *engine.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting += size(r)
	if !r.IsCall() {
		q.others++
	}
}

func (q *queue) begun(r *engine.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting -= size(r)
	q.free()
}

func (q *queue) done(r *engine.Request) {
	if r.IsCall() {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.others--
	q.free()
}

func size(r *engine.Request) int { return len(r.Text()) + perCall }

// free wakes who waits for room. The caller holds q.mu.
func (q *queue) free() {
	if !q.full() {
		select {
		case q.freed <- struct{}{}:
		default:
		}
	}
}

func (q *queue) full() bool { return q.waiting > mostWaiting || q.others >= mostOthers }

// room waits until there is room for more, and reports false when gone is closed first.
// Before it waits it calls full.
func (q *queue) room(gone <-chan struct{}, full func()) bool {
	for {
		q.mu.Lock()
		isFull := q.full()
		q.mu.Unlock()
		if !isFull {
			return true
		}
		full()
		select {
		case <-q.freed:
		case <-gone:
			return false
		}
	}
}
