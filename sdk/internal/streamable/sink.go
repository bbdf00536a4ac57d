package streamable

import (
	"errors"
	"net/http"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// stalled is the time after which a client that reads nothing loses its answer.
const stalled = 8 * time.Second

// A sink writes the bytes of a response.
type sink struct {
	w       http.ResponseWriter
	status  int // pending status code; 0 once written
	written int
	// gone is closed when another sink takes the stream or the stream has ended; nil if
	// nothing waits for it.
	gone chan struct{}
}

// control returns the controller of the response. It is not stored, so that it needs no memory.
func (s *sink) control() *http.ResponseController { return http.NewResponseController(s.w) }

// Write writes a piece with its own deadline.
func (s *sink) Write(piece []byte) (int, error) {
	_ = s.control().SetWriteDeadline(time.Now().Add(stalled)) // not every ResponseWriter has deadlines
	if s.status != 0 {
		s.w.WriteHeader(s.status)
		s.status = 0
	}
	n, err := s.w.Write(piece)
	s.written += n
	return n, err
}

// flush sends what has been written and clears the deadline.
func (s *sink) flush() error {
	err := s.control().Flush()
	_ = s.control().SetWriteDeadline(time.Time{})
	return err
}

// waste returns the memory of unread answers to the system. The garbage collector alone would do so
// only minutes later.
type waste struct{ due atomic.Bool }

// large is the size in bytes at or above which an unread answer counts.
const large = 64 << 10

// of returns err. If a large answer was not read, it also schedules the release of memory.
func (w *waste) of(s *sink, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) && s.written >= large && w.due.CompareAndSwap(false, true) {
		time.AfterFunc(time.Second, func() {
			w.due.Store(false)
			debug.FreeOSMemory()
		})
	}
	return err
}
