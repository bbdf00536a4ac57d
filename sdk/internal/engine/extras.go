package engine

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// Extras serves what a program registered in addition to its tools: resources, prompts, completions,
// and tools that jptoolgen did not generate.
type Extras interface {
	// Description returns the server's capabilities, including tools, as JSON, and its instructions, or nil on
	// failure.
	Description(ctx context.Context) (capabilities json.RawMessage, instructions string)
	// Tools returns the registered tools.
	Tools(ctx context.Context) []ExtraTool
	// Open starts the server side of a session. opening contains the params of initialize, or is nil for a
	// request without a session. level is the minimum level of log notifications; "" sends none.
	Open(opening json.RawMessage, version, level string, s *Session) (ExtraSession, error)
}

// An ExtraTool is a tool that the program registered itself.
type ExtraTool struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"inputSchema"`
}

// An ExtraCall is a request for [ExtraSession.Call].
type ExtraCall struct {
	ID     json.RawMessage // of the JSON-RPC request
	Method string
	Params json.RawMessage
	Out    Out // delivers the messages of the request
	// Principal is the caller, or "" if unknown.
	Principal string
	// HideErrors is set if the client must not receive the text of errors without a code.
	HideErrors bool
	// Tools are entries of the contract for the first page of tools/list, which precede those of the program.
	Tools []json.RawMessage
	// Tool runs the called tool of the contract; nil for other requests.
	Tool func(ctx context.Context, arguments json.RawMessage) (result json.RawMessage, err *Error)
}

// An ExtraSession serves one client.
type ExtraSession interface {
	// Call handles a request and returns its result or error.
	Call(ctx context.Context, c *ExtraCall) (result json.RawMessage, err *Error)
	// Notify handles a notification.
	Notify(method string, params json.RawMessage)
	// Close ends the session.
	Close()
}

// Extended reports whether the program may have registered anything, including middleware, which sees every call.
func (e *Engine) Extended() bool { return e.extras() != nil }

func (e *Engine) extras() Extras {
	if e.Extras == nil {
		return nil
	}
	return e.Extras()
}

// extras returns the extras session, and opens it on first use. Requests that name their version
// (rounds) have a separate session, because the first session has the version of initialize.
func (s *Session) extras(rounds bool) (ExtraSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.extra[rounds] != nil:
		return s.extra[rounds], nil
	case s.ended:
		return nil, errGone
	case s.extra == nil:
		s.extra = map[bool]ExtraSession{}
	}
	opening, version, level := s.opening, s.version, ""
	if rounds {
		opening, version = nil, ""
	}
	if s.level != nil {
		level = s.level.name
	}
	x, err := s.engine.extras().Open(opening, version, level, s)
	if err == nil {
		s.extra[rounds] = x
	}
	return x, err
}

// Send sends a notification that belongs to no request.
func (s *Session) Send(message []byte) error {
	if s.out == nil {
		return errGone
	}
	return s.out.Send(message)
}

// Ask sends a request to the client and returns the result or error of the response. The parameter to is
// the stream of the client's request during which Ask is called, or nil for the stream of the session.
func (s *Session) Ask(ctx context.Context, to Out, method string, params json.RawMessage) (json.RawMessage, *Error) {
	send := s.Send
	if to != nil {
		send = to.Send
	}
	var sent any
	if params != nil {
		sent = params
	}
	m, err := s.ask(ctx, send, method, sent)
	switch {
	case err != nil:
		return nil, &Error{Code: CodeInternal, Message: err.Error()}
	case m.Failure != nil:
		failure := new(Error)
		if json.Unmarshal(m.Failure, failure) != nil {
			failure = &Error{Code: CodeInternal, Message: "the client sent an error that cannot be read"}
		}
		return nil, failure
	}
	return json.RawMessage(m.Result), nil
}

// forward passes a notification to the extras session, if any. The initialized notification opens
// that session, because the program may want to send notifications.
func (s *Session) forward(m *Message) {
	version := s.Version()
	switch {
	case !s.engine.Extended():
	case m.Method != noteInitialized:
		s.mu.Lock()
		x := s.extra[version == ""]
		s.mu.Unlock()
		if x != nil {
			x.Notify(m.Method, json.RawMessage(m.Params))
		}
	case version != "":
		if _, err := s.extras(false); err != nil {
			s.engine.Log.Error("connecting to go-sdk's server failed", "error", err)
		}
	}
}

// relay lets the extras session answer a request.
func (r *Request) relay() {
	result, err := r.extra(nil)
	if err != nil {
		r.failDelegated(err)
		return
	}
	if r.session.principal != "" { // go-sdk does not know the caller
		result = json.RawMessage(rawjson.Replace(jsontext.Value(result), "cacheScope", jsontext.Value(`"private"`)))
	}
	r.result(rawJSON(result))
}

// failDelegated answers a request for which go-sdk returned an error. A canceled request ends as it would
// without go-sdk.
func (r *Request) failDelegated(err *Error) {
	switch {
	case r.span.Err() == nil:
		r.fail(err)
	case r.Listens() && !r.settled.Load():
		r.acknowledge()
	default:
		r.Abandon()
	}
}

// extra sends a request to the extras session.
func (r *Request) extra(run func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, *Error)) (json.RawMessage, *Error) {
	return r.delegate(&ExtraCall{Method: r.method, Params: json.RawMessage(r.m.Params), Tool: run})
}

func (r *Request) delegate(c *ExtraCall) (json.RawMessage, *Error) {
	x, err := r.session.extras(r.rounds())
	if err != nil {
		r.session.engine.Log.Error("connecting to go-sdk's server failed", "error", err)
		return nil, &Error{Code: CodeInternal, Message: "internal error"}
	}
	c.ID, c.Out = json.RawMessage(r.id), r.out
	c.Principal, c.HideErrors = r.session.principal, r.session.engine.Trust.HideErrors
	return x.Call(&r.span, c)
}

// isHidden reports whether middleware leaves the called tool out of the list of tools for this caller.
func (r *Request) isHidden() bool {
	name := r.entry.Contract.Name
	names := r.visible(name)
	return names != nil && !slices.Contains(names, name)
}

// visible returns the names of the tools that middleware leaves in the list of tools, or nil if the list fails. If only
// is not "", the list has only that tool of the contract.
func (r *Request) visible(only string) []string {
	var meta json.RawMessage
	if r.m.meta != nil {
		meta = json.RawMessage(`{"_meta":` + string(r.m.meta) + `}`)
	}
	result, err := r.delegate(&ExtraCall{Method: methodList, Params: meta, Tools: r.entries(only)})
	var page listPage
	if err != nil || json.Unmarshal(result, &page) != nil {
		return nil
	}
	return page.names()
}

// callWithMiddleware calls a tool of the contract through the middleware that the program added.
func (r *Request) callWithMiddleware(out *outcome) {
	if r.isHidden() {
		r.unknown(string(r.m.name))
		return
	}
	result, err := r.extra(func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, *Error) {
		r.m.arguments = arguments
		if err := r.run(ctx, out); err != nil {
			return nil, err
		}
		w := NewWriter(nil)
		defer w.Free()
		out.AppendTo(w)
		if w.err != nil {
			return nil, &Error{Code: CodeInternal, Message: "internal error: the result cannot be encoded"}
		}
		return slices.Clone(w.buf), nil
	})
	if err != nil {
		r.failDelegated(err)
		return
	}
	r.result(rawJSON(result))
}
