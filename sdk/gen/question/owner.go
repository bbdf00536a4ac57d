package question

import (
	"bytes"
	"runtime"
	"strconv"

	"github.com/jptool/jptool/sdk/fault"
)

// This file decides whether Ask may end the run in which it is called. Only the goroutine of the handler may be ended:
// another goroutine would end without its handler, which would wait for it. A context cannot tell them apart, because
// goroutines that a handler starts use its context. Go does not provide another way to identify a goroutine.

// Own lets Ask end the calling goroutine with [runtime.Goexit] when the run cannot continue.
func (s *Session) Own() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owner = goroutine()
	s.run.Questions.running.Store(s.owner, s)
}

// isForeign reports whether the run has an owner that is not the calling goroutine.
func (s *Session) isForeign() bool { return s.owner != 0 && s.owner != goroutine() }

// endOwner ends the calling goroutine if it owns the run.
func (s *Session) endOwner() {
	if s.owner == goroutine() {
		runtime.Goexit()
	}
}

// checkGoroutine returns the error for asking without the handler's context, or ends the goroutine's run.
func (q Question) checkGoroutine() error {
	stray := fault.New(fault.Internal, "question %q was asked outside a tool call: ask with the context of the handler", q.ID)
	if q.set != nil {
		if running, ok := q.set.running.Load(goroutine()); ok {
			s := running.(*Session)
			s.mu.Lock()
			defer s.mu.Unlock()
			_ = s.breaks(stray) // ends the run
			runtime.Goexit()
		}
	}
	return stray
}

// goroutine returns the id of the calling goroutine, which only its stack trace contains.
func goroutine() uint64 {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	n, _ := strconv.ParseUint(string(digits), 10, 64)
	return n
}
