package streamable

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// errNoStream is returned if the client does not accept event streams.
var errNoStream = errors.New("the client does not accept an event stream")

// An exchange is a POST request and its response. It is the [engine.Out] of the request, which
// runs in the goroutine of net/http.
type exchange struct {
	h              *Handler
	header         http.Header // of the HTTP request
	w              http.ResponseWriter
	version        string
	session        *session      // nil if the request has no session
	paused         chan struct{} // closed by [exchange.Pause]
	whole, streams bool          // the kinds of response that the client accepts
	crowded        bool          // there are so many connections that requests share goroutines

	// mu guards the fields below.
	mu     sync.Mutex
	over   bool // answered or canceled
	keeper *keeper
	stream *stream // nil until a message is sent or the request takes long
}

// CanSend reports whether the client accepts an event stream.
func (x *exchange) CanSend() bool { return x.streams }

// Send sends a message on the stream, which the first message starts.
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

// begin starts the stream. The caller holds x.mu.
func (x *exchange) begin() {
	if x.stream != nil {
		return
	}
	x.stream = &stream{h: x.h, to: newSink(x.w)}
	if x.session == nil {
		return
	}
	x.session.add(x.stream)
	if x.version >= primedSince {
		_ = x.stream.send(nil) // the client may be gone
	}
}

// alive turns a response that takes long into a stream, and keeps the stream alive.
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

// Header returns the header of the HTTP request.
func (x *exchange) Header() http.Header { return x.header }

// Pause ends the response before the answer. The client is asked to resume the stream after
// the given time, or at any time if it is 0 (MCP 2025-11-25, Streamable HTTP, Sending
// Messages). Pause has no effect if the stream cannot be resumed.
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
	case <-x.paused: // it was paused before, and the client has resumed since
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
	sink := &sink{w: x.w, status: status}
	out := engine.NewWriter(sink)
	defer out.Free()
	if err := a.Encode(out); err != nil {
		return x.h.waste.of(sink, err)
	}
	data, all := out.Held()
	if all && (len(data) > buffered || x.h.ctx.Err() != nil) {
		x.w.Header()["Content-Length"] = []string{strconv.Itoa(len(data))}
	}
	err := out.Flush()
	if x.h.ctx.Err() != nil {
		// The tool's handler may never return, so the answer is flushed here.
		err = errors.Join(err, sink.control().Flush())
	}
	return x.h.waste.of(sink, err)
}

// buffered is the length up to which net/http sets Content-Length itself.
const buffered = 2 << 10

func (x *exchange) finish() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.keeper != nil {
		x.keeper.stop()
	}
	if x.over {
		return
	}
	// The request was canceled and has no answer, so the stream ends without one.
	x.over = true
	if x.stream != nil {
		x.stream.end()
		return
	}
	x.w.Header()["Content-Type"] = contentStream
}

// A keeper calls an exchange periodically to keep its stream alive. Nearly all answers are
// sent before the first call, so keepers are pooled.
type keeper struct {
	timer *time.Timer
	of    atomic.Pointer[exchange]
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

// start makes the keeper call x.alive after the given time.
func (k *keeper) start(x *exchange, after time.Duration) {
	k.of.Store(x)
	k.timer.Reset(after)
}

// stop ends the calls.
func (k *keeper) stop() {
	x := k.of.Swap(nil)
	if k.timer.Stop() { // otherwise a call may be running
		x.h.keepers.Put(k)
	}
}
