package stdio

import "sync"

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

// add changes the counts, and wakes the reader if there is room.
func (q *queue) add(waiting, others int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting += waiting
	q.others += others
	if !q.full() {
		select {
		case q.freed <- struct{}{}:
		default:
		}
	}
}

// full reports whether reading pauses. The caller holds q.mu.
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
