package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/rpc"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// An Out delivers the messages of one request, or the messages of a session that belong to no
// request. Its methods are safe for concurrent use.
type Out interface {
	// Answer sends the response. It is called at most once.
	Answer(a *rpc.Answer) error
	// Send sends a notification, or a request from the server.
	Send(message []byte) error
	// CanSend reports whether Send can reach the client.
	CanSend() bool
}

// A Session is the state of one client: of a stdio connection, an HTTP session, or a single
// request without a session. It is safe for concurrent use.
type Session struct {
	engine    *Engine
	out       Out    // for messages that belong to no request; nil drops them
	principal string // the caller; "" if the transport does not authenticate callers
	began     time.Time
	alone     bool // the session keeps no state between requests
	shared    bool // several clients use the session

	mu      sync.Mutex
	client  // since initialize
	opening json.RawMessage
	flights map[string]*Request
	asked   map[int64]chan<- *rpc.Message // pending requests to the client, keyed by id
	next    int64
	deaf    bool // no further response will arrive
	ended   bool
	extra   map[bool]ExtraSession // keyed by whether requests name their version
}

// A client describes the client of a session or a request.
type client struct {
	version         string    // of the protocol; "" if not negotiated
	elicits, visits bool      // the client can show forms and URLs
	level           *logLevel // the minimum level of log notifications, nil for none
}

// NewSession returns a session whose messages without a request go to out.
func (e *Engine) NewSession(out Out, principal string) *Session {
	return &Session{
		engine: e, out: out, principal: principal, began: time.Now(),
		flights: make(map[string]*Request), asked: make(map[int64]chan<- *rpc.Message),
	}
}

// Alone returns a session for a request without a session, or for a request in a session that another
// process opened. Unless the program extends the server, anonymous requests of a version share one.
func (e *Engine) Alone(version, principal string) *Session {
	if s := e.strangers[version]; s != nil && principal == "" && !e.Extended() {
		return s
	}
	s := &Session{engine: e, principal: principal, alone: true}
	if OpensSession(version) {
		s.version = version
	}
	return s
}

// Version returns the negotiated version, or "" before initialize.
func (s *Session) Version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// Busy reports whether the session has a request in flight that does not wait for its client.
func (s *Session) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.flights) > len(s.asked)
}

// Take handles a message. Messages must be passed to it in order of arrival. It returns the request
// to run, which is canceled when ctx is, or nil for responses and notifications. The caller must not
// use the message afterwards.
func (s *Session) Take(ctx context.Context, m *rpc.Message, out Out) (*Request, *rpc.Refusal) {
	switch {
	case m.IsResponse():
		s.respond(m)
		return nil, nil
	case m.ID == nil:
		s.handleNotification(m)
		m.Free()
		return nil, nil
	}
	r := &Request{session: s, out: out, m: m, id: m.ID, method: m.Method, span: span{parent: ctx}}
	if m.Method == rpc.MethodCall {
		r.entry = s.engine.tools[string(m.Name)]
	}
	if len(m.Text) > long {
		r.id = slices.Clone(m.ID) // the id outlives the message
	}
	err := s.gate(r)
	if err == nil {
		err = s.begin(r)
	}
	if err != nil {
		return nil, rpc.Refuse(m.ID, err)
	}
	return r, nil
}

// gate rejects a request that the session cannot accept in its current state, and sets its version.
// Initialize opens a session (MCP up to 2025-11-25, Lifecycle); in later versions, every request
// names its version in _meta (MCP 2026-07-28, Versioning).
func (s *Session) gate(r *Request) *rpc.Error {
	m := r.m
	version := m.Version()
	switch {
	case m.LacksMeta:
		return rpc.Invalid(`"_meta" must be an object`)
	case m.Named != nil && m.Named.Kind() != '"':
		return rpc.Invalid(`"` + rpc.KeyVersion + `" in "_meta" must be a string, such as "` + Rounds + `"`)
	case m.Named != nil && !Speaks(version):
		return Unsupported(version)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.client = s.client
	switch {
	case m.Method == rpc.MethodInitialize:
		return s.open(r, version)
	case m.Method == rpc.MethodPing && version == Rounds:
		return rpc.NotFound("")
	case m.Method == rpc.MethodPing:
	case version == Rounds:
		return r.readClient()
	case m.Method == rpc.MethodDiscover:
		return rpc.Invalid(`"_meta" must contain "` + rpc.KeyVersion + `"`)
	case s.version == "" && version != "":
		return rpc.BadRequest("call initialize first to open a session with version " + version)
	case s.version == "":
		return rpc.Invalid(`"_meta" must contain "` + rpc.KeyVersion + `", or call initialize first`)
	case m.Method == rpc.MethodListen:
		return rpc.NotFound("subscriptions are not supported in sessions")
	case m.Method == rpc.MethodLevel:
		params, _ := rpc.Members(m.Params)
		level := levelByName(params["level"])
		if level == nil {
			return rpc.Invalid(`"level" must be ` + levelNames())
		}
		if !s.alone {
			s.level = level
		}
	}
	return nil
}

// readClient reads the client's description from the _meta of a request without a session.
func (r *Request) readClient() *rpc.Error {
	m := r.m
	if !m.IsCapable {
		return rpc.Invalid(`"_meta" must contain "` + rpc.KeyCapabilities + `", an object`)
	}
	elicits, visits := shows(m.Elicitation)
	r.client = client{Rounds, elicits, visits, levelByName(m.Level)}
	switch r.method {
	case rpc.MethodLevel, "resources/subscribe", "resources/unsubscribe":
		return rpc.NotFound("")
	}
	return nil
}

// shows reports whether an elicitation capability includes forms and URLs. A capability without
// modes means forms, as in versions before modes existed.
func shows(elicitation json.RawMessage) (forms, urls bool) {
	if len(elicitation) == 0 || string(elicitation) == "{}" { // the most common values
		return len(elicitation) > 0, false
	}
	modes, ok := rpc.Members(jsontext.Value(elicitation))
	return ok && (modes["form"] != nil || modes["url"] == nil), modes["url"].Kind() == '{'
}

// begin registers the request under its id, which must not be in use.
func (s *Session) begin(r *Request) *rpc.Error {
	if !s.alone {
		r.came = time.Since(s.began)
		key := string(rpc.IDKey(r.id))
		s.mu.Lock()
		if s.flights[key] != nil {
			s.mu.Unlock()
			return rpc.BadRequest("a request with this id is still running")
		}
		s.flights[key] = r
		s.mu.Unlock()
	}
	if !s.engine.inflight.add(r) {
		s.releaseID(r)
		return &rpc.Error{Code: rpc.CodeEnded, Message: "the server is shutting down; send the request again"}
	}
	return nil
}

// releaseID makes the id of a request available again.
func (s *Session) releaseID(r *Request) {
	if s.alone {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if key := rpc.IDKey(r.id); s.flights[string(key)] == r {
		delete(s.flights, string(key))
	}
}

func (s *Session) handleNotification(m *rpc.Message) {
	if m.Method != rpc.NoteCancelled {
		s.forward(m)
		return
	}
	params, _ := rpc.Members(m.Params)
	s.mu.Lock()
	r := s.flights[string(rpc.IDKey(params["requestId"]))]
	s.mu.Unlock()
	if r != nil {
		r.Cancel()
	}
}

// ask sends a request to the client and waits for the response.
func (s *Session) ask(ctx context.Context, send func(message []byte) error, method string, params any) (*rpc.Message, error) {
	answered := make(chan *rpc.Message, 1)
	s.mu.Lock()
	if s.deaf || s.alone { // the client could not respond
		s.mu.Unlock()
		return nil, errGone
	}
	s.next++
	id := s.next
	s.asked[id] = answered
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.asked, id)
	}()
	if err := send(message(id, method, params)); err != nil {
		return nil, err
	}
	select {
	case m, ok := <-answered:
		if ok {
			return m, nil
		}
		return nil, errGone
	case <-ctx.Done():
		// The call has ended, so a failed notification does not matter.
		_ = send(message(0, rpc.NoteCancelled, map[string]any{"requestId": id, "reason": "the call has ended"}))
		return nil, ctx.Err()
	}
}

// respond delivers a response to the waiting request, and logs one that cannot be matched.
func (s *Session) respond(m *rpc.Message) {
	id, err := strconv.ParseInt(string(rpc.IDKey(m.ID)), 10, 64)
	if err != nil {
		s.engine.Log.Warn("the client sent a response whose id matches no request", "error", phrase.Clip(string(m.Failure), rpc.MaxShown))
		return
	}
	s.mu.Lock()
	waiting := s.asked[id]
	delete(s.asked, id)
	s.mu.Unlock()
	if waiting != nil {
		if m.Result != nil && m.Failure.Kind() == 'n' { // some clients send both members
			m.Failure = nil
		}
		m.Result, m.Failure = slices.Clone(m.Result), slices.Clone(m.Failure)
		waiting <- m
	}
}

// givenUp is the minimum age of a running call that counts as abandoned when its client closes the
// input. Its client no longer wants the answer, and some clients fail when it arrives. A script that
// pipes its requests closes the input immediately, and wants the answers.
const givenUp = 400 * time.Millisecond

// EndInput is called when the client can send no more messages. Pending questions fail. Abandoned
// calls are canceled and not answered; shutdown waits for their handlers to clean up.
func (s *Session) EndInput() {
	var old []*Request
	s.mu.Lock()
	for _, r := range s.flights {
		if r.IsCall() && time.Since(s.began)-r.came >= givenUp {
			r.unwanted.Store(true)
			old = append(old, r)
		}
	}
	s.mu.Unlock()
	if len(old) > 0 {
		s.engine.Log.Warn("input closed: canceling abandoned calls", "calls", len(old))
	}
	s.failPending()
	for _, r := range old {
		r.Stop()
	}
}

// failPending fails the pending requests to the client.
func (s *Session) failPending() {
	s.mu.Lock()
	asked := s.asked
	s.asked, s.deaf = nil, true
	s.mu.Unlock()
	for _, waiting := range asked {
		close(waiting)
	}
}

// End ends the session. Requests are canceled and not answered, and pending questions fail.
func (s *Session) End() {
	if s.shared {
		return
	}
	s.mu.Lock()
	s.ended = true
	flights, extras := slices.Collect(maps.Values(s.flights)), s.extra
	s.extra = nil
	s.mu.Unlock()
	for _, r := range flights {
		r.Cancel()
	}
	s.failPending()
	for _, x := range extras {
		x.Close()
	}
}
