package engine

import (
	"context"
	"sync"
	"time"
)

// A span is the context of a request. Most handlers never look whether it has ended, so what
// that takes is made when it is first asked for.
type span struct {
	parent context.Context

	mu    sync.Mutex
	inner context.Context // nil until it is asked for
	end   context.CancelFunc
	ended bool
}

// cancel ends the span.
func (s *span) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.end != nil {
		s.end()
	}
}

// context returns a context that ends with the span.
func (s *span) context() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inner == nil {
		s.inner, s.end = context.WithCancel(s.parent)
		if s.ended {
			s.end()
		}
	}
	return s.inner
}

// Deadline returns that of the context in which the request came.
func (s *span) Deadline() (time.Time, bool) { return s.parent.Deadline() }

// Done returns what is closed when the span has ended.
func (s *span) Done() <-chan struct{} { return s.context().Done() }

// Err returns why the span has ended, nil while it has not.
func (s *span) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.inner != nil:
		return s.inner.Err()
	case s.ended:
		return context.Canceled
	}
	return s.parent.Err()
}

// Value returns a value of the context in which the request came. What package context keeps
// for itself must be that of the context whose Done this one returns.
func (s *span) Value(key any) any {
	s.mu.Lock()
	inner := s.inner
	s.mu.Unlock()
	if inner != nil {
		return inner.Value(key)
	}
	return s.parent.Value(key)
}
