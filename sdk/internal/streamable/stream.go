package streamable

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

const (
	// primedSince is the version since which a stream begins with an event that says
	// nothing, so that a client has an id to come back with (MCP 2025-11-25, Streamable HTTP,
	// Sending Messages). Clients of older versions take it for a message.
	primedSince = "2025-11-25"
)

var contentStream = []string{typeStream}

// A stream is the events that answer one request, or those of a session that belong to none.
// In a session they are kept for a client that comes back.
type stream struct {
	h    *Handler
	kept bool   // in the history
	id   string // in the session; the first event's is id_0

	mu   sync.Mutex
	to   *sink // nil when nobody is there
	next int   // the number of the next event
	over bool
}

// newSink begins a stream of events.
func newSink(w http.ResponseWriter, rc *http.ResponseController) *sink {
	header := w.Header()
	header["Content-Type"] = contentStream
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no") // which nginx reads
	return &sink{w: w, rc: rc, status: http.StatusOK, gone: make(chan struct{})}
}

// attach has events go to a sink from now on, and who took them before is done.
func (s *stream) attach(to *sink) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.detach()
	s.to = to
}

// detach leaves the sink. The caller holds s.mu.
func (s *stream) detach() {
	if s.to != nil {
		close(s.to.gone)
		s.to = nil
	}
}

// leave leaves a sink, if it is still that of the stream.
func (s *stream) leave(to *sink) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to == to {
		s.detach()
	}
}

// resume sends a sink the events from a number on, and then those that follow. It reports
// false if some are not kept any more.
func (s *stream) resume(to *sink, from int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	missed, ok := s.h.history.since(s, from, s.next)
	if !ok {
		return false
	}
	s.detach()
	s.to = to
	s.write([]byte(": resumed\n\n"))
	for i, data := range missed {
		s.event(from+i, data)
	}
	if s.over {
		s.detach()
	}
	return true
}

// prime sends an event that says nothing.
func (s *stream) prime() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(nil)
}

// send sends a message. To a client that may come back it has been sent when it is kept.
func (s *stream) send(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(message)
}

// put keeps and sends an event. The caller holds s.mu.
func (s *stream) put(data []byte) error {
	number := s.next
	s.next++
	if s.kept {
		s.h.history.keep(s, number, data)
	}
	err := s.event(number, data)
	if s.kept {
		return nil
	}
	return err
}

// event writes an event. The caller holds s.mu.
func (s *stream) event(number int, data []byte) error {
	line := make([]byte, 0, len(data)+48)
	line = append(append(append(s.named(line, number), "data: "...), data...), "\n\n"...)
	return s.write(line)
}

// named appends the id of an event that a client can come back with.
func (s *stream) named(line []byte, number int) []byte {
	if !s.kept {
		return line
	}
	line = append(append(line, "id: "...), s.id...)
	return append(strconv.AppendInt(append(line, '_'), int64(number), 10), '\n')
}

// comment says that the stream is alive.
func (s *stream) comment() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.write([]byte(": alive\n\n")) // to one who may be gone
}

// write sends text to the sink, if there is one. The caller holds s.mu.
func (s *stream) write(text []byte) error {
	if s.to == nil {
		return http.ErrHandlerTimeout
	}
	_, err := s.to.Write(text)
	if err == nil {
		err = s.to.flush()
	}
	if err != nil {
		_ = s.h.waste.of(s.to, err)
		s.detach()
	}
	return err
}

// pause leaves the sink, whose client is told when to come back, and reports whether there
// was one.
func (s *stream) pause(after time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to == nil {
		return false
	}
	if after > 0 {
		_ = s.write([]byte("retry: " + strconv.FormatInt(after.Milliseconds(), 10) + "\n\n")) // to one who may be gone
	}
	s.detach()
	return true
}

// finish sends the response that the stream ends with.
func (s *stream) finish(a *engine.Answer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	defer s.detach()
	if s.kept {
		out := engine.NewWriter(nil)
		defer out.Free()
		_ = a.Encode(out) // which says of itself what is wrong
		data, _ := out.Held()
		return s.put(append([]byte(nil), data...))
	}
	if s.to == nil {
		return http.ErrHandlerTimeout
	}
	out := engine.NewWriter(s.to)
	defer out.Free()
	out.Raw("data: ")
	err := a.Encode(out)
	if err == nil {
		out.Raw("\n\n")
		err = out.Flush()
	}
	if err == nil {
		err = s.to.flush()
	}
	return s.h.waste.of(s.to, err)
}

// end ends the stream without a response.
func (s *stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.detach()
}
