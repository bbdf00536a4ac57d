package engine

import (
	"context"
	"encoding/json"
	"slices"
)

// Extras serve what a program added beside its tools: resources, prompts, completions,
// tools of another make.
type Extras interface {
	// Capabilities returns what the server declares, tools included, as a JSON object; nil
	// if that cannot be told.
	Capabilities(ctx context.Context) json.RawMessage
	// Tools returns the tools that were added.
	Tools(ctx context.Context) []ExtraTool
	// InUse reports whether there may be any. From then on they also see the calls of the
	// contract's tools, around which the program may have put something.
	InUse() bool
	// Open returns the server's side of a session: opening is the params of initialize, nil
	// for a client whose requests need no session, and level the one from which on it asks
	// for what is logged, "" for none.
	Open(opening json.RawMessage, version, level string, client Client) (ExtraSession, error)
}

// An ExtraTool is a tool that the program added beside its contract.
type ExtraTool struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"inputSchema"`
}

// A Client is the other end of a session.
type Client interface {
	// Send sends a notification that belongs to no request.
	Send(message []byte) error
	// Ask sends a request and returns the result or the error of its response. With to it
	// belongs to the request whose messages go there; nil is none.
	Ask(ctx context.Context, to Out, method string, params json.RawMessage) (result json.RawMessage, err *Error)
}

// An ExtraCall is a request.
type ExtraCall struct {
	// ID is the JSON text of the client's id.
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	// Out is where messages go that belong to the request.
	Out Out
	// Tool runs the tool of the contract that is called; nil for another request.
	Tool func(ctx context.Context, arguments json.RawMessage) (result json.RawMessage, err *Error)
}

// An ExtraSession serves one client.
type ExtraSession interface {
	// Call sends a request and returns the result or the error of its response.
	Call(ctx context.Context, c *ExtraCall) (result json.RawMessage, err *Error)
	// Notify sends a notification.
	Notify(method string, params json.RawMessage)
	// Close ends the session.
	Close()
}

// added returns what the program added, nil for nothing.
func (e *Engine) added() Extras {
	if e.Extras == nil || !e.Extras.InUse() {
		return nil
	}
	return e.Extras
}

// Extended reports whether the program may have added something, whose handlers then see
// every call.
func (e *Engine) Extended() bool { return e.added() != nil }

// extras returns the session of what the program added, which is opened at its first use.
func (s *Session) extras() (ExtraSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.extra != nil {
		return s.extra, nil
	}
	if s.ended {
		return nil, errGone
	}
	x, err := s.engine.Extras.Open(s.opening, s.version, levelNameOf(s.level), client{s})
	if err == nil {
		s.extra = x
	}
	return x, err
}

// client is the other end of a session as what the program added sees it.
type client struct{ s *Session }

func (c client) Send(message []byte) error {
	if c.s.out == nil {
		return errGone
	}
	return c.s.out.Send(message)
}

func (c client) Ask(ctx context.Context, to Out, method string, params json.RawMessage) (json.RawMessage, *Error) {
	send := c.Send
	if to != nil {
		send = to.Send
	}
	m, err := c.s.ask(ctx, send, method, rawJSON(params))
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

// forward hands a notification on to what the program added, if that is in use. It is from
// when the session begins: a client may be told what changes.
func (s *Session) forward(m *Message) {
	if m.Method == noteInitialized {
		if !s.Opened() {
			return
		}
		if _, err := s.extras(); err != nil {
			s.engine.Log.Error("what the program added cannot be reached", "error", err)
		}
		return
	}
	s.mu.Lock()
	x := s.extra
	s.mu.Unlock()
	if x != nil {
		x.Notify(m.Method, json.RawMessage(m.Params))
	}
}

// relay has what the program added answer a request.
func (r *Request) relay() {
	result, err := r.extra(nil)
	if err != nil {
		r.fail(err)
		return
	}
	r.result(rawJSON(result))
}

// extra sends a request to what the program added.
func (r *Request) extra(run func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, *Error)) (json.RawMessage, *Error) {
	x, err := r.session.extras()
	if err != nil {
		r.session.engine.Log.Error("what the program added cannot be reached", "error", err)
		return nil, &Error{Code: CodeInternal, Message: "internal error"}
	}
	return x.Call(&r.span, &ExtraCall{
		ID: json.RawMessage(r.id), Method: r.method, Params: json.RawMessage(r.m.Params), Out: r.out, Tool: run,
	})
}

// watched calls a tool of the contract by way of what the program has put around calls.
func (r *Request) watched(out *outcome) {
	result, err := r.extra(func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, *Error) {
		r.m.call.arguments = arguments
		if err := r.run(ctx, out); err != nil {
			return nil, err
		}
		w := NewWriter(nil)
		defer w.Free()
		out.AppendTo(w)
		data, _ := w.Held()
		if w.Err() != nil {
			return nil, &Error{Code: CodeInternal, Message: "internal error: the result cannot be encoded"}
		}
		return slices.Clone(data), nil
	})
	if err != nil {
		r.fail(err)
		return
	}
	r.result(rawJSON(result))
}
