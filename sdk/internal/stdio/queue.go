package stdio

import (
	"sync"

	"github.com/jptool/jptool/sdk/internal/engine"
)

const (
	// Reading pauses while waiting calls take more than mostWaiting bytes. perCall is the
	// overhead counted for each call, most of which is the stack of its goroutine.
	mostWaiting = 4 << 20
	perCall     = 2560
	// Reading pauses while mostOthers other requests run.
	mostOthers = 64
)

// A queue counts the requests that have been read but not finished.
type queue struct {
	freed chan struct{} // signals that there may be room again

	mu      sync.Mutex
	waiting int // size of waiting calls in bytes
	others  int
}

func newQueue() queue { return queue{freed: make(chan struct{}, 1)} }

// enqueue counts a request. begun must be called when the request no longer waits, and done
// when it has run.
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

// free wakes the reader. The caller holds q.mu.
func (q *queue) free() {
	if !q.full() {
		select {
		case q.freed <- struct{}{}:
		default:
		}
	}
}

func (q *queue) full() bool { return q.waiting > mostWaiting || q.others >= mostOthers }

// room waits until further requests may be read. It returns false if gone is closed first. It
// calls full before waiting.
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
