package streamable

import (
	"errors"
	"net/http"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// stalled is how long a client may take no byte of an answer, before it has none of it.
const stalled = 8 * time.Second

// A sink is where the bytes of an answer go.
type sink struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	status  int // to be written before the first byte; 0 once it is
	written int
	// gone is closed when another takes the stream, or nothing more will come; nil where
	// nobody waits for it.
	gone chan struct{}
}

// Write writes a piece, within a time of its own.
func (s *sink) Write(piece []byte) (int, error) {
	_ = s.rc.SetWriteDeadline(time.Now().Add(stalled)) // not everybody has deadlines
	if s.status != 0 {
		s.w.WriteHeader(s.status)
		s.status = 0
	}
	n, err := s.w.Write(piece)
	s.written += n
	return n, err
}

// flush sends what has been written, and leaves no deadline behind.
func (s *sink) flush() error {
	err := s.rc.Flush()
	_ = s.rc.SetWriteDeadline(time.Time{})
	return err
}

// A waste is the memory of answers that nobody took. It is given back to the system, which
// the collector alone would do minutes later.
type waste struct{ due atomic.Bool }

// large is from how many bytes on an answer counts.
const large = 64 << 10

// of returns err, with which a large answer ended that was being written to a sink.
func (w *waste) of(s *sink, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) && s.written >= large && w.due.CompareAndSwap(false, true) {
		time.AfterFunc(time.Second, func() {
			w.due.Store(false)
			debug.FreeOSMemory()
		})
	}
	return err
}
