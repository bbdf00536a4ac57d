package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
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
	engine *Engine
	out    Out            // for messages that belong to no request; nil drops them
	caller handler.Caller // who opened the session; the zero Caller if the transport does not authenticate callers
	began  time.Time
	alone  bool // the session keeps no state between requests
	shared bool // several clients use the session

	mu      sync.Mutex
	client  wires.Client // since initialize
	level   *logLevel    // the minimum level of log notifications, nil for none
	opening json.RawMessage
	flights map[string]*Request
	asked   map[int64]chan<- *rpc.Message // pending requests to the client, keyed by id
	next    int64
	deaf    bool // no further response will arrive
	ended   bool
	extra   map[bool]ExtraSession // keyed by whether requests name their version
	listens int                   // number of running subscriptions/listen requests
	told    *listener             // set if the client is told about changes
}

// NewSession returns a session whose messages without a request go to out.
func (e *Engine) NewSession(out Out, caller handler.Caller) *Session {
	return &Session{
		engine: e, out: out, caller: caller, began: time.Now(),
		flights: make(map[string]*Request), asked: make(map[int64]chan<- *rpc.Message),
	}
}

// Alone returns a session for a request without a session, or for a request in a session that another
// process opened. Unless the program extends the server, anonymous requests of a version share one.
func (e *Engine) Alone(version string, caller handler.Caller) *Session {
	if s := e.strangers[version]; s != nil && caller.Subject == "" && e.extras() == nil {
		return s
	}
	s := &Session{engine: e, caller: caller, alone: true}
	if wires.OpensSession(version) {
		s.client.Version = version
	}
	return s
}

// Version returns the negotiated version, or "" before initialize.
func (s *Session) Version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client.Version
}

// Busy reports whether the session has a request in flight that does not wait for its client.
func (s *Session) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.flights) > len(s.asked)
}

// Take handles a message. Messages must be passed to it in order of arrival. It returns the request
// to run, which is canceled when ctx is, or nil for responses and notifications. What the caller may see and
// use can differ between the messages of a session. The message must not be used afterwards.
func (s *Session) Take(ctx context.Context, caller handler.Caller, m *rpc.Message, out Out) (*Request, *rpc.Refusal) {
	switch {
	case m.IsResponse():
		s.respond(m)
		return nil, nil
	case m.ID == nil:
		s.observeNotification(ctx, m, out)
		m.Free()
		return nil, nil
	}
	e := s.engine
	r := &Request{session: s, caller: caller, out: out, id: m.ID, method: methodOf(m.Method), span: span{parent: ctx}}
	r.Message, r.Line, r.extended = m, r, e.extras() != nil
	if r.isTool() {
		if t := r.visibleTool(string(m.Name)); t != nil {
			r.tool, r.Contract, r.Former = t.Tool, t.Contract, t.old
		}
	}
	if len(m.Text) > long {
		r.id = slices.Clone(m.ID) // the id outlives the message
	}
	err := s.gate(r)
	if err == nil && r.method.needs != nil {
		r.lookUp()
	}
	if e.Rules.Observer != nil {
		r.received()
	}
	if err == nil {
		err = r.checkScopes()
	}
	if err == nil {
		e.wires.Admit(&r.Call)
		err = s.begin(r)
	}
	if err != nil {
		r.replied(err)
		return nil, rpc.Refuse(m.ID, err)
	}
	return r, nil
}

// visibleTool returns the tool of the contract with a current or former name, or nil if the caller may not see it.
func (r *Request) visibleTool(name string) *Entry {
	e := r.session.engine
	if t := e.tools[name]; t != nil && e.Trust.Sees(r.caller, t.Contract) {
		return t
	}
	return nil
}

// tools yields the tools of the contract that the caller may see.
func (r *Request) tools(yield func(*manifest.Tool) bool) {
	e := r.session.engine
	for _, t := range e.contracts {
		if e.Trust.Sees(r.caller, t) && !yield(t) {
			return
		}
	}
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
		if r.Listens() {
			if s.listens == maxListens {
				s.mu.Unlock()
				return errTooManyListens
			}
			s.listens++
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
		if r.Listens() {
			s.listens--
		}
	}
}

func (s *Session) handleNotification(m *rpc.Message) {
	if m.Method != rpc.NoteCancelled {
		if m.Method == rpc.NoteInitialized && s.Version() != "" && s.engine.Subscribes(s.caller) {
			s.hearLists()
		}
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
	told := s.told
	s.mu.Unlock()
	if told != nil {
		told.end()
	}
	for _, r := range flights {
		r.Cancel()
	}
	s.failPending()
	for _, x := range extras {
		x.Close()
	}
}
