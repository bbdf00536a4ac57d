package streamable

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// errNoStream says that a client takes no stream.
var errNoStream = errors.New("the client takes no stream of events")

// An exchange is a POST and its answer. It is the [engine.Out] of its request, which runs
// in the goroutine of net/http.
type exchange struct {
	h              *Handler
	header         http.Header // of the request
	w              http.ResponseWriter
	rc             *http.ResponseController
	whole, streams bool // the answers that the client takes
	version        string
	session        *session       // nil for a request without one
	turn           sync.WaitGroup // until it is the turn of the request
	dropped        bool           // it has none
	crowded        bool           // the connection is one of very many
	paused         chan struct{}  // closed by [exchange.Pause]

	mu     sync.Mutex
	keeper *keeper
	stream *stream // once there is one
	over   bool    // answered, or given up
}

// CanSend reports whether the client takes a stream.
func (x *exchange) CanSend() bool { return x.streams }

// Send sends a message by the stream, which begins with the first.
func (x *exchange) Send(message []byte) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.over:
		return http.ErrHandlerTimeout
	case !x.streams:
		return errNoStream
	}
	x.begin()
	return x.stream.send(message)
}

// begin begins the stream. The caller holds x.mu.
func (x *exchange) begin() {
	if x.stream != nil {
		return
	}
	sink := newSink(x.w, x.rc)
	if x.session != nil {
		x.stream = x.session.newStream(x.h)
	} else {
		x.stream = &stream{h: x.h}
	}
	x.stream.attach(sink)
	if x.session != nil && x.version >= primedSince {
		x.stream.prime()
	}
}

// alive makes a stream of an answer that takes long, and keeps that alive.
func (x *exchange) alive() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.over {
		return
	}
	x.begin()
	x.stream.comment()
	x.keeper.timer.Reset(x.h.KeepAlive)
}

// Header returns the header of the request.
func (x *exchange) Header() http.Header { return x.header }

// Pause ends the response before the answer, which goes to a client that comes back to its
// stream: that soon, or when it likes with 0 (MCP 2025-11-25, Streamable HTTP, Sending
// Messages). Without a stream that a client can come back to it does nothing.
func (x *exchange) Pause(after time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.over || x.paused == nil || !x.streams || x.version < primedSince {
		return
	}
	x.begin()
	if !x.stream.pause(after) {
		return
	}
	select {
	case <-x.paused: // before: the client has come back since
	default:
		close(x.paused)
	}
}

// Answer sends the response.
func (x *exchange) Answer(a *engine.Answer) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.over {
		return http.ErrHandlerTimeout
	}
	x.over = true
	if x.stream == nil && !x.whole {
		x.begin()
	}
	if x.stream != nil {
		return x.stream.finish(a)
	}
	return x.answer(a)
}

// answer sends the response as JSON. The caller holds x.mu.
func (x *exchange) answer(a *engine.Answer) error {
	x.w.Header()["Content-Type"] = contentJSON
	status := statusOf(x.version, a.Error)
	sink := &sink{w: x.w, rc: x.rc, status: status}
	out := engine.NewWriter(sink)
	defer out.Free()
	if err := a.Encode(out); err != nil {
		return x.h.waste.of(sink, err)
	}
	data, all := out.Held()
	if all && (len(data) > buffered || x.h.isEnding()) {
		x.w.Header()["Content-Length"] = []string{strconv.Itoa(len(data))}
	}
	err := out.Flush()
	if x.h.isEnding() {
		// The handler of the tool may never return.
		err = errors.Join(err, x.rc.Flush())
	}
	return x.h.waste.of(sink, err)
}

// buffered is up to which length net/http finds out the length of an answer by itself.
const buffered = 2 << 10

// finish ends the exchange.
func (x *exchange) finish() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.keeper != nil {
		x.keeper.stop()
	}
	if x.over {
		return
	}
	// The request was canceled, and has no answer: its stream ends without.
	x.over = true
	if x.stream != nil {
		x.stream.end()
		return
	}
	x.w.Header()["Content-Type"] = contentStream
}
