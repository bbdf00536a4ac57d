package streamable

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A response is the response to a POST request, or the standalone stream of a session. It is the
// [engine.Out] of the request, or of the messages that belong to no request.
type response struct {
	h              *Handler
	version        string
	client         context.Context // ends when the client of a request in a session disconnects
	session        *session        // nil if the request has no session
	paused         chan struct{}   // closed by [response.Pause]; nil if the request cannot be paused
	whole, streams bool            // the kinds of response that the client accepts
	shared         bool            // requests share goroutines

	id     string   // id of the stream within its session; "" if the events are not stored
	events []*event // the stored events; guarded by the history

	// mu guards the fields below.
	mu sync.Mutex
	// connected reports whether to is set. Only its writers need the lock.
	connected atomic.Bool
	request   *http.Request // nil once the response is over
	to        *sink         // nil while no client is connected
	begun     bool          // the response is a stream, because a message was sent or the request takes a long time
	over      bool          // answered or canceled
	left      bool          // the request does not keep the session open
	keeper    *keeper
	next      int // number of the next event
	sent      int // events before this number have been sent, perhaps on a connection that was lost
}

func (x *response) CanSend() bool { return x.streams }

// Connected reports whether a client reads the stream.
func (x *response) Connected() bool { return x.connected.Load() }

func (x *response) Header() http.Header {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.request == nil {
		return nil
	}
	return x.request.Header
}

// Describe describes the transport of the request.
func (x *response) Describe(seen *handler.Request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	seen.Network, seen.Protocol = "tcp", "http"
	if x.session != nil {
		seen.Session = x.session.id
	}
	if r := x.request; r != nil {
		seen.ProtocolVersion, seen.Peer, seen.Header = strconv.Itoa(r.ProtoMajor), r.RemoteAddr, r.Header
		if r.ProtoMajor == 1 {
			seen.ProtocolVersion += "." + strconv.Itoa(r.ProtoMinor)
		}
		if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && local.Network() == "unix" {
			seen.Network, seen.Peer = "unix", ""
		}
	}
}

// Send sends a message on the stream, which the first message starts.
func (x *response) Send(message []byte) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.over:
		return http.ErrHandlerTimeout
	case !x.streams:
		return errors.New("the client does not accept an event stream")
	}
	x.begin()
	return x.put(message)
}

// begin starts the stream. The caller holds x.mu.
func (x *response) begin() {
	if x.begun {
		return
	}
	x.begun = true
	x.to.streams()
	if x.session == nil {
		return
	}
	x.session.add(x)
	context.AfterFunc(x.client, x.leave) // the user of a disconnected client might never answer a question
	if wires.Priming.In(x.version) {
		_ = x.put(nil) // the client may have disconnected
	}
}

// leave lets the session time out even though the request is still running.
func (x *response) leave() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.left {
		x.left = true
		x.h.sessions.release(x.session)
	}
}

// keepAlive turns a response that takes a long time into a stream, and keeps the stream alive.
func (x *response) keepAlive() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.over {
		return
	}
	x.begin()
	_ = x.write([]byte(": alive\n\n")) // the client may have disconnected
	if x.keeper != nil {
		x.keeper.timer.Reset(x.h.KeepAlive)
	}
}

// Pause ends the response before the answer, and asks the client to resume the stream after the
// given time, or at any time if it is 0 (MCP 2025-11-25, Streamable HTTP, Sending Messages). It has
// no effect if the stream cannot be resumed.
func (x *response) Pause(after time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.over || x.paused == nil || !x.streams || !wires.Priming.In(x.version) {
		return
	}
	x.begin()
	if x.to == nil {
		return
	}
	if after > 0 {
		_ = x.write([]byte("retry: " + strconv.FormatInt(after.Milliseconds(), 10) + "\n\n")) // the client may have disconnected
	}
	x.detach()
	select {
	case <-x.paused: // the response was paused, and the client has since resumed it
	default:
		close(x.paused)
	}
}

// Answer sends the answer, which ends the response.
func (x *response) Answer(a *rpc.Answer) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.over {
		return http.ErrHandlerTimeout
	}
	x.over = true
	if !x.begun && !x.whole {
		x.begin()
	}
	defer x.detach()
	switch {
	case x.id != "":
		return x.put(encodeAnswer(a))
	case x.to == nil:
		return http.ErrHandlerTimeout
	}
	return x.abandon(x.encode(a))
}

// encode writes the answer as JSON or as an event. The caller holds x.mu.
func (x *response) encode(a *rpc.Answer) error {
	out := rpc.NewWriter(x.to)
	defer out.Free()
	if x.begun {
		out.Raw("data: ")
	} else {
		x.to.w.Header()["Content-Type"] = contentJSON
		x.to.status = statusOf(x.version, a.Error)
		if a.Error != nil && a.Error.Scopes != nil && x.h.Challenge != nil {
			x.to.w.Header().Set("Www-Authenticate", x.h.Challenge(x.request, a.Error.Scopes))
		}
	}
	if err := a.Encode(out); err != nil {
		return err
	}
	// At shutdown, the answer is flushed here because the tool's handler may never return.
	// So is an answer whose goroutine, which is net/http's, ends.
	flush := x.begun || a.Last || x.h.ctx.Err() != nil
	if x.begun {
		out.Raw("\n\n")
	} else if data, all := out.Held(); all && (flush || len(data) > buffered) {
		x.to.w.Header()["Content-Length"] = []string{strconv.Itoa(len(data))}
	}
	if err := out.Flush(); err != nil || !flush {
		return err
	}
	return x.to.flush()
}

// buffered is the length up to which net/http sets Content-Length itself.
const buffered = 2 << 10

// put stores and sends an event with the given data. The caller holds x.mu.
func (x *response) put(data []byte) error {
	number := x.next
	x.next++
	if x.id == "" {
		return x.event(number, data)
	}
	x.h.history.add(x, number, data)
	_ = x.event(number, data) // the client can resume the stream
	return nil
}

// event writes an event. The caller holds x.mu.
func (x *response) event(number int, data []byte) error {
	line := make([]byte, 0, len(data)+48)
	if x.id != "" {
		line = append(append(line, "id: "...), x.id...)
		line = append(strconv.AppendInt(append(line, '_'), int64(number), 10), '\n')
	}
	err := x.write(append(append(append(line, "data: "...), data...), "\n\n"...))
	if err == nil {
		x.sent = number + 1
	}
	return err
}

// write writes to the client, if one is connected. The caller holds x.mu.
func (x *response) write(text []byte) error {
	if x.to == nil {
		return http.ErrHandlerTimeout
	}
	_, err := x.to.Write(text)
	if err == nil {
		err = x.to.flush()
	}
	if err != nil {
		_ = x.abandon(err)
		x.detach()
	}
	return err
}

// detach disconnects the client. The caller holds x.mu.
func (x *response) detach() {
	if x.to != nil && x.to.gone != nil {
		close(x.to.gone)
	}
	x.to = nil
	x.connected.Store(false)
}

// large is the minimum size in bytes of an unread answer whose memory is returned to the system.
const large = 64 << 10

// abandon returns err. If the client did not read a large answer, it also schedules the return of
// memory to the system. Otherwise, the garbage collector would return the memory only minutes
// later. The caller holds x.mu.
func (x *response) abandon(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) && x.to.written >= large && x.h.freeing.CompareAndSwap(false, true) {
		time.AfterFunc(time.Second, func() {
			x.h.freeing.Store(false)
			debug.FreeOSMemory()
		})
	}
	return err
}

// disconnect disconnects the client with the given sink if it is still connected.
func (x *response) disconnect(to *sink) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.to == to {
		x.detach()
	}
}

// resume connects a sink and sends the events from the given number to it. It returns false if some
// have been dropped. If from is -1, it sends the stored events that no client has received.
func (x *response) resume(to *sink, from int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	first := from
	if from < 0 {
		first = x.sent
	}
	missed, ok := x.h.history.eventsSince(x, first, x.next)
	if !ok && from >= 0 {
		return false
	}
	x.detach()
	x.to = to
	x.connected.Store(true)
	_ = x.write([]byte(": resumed\n\n")) // the client may have disconnected
	for _, e := range missed {
		_ = x.event(e.number, e.data)
	}
	if x.over {
		x.detach()
	}
	return true
}

// end ends the response. If it has no answer, the request was canceled.
func (x *response) end() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if k := x.keeper; k != nil {
		k.of.Store(nil)
		if k.timer.Stop() { // otherwise a call may be running
			x.h.keepers.Put(k)
		}
		x.keeper = nil
	}
	if !x.begun && !x.over {
		x.to.w.Header()["Content-Type"] = contentStream
	}
	x.over, x.request, x.client = true, nil, nil // frees memory: the session keeps the response
	x.detach()
}
