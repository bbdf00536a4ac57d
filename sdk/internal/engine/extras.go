package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
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
	Name        string          `json:"name"`
	Input       json.RawMessage `json:"inputSchema"`
	Annotations struct {
		ReadOnly    *bool `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint"`
	} `json:"annotations"`
}

// contract returns the part of the contract of a tool that decides who sees it.
func (t *ExtraTool) contract() *manifest.Tool {
	a := manifest.Annotations{ReadOnly: t.Annotations.ReadOnly, Destructive: t.Annotations.Destructive}
	return &manifest.Tool{Name: t.Name, Annotations: a}
}

// An ExtraCall is a request for [ExtraSession.Call].
type ExtraCall struct {
	ID     json.RawMessage // of the JSON-RPC request
	Method string
	Params json.RawMessage
	Out    Out // delivers the messages of the request
	Caller handler.Caller
	// HideErrors is set if the client must not receive the text of errors without a code.
	HideErrors bool
	// Entries are entries of the contract for a page of a list. They precede those of the program. Alone means that the
	// page has none of the program.
	Entries []json.RawMessage
	Alone   bool
	// Acknowledge, if set, receives the notifications of a subscription that begins, in place of the client.
	Acknowledge func(notifications json.RawMessage) error
	// Tool runs the tool of the contract that the request calls, or reads its resource, gets its prompt or completes a
	// value; nil for other requests.
	Tool func(ctx context.Context, arguments json.RawMessage) (result json.RawMessage, err *rpc.Error)
}

// An ExtraSession serves one client.
type ExtraSession interface {
	// Call handles a request and returns its result or error.
	Call(ctx context.Context, c *ExtraCall) (result json.RawMessage, err *rpc.Error)
	// Notify handles a notification.
	Notify(method string, params json.RawMessage)
	// Close ends the session.
	Close()
}

// extras returns what serves everything that the program may have registered, including middleware, which sees every
// call, or nil.
func (e *Engine) extras() Extras {
	if e.Extras == nil {
		return nil
	}
	return e.Extras()
}

// extras returns the extras session, and opens it on first use. Requests that name their version
// (stateless) have a separate session, because the first session has the version of initialize.
func (s *Session) extras(stateless bool) (ExtraSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.extra[stateless] != nil:
		return s.extra[stateless], nil
	case s.ended:
		return nil, errGone
	case s.extra == nil:
		s.extra = map[bool]ExtraSession{}
	}
	opening, version, level := s.opening, s.client.Version, ""
	if stateless {
		opening, version = nil, ""
	}
	if s.level != nil {
		level = s.level.name
	}
	x, err := s.engine.extras().Open(opening, version, level, s)
	if err == nil {
		s.extra[stateless] = x
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
func (s *Session) Ask(ctx context.Context, to Out, method string, params json.RawMessage) (json.RawMessage, *rpc.Error) {
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
		return nil, &rpc.Error{Code: rpc.CodeInternal, Message: err.Error()}
	case m.Failure != nil:
		failure := new(rpc.Error)
		if json.Unmarshal(m.Failure, failure) != nil {
			failure = &rpc.Error{Code: rpc.CodeInternal, Message: "the client sent an error that cannot be read"}
		}
		return nil, failure
	}
	return json.RawMessage(m.Result), nil
}

// forward passes a notification to the extras session, if any. The initialized notification opens
// that session, because the program may want to send notifications.
func (s *Session) forward(m *rpc.Message) {
	version := s.Version()
	switch {
	case s.engine.extras() == nil:
	case m.Method != rpc.NoteInitialized:
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

// unlisted returns the error for a resource, a prompt or an argument that is not in the contract, or nil if the contract
// has no such method.
func (r *Request) unlisted() *rpc.Error {
	switch {
	case r.method.needs == nil, !r.method.needs(r.session.engine.offered()):
		return nil
	case r.method.name == rpc.MethodComplete:
		return r.unfit
	}
	return r.Failure(r.missing())
}

// relay lets the extras session answer a request, within the interceptors.
func (r *Request) relay() {
	if r.hidesAdded() {
		r.fail(rpc.Invalid("the server does not offer this"))
		return
	}
	var result json.RawMessage
	var failure *rpc.Error
	var served error
	serve := func(ctx context.Context) error {
		result, failure = r.extra(ctx, nil)
		if failure != nil && failure.Code == rpc.CodeMethodNotFound { // the method exists for the contract alone
			failure = cmp.Or(r.unlisted(), failure)
		}
		switch {
		case failure != nil:
			served = failure
		case string(rawjson.Get(jsontext.Value(result), "isError")) == "true":
			served = fault.New(fault.Internal, "the tool failed")
		}
		return served
	}
	if err := r.within(serve); err != served { // an interceptor replaced the outcome
		r.failIntercepted(fault.From(err))
		return
	}
	if failure != nil {
		r.failDelegated(failure)
		return
	}
	result = r.withoutHidden(result)
	if r.cacheScope(false) == "private" { // go-sdk does not know the caller
		result = json.RawMessage(rawjson.Replace(jsontext.Value(result), "cacheScope", jsontext.Value(`"private"`)))
	}
	r.result(rpc.JSON(result))
}

// within runs serve within the interceptors, which see requests that have a subject.
func (r *Request) within(serve func(context.Context) error) error {
	e := r.session.engine
	if r.method.kind == "" || len(e.Rules.Interceptors) == 0 {
		return serve(&r.span)
	}
	run := &handler.Run{Rules: e.Rules}
	run.ID, run.Caller, run.Log = e.newID(), r.caller, e.Log
	name, _ := r.method.subject(r.Message)
	return run.Intercept(&r.span, r.method.kind, name, serve)
}

// failIntercepted answers a request that an interceptor refused. The result of a tool may be an error.
func (r *Request) failIntercepted(f *fault.Error) {
	if r.isTool() {
		r.result(r.Failed(f))
		return
	}
	if r.Offer == nil && r.method.kind == string(handler.Resource) {
		uri, _ := subjectURI(r.Message)
		r.Offer = &handler.Offer{Kind: handler.Resource, URI: uri}
	}
	err := r.Failure(f)
	err.Message = f.Error()
	r.fail(err)
}

// tell passes a request to the extras session, which cannot change the result.
func (r *Request) tell() {
	_, _ = r.extra(&r.span, nil)
	r.succeed()
}

// failDelegated answers a request for which go-sdk returned an error. A canceled request ends as it would
// without go-sdk.
func (r *Request) failDelegated(err *rpc.Error) {
	switch {
	case r.span.Err() == nil:
		r.fail(err)
	default:
		r.Abandon()
	}
}

// A toolFunc runs the called tool of the contract.
type toolFunc func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, *rpc.Error)

// extra sends the request to the extras session.
func (r *Request) extra(ctx context.Context, run toolFunc) (json.RawMessage, *rpc.Error) {
	return r.delegate(ctx, &ExtraCall{Method: r.Message.Method, Params: json.RawMessage(r.Message.Params), Tool: run})
}

// delegate sends a call to the extras session, for this request.
func (r *Request) delegate(ctx context.Context, c *ExtraCall) (json.RawMessage, *rpc.Error) {
	e := r.session.engine
	x, err := r.session.extras(r.Has(wires.Stateless))
	if err != nil {
		e.Log.Error("connecting to go-sdk's server failed", "error", err)
		return nil, &rpc.Error{Code: rpc.CodeInternal, Message: "internal error"}
	}
	c.ID, c.Out, c.Caller, c.HideErrors = json.RawMessage(r.id), r.out, r.caller, e.Rules.HideErrors
	return x.Call(ctx, c)
}

// offered returns the names of the tools that middleware leaves in the list of tools, or nil if the list fails. If only
// is not "", the list has only that tool of the contract.
func (r *Request) offered(only string) []string {
	var params json.RawMessage
	if r.Message.Meta != nil {
		params = json.RawMessage(`{"_meta":` + string(r.Message.Meta) + `}`)
	}
	result, err := r.delegate(&r.span, &ExtraCall{Method: rpc.MethodList, Params: params, Entries: r.entries(only)})
	var page listPage
	if err != nil || json.Unmarshal(result, &page) != nil {
		return nil
	}
	page.r = r
	page.dropHidden()
	return page.names()
}

// isHidden reports whether middleware leaves the called tool out of the list of tools for this caller.
func (r *Request) isHidden() bool {
	names := r.offered(r.Contract.Name)
	return names != nil && !slices.Contains(names, r.Contract.Name)
}

// callAround calls a tool through the middleware that the program added. A tool that is not in the contract may be one
// that the program registered itself.
func (r *Request) callAround() {
	if r.Contract == nil || r.isHidden() {
		r.callAdded()
		return
	}
	r.around(func(arguments json.RawMessage) { r.Message.Arguments = arguments })
}

// getAround reads a resource or gets a prompt through the middleware that the program added. What is not in the
// contract may be what the program registered itself.
func (r *Request) getAround() {
	switch err := r.invalid(); {
	case err != nil:
		r.fail(err)
	case r.Contract == nil:
		r.relay()
	case r.Offer.Kind == handler.Prompt:
		r.around(func(arguments json.RawMessage) { r.Message.Arguments = arguments })
	default:
		r.around(func(json.RawMessage) {}) // the arguments are those of the URI
	}
}

// around serves the request through the middleware that the program added. set sets the arguments that it may have
// changed.
func (r *Request) around(set func(arguments json.RawMessage)) {
	result, err := r.extra(&r.span, func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, *rpc.Error) {
		set(arguments)
		out, err := r.outcome(ctx)
		if err != nil {
			return nil, err
		}
		result, encodeErr := rpc.Encoded(out)
		if encodeErr != nil {
			return nil, &rpc.Error{Code: rpc.CodeInternal, Message: "internal error: the result cannot be encoded"}
		}
		return result, nil
	})
	if err != nil {
		r.failDelegated(err)
		return
	}
	r.result(rpc.JSON(result))
}

func (r *Request) callAdded() {
	for _, other := range r.session.engine.extras().Tools(&r.span) {
		if other.Name == string(r.Message.Name) && r.sees(other.contract()) {
			r.relay()
			return
		}
	}
	r.unknown(r.offered(""))
}
