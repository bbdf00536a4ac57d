package engine

import (
	"container/list"
	"context"
	"sync"
)

// A limiter lets so many calls of tools run at once, whichever door they came in by. The
// others wait in the order they came.
type limiter struct {
	most int

	mu      sync.Mutex
	running int
	waiting list.List // of *turn
}

// A turn is a call's place among those that wait.
type turn struct {
	r  *Request
	by Runner
	at *list.Element // nil when it does not wait any more
}

// enter returns nil if a call may run now. If not, by hears of it when it may.
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

// giveUp takes a call out of those that wait, and reports whether it was one of them: else
// it is running.
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

// giveUpAll takes all calls out of those that wait.
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

// leave ends a call that was running.
func (l *limiter) leave() {
	l.mu.Lock()
	l.running--
	var next *turn
	if first := l.waiting.Front(); first != nil && l.running < l.most {
		next = l.waiting.Remove(first).(*turn)
		next.at = nil
		l.running++
	}
	l.mu.Unlock()
	if next != nil {
		next.by.Turn(next.r)
	}
}

// A Runner runs requests, each by [Request.Run].
type Runner interface {
	// Turn is called when it is the turn of a request that had to wait.
	Turn(r *Request)
	// Dropped is called instead when the request was canceled before its turn, or answered
	// because the server ends.
	Dropped(r *Request)
}

// Begin reports whether the request runs now. If not, as a call beyond as many as may run
// at once, by hears of it later.
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

// drop ends a call that never began.
func (t *turn) drop() {
	t.r.fail(&Error{Code: CodeEnded, Message: "the server ended before this call began; send it again"})
	t.by.Dropped(t.r)
}
