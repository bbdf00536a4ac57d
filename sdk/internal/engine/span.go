package engine

import (
	"context"
	"sync"
	"time"
)

// A span is the context of a request. Most handlers never check for cancellation, so the
// cancelable context is created on first use.
type span struct {
	parent context.Context

	mu    sync.Mutex
	inner context.Context // nil until first used
	end   context.CancelFunc
	ended bool
}

func (s *span) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.end != nil {
		s.end()
	}
}

// context returns a context that is canceled with the span.
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

// Deadline returns the deadline of the parent context.
func (s *span) Deadline() (time.Time, bool) { return s.parent.Deadline() }

// Done is closed when the span is canceled.
func (s *span) Done() <-chan struct{} { return s.context().Done() }

// Err returns why the span was canceled, or nil.
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

// Value returns a value of the parent context. Keys that package context reserves for itself
// must be looked up in the context that provides Done.
func (s *span) Value(key any) any {
	s.mu.Lock()
	inner := s.inner
	s.mu.Unlock()
	if inner != nil {
		return inner.Value(key)
	}
	return s.parent.Value(key)
}
