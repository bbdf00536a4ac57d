package engine

import (
	"container/list"
	"context"
	"sync"
)

// A limiter bounds the number of concurrent tool calls of all transports. Further calls wait
// in the order of arrival.
type limiter struct {
	most int

	mu      sync.Mutex
	running int
	waiting list.List     // of *turn
	idle    chan struct{} // closed when no call runs; nil if nothing waits for that
}

// A turn is the place of a call in the queue.
type turn struct {
	r  *Request
	by Runner
	at *list.Element // nil once it has left the queue
}

// enter returns nil if the call may run now. Otherwise by is notified later.
func (l *limiter) enter(r *Request, by Runner) *turn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running < l.most && l.waiting.Len() == 0 {
		l.running++
		return nil
	}
	t := &turn{r: r, by: by}
	t.at = l.waiting.PushBack(t)
	return t
}

// giveUp removes a call from the queue. It returns false if the call is already running.
func (l *limiter) giveUp(t *turn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.at == nil {
		return false
	}
	l.waiting.Remove(t.at)
	t.at = nil
	return true
}

// giveUpAll empties the queue.
func (l *limiter) giveUpAll() (all []*turn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for first := l.waiting.Front(); first != nil; first = l.waiting.Front() {
		t := l.waiting.Remove(first).(*turn)
		t.at = nil
		all = append(all, t)
	}
	return all
}

// over returns a channel that is closed when no call runs.
func (l *limiter) over() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.idle == nil {
		l.idle = make(chan struct{})
	}
	idle := l.idle
	l.rest()
	return idle
}

// rest closes idle if no call runs. The caller holds l.mu.
func (l *limiter) rest() {
	if l.running == 0 && l.idle != nil {
		close(l.idle)
		l.idle = nil
	}
}

// leave is called when a call has finished.
func (l *limiter) leave() {
	l.mu.Lock()
	l.running--
	var next *turn
	if first := l.waiting.Front(); first != nil && l.running < l.most {
		next = l.waiting.Remove(first).(*turn)
		next.at = nil
		l.running++
	}
	l.rest()
	l.mu.Unlock()
	if next != nil {
		next.by.Turn(next.r)
	}
}

// A Runner runs requests by [Request.Run].
type Runner interface {
	// Turn is called when a queued request may run.
	Turn(r *Request)
	// Dropped is called instead if the request was canceled in the queue, or answered because
	// the server shuts down.
	Dropped(r *Request)
}

// Begin reports whether the request may run now. If the limit of concurrent calls is reached,
// by is notified later.
func (r *Request) Begin(by Runner) bool {
	if !r.IsCall() {
		return true
	}
	calls := &r.session.engine.calls
	t := calls.enter(r, by)
	if t == nil {
		return true
	}
	context.AfterFunc(&r.span, func() {
		if calls.giveUp(t) {
			t.drop()
		}
	})
	return false
}

// drop answers a call that never started.
func (t *turn) drop() {
	t.r.fail(&Error{Code: CodeEnded, Message: "the server ended before this call began; send it again"})
	t.by.Dropped(t.r)
}
