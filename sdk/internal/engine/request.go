package engine

import (
	"errors"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// errGone says that no one is there to be asked.
var errGone = errors.New("the client is gone")

// A Request is what a client asks for. It is answered once, or canceled.
type Request struct {
	session *Session
	out     Out
	id      jsontext.Value
	method  string
	m       *Message // until it is spent
	entry   Entry    // the tool that is called, empty for none of the contract

	span  span // its context
	state atomic.Int32
	// came is when the message came, where the session is of several; unwanted says that the
	// client does not want the answer any more.
	came     time.Time
	unwanted atomic.Bool

	// version is that of the protocol; rounds says that it is one in which results ask.
	version string
	rounds  bool
	// elicits says that the sender can show forms, level from which on it asks for what is
	// logged.
	elicits bool
	level   *slog.Level

	next, prev *Request // in inflight
}

// The states of a request.
const (
	owed int32 = iota
	answered
	canceled
)

// Text returns the text of the message.
func (r *Request) Text() []byte { return r.m.Text }

// IsCall reports whether a tool is called.
func (r *Request) IsCall() bool { return r.method == methodCall }

// Listens reports whether the request ends by being canceled alone.
func (r *Request) Listens() bool { return r.method == methodListen }

// Opens reports whether the request opens a session.
func (r *Request) Opens() bool { return r.method == methodInitialize }

// IsQuick reports whether the request is answered without code of the program.
func (r *Request) IsQuick() bool {
	switch r.method {
	case methodInitialize, methodPing, methodDiscover:
		return true
	}
	return r.session.engine.added() == nil && r.method != methodCall
}

// Done is closed when the request has been canceled or run.
func (r *Request) Done() <-chan struct{} { return r.span.Done() }

// IsOwed reports whether the answer is still owed.
func (r *Request) IsOwed() bool { return r.state.Load() == owed }

// Cancel ends the context of a request, which is not answered any more.
func (r *Request) Cancel() {
	if r.state.CompareAndSwap(owed, canceled) {
		r.session.leave(r)
		r.session.engine.inflight.remove(r)
	}
	r.span.cancel()
}

// Stop ends the context of a request, which may still answer.
func (r *Request) Stop() { r.span.cancel() }

// Abandon answers a request in its place, that has not done so by the end of the server.
func (r *Request) Abandon() {
	r.span.cancel()
	if r.IsCall() {
		r.answer(&Answer{Result: &outcome{r: r, err: fault.New(fault.Canceled, "the server ended before the tool did")}})
		return
	}
	r.fail(&Error{Code: CodeEnded, Message: "the server ended before this request; send it again"})
}

// send sends a message that belongs to the request, as long as its client wants any.
func (r *Request) send(message []byte) error {
	if r.unwanted.Load() {
		return errGone
	}
	return r.out.Send(message)
}

// answer sends the answer, if it is owed.
func (r *Request) answer(a *Answer) {
	if !r.state.CompareAndSwap(owed, answered) {
		return
	}
	// Its client may use the id again as soon as it sees the answer.
	r.session.leave(r)
	a.ID = r.id
	if !r.unwanted.Load() {
		if err := r.out.Answer(a); err != nil && r.span.Err() == nil {
			r.session.engine.Log.Debug("an answer was not delivered", "method", r.method, "error", err)
		}
	}
	r.session.engine.inflight.remove(r)
}

const (
	// long is from how many bytes on a message is let go of once its call has been run.
	long = 64 << 10
	// swept is how many bytes of long messages are let go of before the collector runs. By
	// itself it waits until the heap has doubled, and what clients do not read may be large.
	swept = 32 << 20
)

// spend lets go of the message of a call that has been run: its client may take long to read
// the answer.
func (r *Request) spend() {
	size := len(r.m.Text)
	r.m.free()
	r.m = nil
	if spent := &r.session.engine.spent; size >= long && spent.Add(int64(size)) >= swept {
		spent.Store(0)
		runtime.GC()
	}
}

func (r *Request) result(result Appender) { r.answer(&Answer{Result: result}) }

func (r *Request) fail(err *Error) { r.answer(&Answer{Error: err}) }

// Run answers the request, once [Request.Begin] has said so.
func (r *Request) Run() {
	defer r.span.cancel()
	if r.IsCall() {
		defer r.session.engine.calls.leave()
	}
	defer func() {
		if p := recover(); p != nil {
			r.session.engine.Log.Error("request crashed", "method", r.method, "panic", p, "stack", string(debug.Stack()))
			r.fail(&Error{Code: CodeInternal, Message: "internal error"})
		}
	}()
	e := r.session.engine
	switch r.method {
	case methodCall:
		r.call()
	case methodList:
		r.list()
	case methodInitialize:
		r.result(opened{e, r.version})
	case methodPing:
		r.result(empty)
	case methodLevel:
		if e.added() != nil {
			// What it answers is the same.
			_, _ = r.extra(nil)
		}
		r.result(empty)
	case methodDiscover:
		r.result(discovered{r.session})
	default:
		r.other()
	}
}

// other answers what the engine does not serve by itself.
func (r *Request) other() {
	e := r.session.engine
	switch {
	case e.added() != nil:
		r.relay()
	case r.method == methodListen:
		// There is nothing that changes: the subscription is over when it is acknowledged.
		r.acknowledge()
	default:
		r.fail(notFound(""))
	}
}

// acknowledge answers a subscription to nothing.
func (r *Request) acknowledge() {
	subscription := func(w *Writer) {
		w.Name("_meta")
		w.Begin('{')
		w.Name(keySubscription)
		w.Bytes(r.id)
	}
	w := NewWriter(nil)
	defer w.Free()
	w.Raw(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{`)
	subscription(w)
	w.Raw(`},"notifications":{}}}`)
	data, _ := w.Held()
	if r.out.Send(append([]byte(nil), data...)) != nil {
		return
	}
	r.result(appenderFunc(func(w *Writer) {
		w.Begin('{')
		subscription(w)
		w.Name(keyServerInfo)
		w.Bytes(r.session.engine.info)
		w.Raw(`},"resultType":"complete"}`)
	}))
}

// appenderFunc is a function that appends JSON.
type appenderFunc func(w *Writer)

// AppendTo calls f.
func (f appenderFunc) AppendTo(w *Writer) { f(w) }

// unknownTool returns the protocol's error for a tool that does not exist (MCP
// 2025-11-25 and 2026-07-28, Tools, Error Handling). Its data names the nearest.
func unknownTool(name string, names []string) *Error {
	f := tool.Unknown(name, names)
	e := invalid(f.Message)
	if f.Details != nil {
		w := NewWriter(nil)
		defer w.Free()
		w.Value(f.Details)
		data, _ := w.Held()
		e.Data = append(e.Data, data...)
	}
	return e
}
