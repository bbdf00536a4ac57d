package streamable

import (
	"net/http"
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
	// gone is closed when another sink takes the stream or the stream has ended. It may be nil.
	gone chan struct{}
}

var contentStream = []string{typeStream}

// streams makes the response an event stream.
func (s *sink) streams() {
	header := s.w.Header()
	header["Content-Type"] = contentStream
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no") // prevents buffering in nginx
	s.status = http.StatusOK
}

// Write writes a piece with its own deadline.
func (s *sink) Write(piece []byte) (int, error) {
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Now().Add(stalled)) // not every ResponseWriter has deadlines
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
	control := http.NewResponseController(s.w)
	err := control.Flush()
	_ = control.SetWriteDeadline(time.Time{})
	return err
}

// A keeper calls a response periodically to keep its stream alive. Nearly all answers are sent
// before the first call, so keepers are pooled.
type keeper struct {
	timer *time.Timer
	of    atomic.Pointer[response]
}
