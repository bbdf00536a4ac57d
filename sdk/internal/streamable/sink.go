package streamable

import (
	"errors"
	"math"
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

var contentStream = []string{typeStream}

// streams makes the response an event stream.
func (s *sink) streams() {
	header := s.w.Header()
	header["Content-Type"] = contentStream
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no") // read by nginx
	s.status = http.StatusOK
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

// A keeper calls a response periodically to keep its stream alive. Nearly all answers are
// sent before the first call, so keepers are pooled.
type keeper struct {
	timer *time.Timer
	of    atomic.Pointer[response]
}

// newKeeper returns a keeper whose timer has not been started.
func newKeeper() any {
	k := new(keeper)
	k.timer = time.AfterFunc(math.MaxInt64, func() {
		if x := k.of.Load(); x != nil {
			x.alive()
		}
	})
	return k
}

// stop ends the calls.
func (k *keeper) stop() {
	x := k.of.Swap(nil)
	if k.timer.Stop() { // otherwise a call may be running
		x.h.keepers.Put(k)
	}
}
