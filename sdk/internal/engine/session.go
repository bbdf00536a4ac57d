package engine

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An Out is where what belongs to one request goes, or what belongs to none. Its methods
// are safe for use by several goroutines.
type Out interface {
	// Answer sends the response to the request, and is called at most once.
	Answer(a *Answer) error
	// Send sends a notification, or a request of the server's own, on a line of its own.
	Send(message []byte) error
	// CanSend reports whether Send reaches anybody.
	CanSend() bool
}

// A Session is what is known of a client: that at the other end of streams, that of a
// session of HTTP, or that of one request which needs no session. It is safe for use by
// several goroutines.
type Session struct {
	engine *Engine
	// out is where messages go that belong to no request; nil drops them.
	out Out
	// principal is who calls, "" where the door does not tell.
	principal string
	// alone says that the session keeps nothing from one request to the next, shared that
	// several have it.
	alone, shared bool

	mu      sync.Mutex
	opened  bool   // by initialize
	version string // of the session
	elicits bool   // the client shows forms
	opening json.RawMessage
	level   *slog.Level // from which on the session asks for what is logged
	flights map[string]*Request
	asked   map[int64]chan<- *Message // by the id of a request of ours
	next    int64
	deaf    bool // no response will come
	ended   bool
	extra   ExtraSession
	former  ExtraSession // of requests before the session was opened
}

// NewSession returns the session of a client. What belongs to no request goes to out.
func (e *Engine) NewSession(out Out, principal string) *Session {
	return &Session{engine: e, out: out, principal: principal}
}

// Alone returns a session for requests over a door that knows the version, each by itself:
// of one that needs no session, or whose session was opened elsewhere. Where nothing
// was added to the server and no one is known, all such requests have the same.
func (e *Engine) Alone(version, principal string) *Session {
	common := principal == "" && e.added() == nil
	if common {
		if s, ok := e.strangers.Load(version); ok {
			return s.(*Session)
		}
	}
	s := &Session{engine: e, principal: principal, alone: true}
	if OpensSession(version) {
		s.opened, s.version = true, version
	}
	if common && Speaks(version) {
		s.shared = true
		e.strangers.Store(version, s)
	}
	return s
}

// Opened reports whether the session has been opened by initialize.
func (s *Session) Opened() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

// Version returns the version of the session, "" before it is opened.
func (s *Session) Version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// Busy reports whether a request of the session is running or a question is asked.
func (s *Session) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.flights)+len(s.asked) > 0
}

// Take deals with a message in the order in which messages come: a response finds who
// waits for it, a notification is followed. It returns the request to be run, nil if there
// is none; the error is a *[Refusal]. The request ends when ctx does. The message is not to
// be used any more.
func (s *Session) Take(ctx context.Context, m *Message, out Out) (*Request, error) {
	switch {
	case !m.isRequest:
		s.respond(m)
		return nil, nil
	case m.ID == nil:
		s.notified(m)
		m.free()
		return nil, nil
	}
	r := &Request{session: s, out: out, m: m, id: m.ID, method: m.Method}
	if m.Method == methodCall {
		r.entry = s.engine.tools[string(m.call.name)]
	}
	if len(m.Text) > long {
		r.id = slices.Clone(m.ID) // which outlives the rest of it
	}
	if err := s.gate(r); err != nil {
		return nil, Refuse(m.ID, err)
	}
	if err := s.begin(ctx, r); err != nil {
		return nil, err
	}
	return r, nil
}

// gate refuses a request that the session is not ready for, and tells r what version it is
// of. A session is opened by initialize (MCP to 2025-11-25, Lifecycle); in later versions
// every request names its version in _meta, and one that does not is invalid (MCP
// 2026-07-28, Versioning).
func (s *Session) gate(r *Request) *Error {
	m := r.m
	if m.metaless {
		return invalid(`"_meta" must be an object`)
	}
	version, err := m.names()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.rounds = version == Rounds
	r.version, r.elicits, r.level = s.version, s.elicits, s.level
	switch m.Method {
	case methodInitialize:
		return s.open(r, version)
	case methodPing:
		if r.rounds {
			return notFound("")
		}
		return nil
	}
	switch {
	case r.rounds:
		return r.introduced()
	case m.Method == methodDiscover:
		return invalid(`"_meta" must hold "` + keyVersion + `"`)
	case s.opened:
	case version != "":
		return badRequest("call initialize first, which opens a session of version " + version)
	default:
		return invalid(`"_meta" must hold "` + keyVersion + `", or call initialize first`)
	}
	switch m.Method {
	case methodListen:
		return notFound("sessions have no subscriptions")
	case methodLevel:
		return s.setLevel(m)
	}
	return nil
}

// names returns the version that a request names in _meta, "" for none, and an error for
// one that is not spoken here (MCP 2026-07-28, Versioning).
func (m *Message) names() (string, *Error) {
	if m.meta.named == nil {
		return "", nil
	}
	text, isString := unquoted(m.meta.named)
	if !isString {
		return "", invalid(`"` + keyVersion + `" in "_meta" must be a string, such as "` + Rounds + `"`)
	}
	for _, version := range versions {
		if version == string(text) {
			return version, nil
		}
	}
	return "", Unsupported(string(text))
}

// introduced tells r what a request of a version without sessions says of its sender.
func (r *Request) introduced() *Error {
	meta := &r.m.meta
	if !meta.capable {
		return invalid(`"_meta" must hold "` + keyCapabilities + `", an object`)
	}
	r.version, r.elicits, r.level = Rounds, showsForms(meta.elicitation), nil
	if level, ok := levelNamed(meta.level); ok {
		r.level = &level
	}
	switch r.method {
	case methodLevel, "resources/subscribe", "resources/unsubscribe":
		return notFound("")
	}
	return nil
}

// showsForms reports whether a client that declares elicitation declares forms. Neither
// mode named is the form mode of versions that knew no other.
func showsForms(elicitation json.RawMessage) bool {
	switch string(elicitation) {
	case "":
		return false
	case "{}": // as most clients write it
		return true
	}
	var modes struct {
		Form jsontext.Value `json:"form"`
		URL  jsontext.Value `json:"url"`
	}
	if jsonv2.Unmarshal(elicitation, &modes) != nil {
		return false
	}
	return modes.Form != nil || modes.URL == nil
}

// begin lets a request in, under an id that no other has.
func (s *Session) begin(ctx context.Context, r *Request) error {
	r.span.parent = ctx
	if !s.alone {
		r.came = time.Now()
		s.mu.Lock()
		if _, taken := s.flights[string(r.id)]; taken {
			s.mu.Unlock()
			r.span.cancel()
			return Refuse(r.id, badRequest("a request with this id is still running"))
		}
		if s.flights == nil {
			s.flights = make(map[string]*Request)
		}
		s.flights[string(r.id)] = r
		s.mu.Unlock()
	}
	if !s.engine.inflight.add(r) {
		s.leave(r)
		r.span.cancel()
		return Refuse(r.id, &Error{Code: CodeEnded, Message: "the server is ending; send the request again"})
	}
	return nil
}

// leave lets the id of a request be used again.
func (s *Session) leave(r *Request) {
	if s.alone {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flights[string(r.id)] == r {
		delete(s.flights, string(r.id))
	}
}

// notified follows a notification.
func (s *Session) notified(m *Message) {
	if m.Method != noteCancelled {
		if s.engine.added() != nil {
			s.forward(m)
		}
		return
	}
	var p struct {
		RequestID jsontext.Value `json:"requestId"`
	}
	if jsonv2.Unmarshal(m.Params, &p) != nil {
		return
	}
	s.mu.Lock()
	r := s.flights[string(p.RequestID)]
	s.mu.Unlock()
	if r != nil {
		r.Cancel()
	}
}

// ask sends a request of ours, and returns the response.
func (s *Session) ask(ctx context.Context, send func(message []byte) error, method string, params Appender) (*Message, error) {
	answered := make(chan *Message, 1)
	s.mu.Lock()
	if s.deaf || s.alone { // whose client could not answer
		s.mu.Unlock()
		return nil, errGone
	}
	s.next++
	id := s.next
	if s.asked == nil {
		s.asked = make(map[int64]chan<- *Message)
	}
	s.asked[id] = answered
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.asked, id)
	}()
	w := NewWriter(nil)
	defer w.Free()
	w.Raw(sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":`, id, method))
	params.AppendTo(w)
	w.Raw("}")
	if w.Err() != nil {
		return nil, w.Err()
	}
	data, _ := w.Held()
	if err := send(slices.Clone(data)); err != nil {
		return nil, err
	}
	select {
	case m, ok := <-answered:
		if !ok {
			return nil, errGone
		}
		return m, nil
	case <-ctx.Done():
		// That its client cannot be told does not concern who has given up.
		_ = send([]byte(sprintf(`{"jsonrpc":"2.0","method":"%s","params":{"requestId":%d,"reason":"the call has ended"}}`, noteCancelled, id)))
		return nil, ctx.Err()
	}
}

// respond hands a response to whoever waits for it. A complaint about a message of ours
// must not be answered in turn.
func (s *Session) respond(m *Message) {
	var id int64
	if m.ID == nil || json.Unmarshal(m.ID, &id) != nil {
		s.engine.Log.Warn("the client sent a response without an id of a request", "error", clip(string(m.Failure)))
		return
	}
	s.mu.Lock()
	waiting := s.asked[id]
	delete(s.asked, id)
	s.mu.Unlock()
	if waiting != nil {
		m.Result, m.Failure = slices.Clone(m.Result), slices.Clone(m.Failure)
		waiting <- m
	}
}
