package engine

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// errGone is returned when the client can no longer be asked.
var errGone = errors.New("the client has disconnected")

// A Request is a request in flight. It is answered once or canceled.
type Request struct {
	wires.Call
	level    *logLevel
	session  *Session
	caller   handler.Caller
	out      Out
	id       jsontext.Value
	method   *method
	extended bool            // go-sdk serves what the program added, and middleware sees the request
	tool     *handler.Tool   // the called tool; nil if it is not in the contract
	known    *handler.Result // the result if it needs no run
	unfit    *rpc.Error      // what is wrong with the params
	span     span            // the request's context
	came     time.Duration   // the time of arrival since the session began, if it has several requests
	settled  atomic.Bool     // answered or canceled
	isTask   bool            // the call is a task, whose run ends later
	unwanted atomic.Bool     // the client no longer wants the answer
	seen     *sighting       // what the observer of the server sees; nil without an observer

	sending sync.Mutex
	silent  bool // the tool has run; guarded by sending
}

// Text returns the JSON text of the message.
func (r *Request) Text() []byte { return r.Message.Text }

// IsCall reports whether the request runs a handler, as a tool call does.
func (r *Request) IsCall() bool { return r.method.counts }

// isTool reports whether the request is a tool call.
func (r *Request) isTool() bool { return r.method.name == rpc.MethodCall }

// Listens reports whether the request is a subscription, which ends only when it is canceled.
func (r *Request) Listens() bool { return r.method.name == rpc.MethodListen }

// IsQuick reports whether the request is answered without running code of the program.
func (r *Request) IsQuick() bool { return !r.method.runs && (!r.extended || r.method.added == nil) }

// MayPause reports whether code of the program may end the stream of the response before the answer.
func (r *Request) MayPause() bool { return r.extended }

// Cancel cancels the request; it is not answered.
func (r *Request) Cancel() {
	if r.settled.CompareAndSwap(false, true) {
		r.session.releaseID(r)
		r.session.engine.inflight.remove(r)
		r.replied(context.Canceled)
	}
	r.span.cancel()
}

// Stop cancels the context of the request; it may still be answered.
func (r *Request) Stop() { r.span.cancel() }

// Abandon answers the request in place of its handler when the server shuts down.
func (r *Request) Abandon() {
	r.span.cancel()
	if r.isTool() {
		r.result(r.Failed(fault.New(fault.Canceled, "the server shut down before the call finished")))
		return
	}
	r.fail(&rpc.Error{Code: rpc.CodeEnded, Message: "the server shut down before this request; send it again"})
}

// send sends a message of the request, unless the client no longer wants it or the tool has run.
func (r *Request) send(message []byte) error {
	r.sending.Lock()
	defer r.sending.Unlock()
	if r.silent || r.unwanted.Load() {
		return errGone
	}
	return r.out.Send(message)
}

// Notify sends a notification that belongs to the request.
func (r *Request) Notify(method string, params any) error {
	return r.send(message(0, method, params))
}

// Ask sends a request to the client and waits for the response.
func (r *Request) Ask(ctx context.Context, method string, params any) (*rpc.Message, error) {
	return r.session.ask(ctx, r.send, method, params)
}

// CanAsk reports whether the client can respond to [Request.Ask].
func (r *Request) CanAsk() bool { return !r.session.alone && r.out.CanSend() }

// message encodes a request, or a notification if the id is 0. It omits nil params.
func message(id int64, method string, params any) []byte {
	data, _ := rawjson.Encode(struct {
		Version string `json:"jsonrpc"`
		ID      int64  `json:"id,omitempty"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitzero"`
	}{"2.0", id, method, params})
	return data
}

// silence drops further messages from the tool, so that none of them follows its result.
func (r *Request) silence() {
	r.sending.Lock()
	defer r.sending.Unlock()
	r.silent = true
}

// answer sends the answer if the request still needs one.
func (r *Request) answer(a *rpc.Answer) {
	if !r.settled.CompareAndSwap(false, true) {
		return
	}
	// The client may reuse the id as soon as it sees the answer.
	r.session.releaseID(r)
	a.ID = r.id
	if !r.unwanted.Load() {
		if err := r.out.Answer(a); err != nil && r.span.Err() == nil {
			r.session.engine.Log.Debug("a response was not delivered", "method", r.method.name, "error", err)
		}
	}
	if r.seen != nil {
		r.replied(outcome(a))
	}
	r.session.engine.inflight.remove(r)
}

const (
	// long is the minimum size in bytes of released messages that count for swept.
	long = 64 << 10
	// swept is the number of released bytes after which the garbage collector runs. It would
	// otherwise wait until the heap has doubled, and answers that clients do not read may be large.
	swept = 32 << 20
)

// releaseMessage releases the message of a call that has run, because the client may take a
// long time to read the answer.
func (r *Request) releaseMessage() {
	size := len(r.Message.Text)
	r.Message.Free()
	r.Message = nil
	if spent := &r.session.engine.spent; size >= long && spent.Add(int64(size)) >= swept {
		spent.Store(0)
		runtime.GC()
	}
}

func (r *Request) result(result rpc.Appender) { r.answer(&rpc.Answer{Result: result}) }
func (r *Request) fail(err *rpc.Error)        { r.answer(&rpc.Answer{Error: err}) }

// Run runs the request and answers it. Call Run only after [Request.Begin] has returned nil, or
// its function has returned true.
func (r *Request) Run() {
	defer r.span.cancel()
	if r.IsCall() {
		defer func() {
			if !r.isTask {
				r.session.engine.calls.done()
			}
		}()
	}
	returned := false
	defer func() {
		if p := recover(); p != nil || !returned { // without a panic, the handler called runtime.Goexit
			r.session.engine.Log.Error("request handler panicked",
				"method", r.method.name, "panic", p, "stack", string(debug.Stack()))
			r.answer(&rpc.Answer{Error: &rpc.Error{Code: rpc.CodeInternal, Message: "internal error"}, Last: p == nil})
		}
	}()
	if r.extended && r.method.added != nil {
		r.method.added(r)
	} else {
		r.method.run(r)
	}
	returned = true
}

// refuse answers a request for a method that the server does not have.
func (r *Request) refuse() { r.fail(rpc.NotFound("")) }

// succeed answers a request whose result has no members.
func (r *Request) succeed() { r.result(rpc.JSON("{}")) }

// A span is the context of a request. Most handlers never check for cancellation, so the
// cancelable context is created on first use.
type span struct {
	parent context.Context
	mu     sync.Mutex
	inner  context.Context // nil until first used
	end    context.CancelFunc
	ended  bool
}

func (s *span) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.end != nil {
		s.end()
	}
}

func (s *span) context() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inner == nil {
		s.inner, s.end = context.WithCancel(s.parent)
		if s.ended {
			s.end()
		}
	}
	return s.inner
}

func (s *span) Deadline() (time.Time, bool) { return s.parent.Deadline() }
func (s *span) Done() <-chan struct{}       { return s.context().Done() }
func (s *span) Err() error                  { return s.context().Err() }

// Value asks the context that provides Done, if any, because package context has its own keys.
func (s *span) Value(key any) any {
	s.mu.Lock()
	inner := s.inner
	s.mu.Unlock()
	if inner != nil {
		return inner.Value(key)
	}
	return s.parent.Value(key)
}
