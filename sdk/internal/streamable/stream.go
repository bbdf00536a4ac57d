package streamable

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// primedSince is the first version in which a stream starts with an empty event, which gives
// the client an id to resume with (MCP 2025-11-25, Streamable HTTP, Sending Messages). Older
// clients would take it for a message.
const primedSince = "2025-11-25"

var contentStream = []string{typeStream}

// A stream is the event stream of a response, or the standalone stream of a session. In a
// session its events are stored so that the client can resume it.
type stream struct {
	h    *Handler
	kept bool   // events are stored
	id   string // within the session; event ids start with it

	events []*event // the stored events; guarded by the history

	mu   sync.Mutex
	to   *sink // nil while no client is connected
	next int   // number of the next event
	sent int   // events before this number have been sent, perhaps on a connection that was lost
	over bool
}

// newSink starts an event stream response.
func newSink(w http.ResponseWriter) *sink {
	header := w.Header()
	header["Content-Type"] = contentStream
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no") // read by nginx
	return &sink{w: w, status: http.StatusOK, gone: make(chan struct{})}
}

// detach removes the sink from the stream. The caller holds s.mu.
func (s *stream) detach() {
	if s.to != nil {
		close(s.to.gone)
		s.to = nil
	}
}

// leave removes the given sink if it is still attached.
func (s *stream) leave(to *sink) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to == to {
		s.detach()
	}
}

// unsent makes [stream.resume] send all stored events that no client has received.
const unsent = -1

// resume sends the events from the given number to a sink, and attaches it. It returns false
// if some events have been dropped.
func (s *stream) resume(to *sink, from int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	missed, ok := s.h.history.since(s, max(from, 0), s.next)
	if !ok && from != unsent {
		return false
	}
	if from == unsent {
		missed = slices.DeleteFunc(missed, func(e *event) bool { return e.number < s.sent })
	}
	s.detach()
	s.to = to
	s.write([]byte(": resumed\n\n"))
	for _, e := range missed {
		_ = s.event(e.number, e.data) // the client may be gone
	}
	if s.over {
		s.detach()
	}
	return true
}

// send sends a message. On a resumable stream, storing the message is enough.
func (s *stream) send(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return http.ErrServerClosed
	}
	return s.put(message)
}

// put stores and sends an event with the given data. The caller holds s.mu.
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
	if s.kept {
		line = append(append(line, "id: "...), s.id...)
		line = append(strconv.AppendInt(append(line, '_'), int64(number), 10), '\n')
	}
	err := s.write(append(append(append(line, "data: "...), data...), "\n\n"...))
	if err == nil {
		s.sent = number + 1
	}
	return err
}

// comment sends a comment to keep the connection open.
func (s *stream) comment() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.write([]byte(": alive\n\n")) // the client may be gone
}

// write writes to the sink, if attached. The caller holds s.mu.
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

// pause detaches the sink after telling the client when to resume. It reports whether a sink
// was attached.
func (s *stream) pause(after time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to == nil {
		return false
	}
	if after > 0 {
		_ = s.write([]byte("retry: " + strconv.FormatInt(after.Milliseconds(), 10) + "\n\n")) // the client may be gone
	}
	s.detach()
	return true
}

// finish sends the response, which ends the stream.
func (s *stream) finish(a *engine.Answer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	defer s.detach()
	if s.kept {
		out := engine.NewWriter(nil)
		defer out.Free()
		_ = a.Encode(out) // encoding errors become an error response
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
