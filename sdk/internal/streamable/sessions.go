package streamable

import (
	"container/list"
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// Limits on sessions.
const (
	// mostSessions is the maximum number of sessions. Clients may forget to close theirs.
	mostSessions = 10_000
	// sessionIdle is the time after which an unused session is closed.
	sessionIdle = 30 * time.Minute
	// mostStreams is the maximum number of resumable streams in a session.
	mostStreams = 64
)

// A session is the state of a client that uses a version up to 2025-11-25. It is the [engine.Out]
// for messages that belong to no request.
type session struct {
	h         *Handler
	id        string
	principal string
	engine    *engine.Session

	// Position in the table, in order of use; guarded by its lock.
	at     *list.Element
	used   time.Time
	open   int // requests and streams being served
	closed bool

	mu      sync.Mutex
	own     *stream // the standalone stream; nil until first used
	streams []*stream
	count   int
}

// sessions is the table of open sessions.
type sessions struct {
	most int

	mu     sync.Mutex
	byID   map[string]*session
	all    list.List // of *session, idle longest first
	sweeps *time.Timer
}

// open creates a session that is in use. If there are too many, the one that has been idle
// longest is closed, preferably one of the same principal. It returns nil if all are in use.
func (h *Handler) open(principal string) *session {
	s := &session{h: h, id: rand.Text(), principal: principal, used: time.Now(), open: 1}
	s.engine = h.engine.NewSession(s, principal)
	idlest, ok := h.sessions.add(h, s)
	if !ok {
		return nil
	}
	if idlest != nil {
		h.Log.Warn("too many sessions: closed the one that was idle longest", "sessions", h.sessions.most)
		h.finish(idlest)
	}
	return s
}

// close closes a session.
func (h *Handler) close(s *session) {
	if h.sessions.remove(s) {
		h.finish(s)
	}
}

// finish cancels the running requests of a session that was removed from the table.
func (h *Handler) finish(s *session) {
	s.engine.End()
	s.mu.Lock()
	streams := s.streams
	if s.own != nil {
		streams = append(streams, s.own)
	}
	s.streams, s.own, s.count = nil, nil, -1
	s.mu.Unlock()
	for _, stream := range streams {
		stream.end()
		h.history.forget(stream)
	}
}

// add adds a session. If there are too many it also removes one and returns it; ok is false if
// all are in use.
func (t *sessions) add(h *Handler, s *session) (removed *session, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.byID) >= t.most {
		if removed = t.idlest(s.principal); removed == nil {
			return nil, false
		}
		t.drop(removed)
	}
	t.byID[s.id] = s
	s.at = t.all.PushBack(s)
	if t.sweeps == nil {
		t.sweeps = time.AfterFunc(time.Minute, func() { t.sweep(h) })
	}
	return removed, true
}

// idlest returns the unused session that has been idle longest, preferably one of the
// principal, or nil if all sessions are in use. The caller holds t.mu.
func (t *sessions) idlest(principal string) (oldest *session) {
	for at := t.all.Front(); at != nil; at = at.Next() {
		s := at.Value.(*session)
		if oldest != nil && s.principal != principal || s.open > 0 || s.engine.Busy() {
			continue
		}
		if s.principal == principal {
			return s
		}
		oldest = s
	}
	return oldest
}

// drop removes a session. The caller holds t.mu.
func (t *sessions) drop(s *session) {
	delete(t.byID, s.id)
	t.all.Remove(s.at)
	s.closed = true
}

// remove removes a session and reports whether it was present.
func (t *sessions) remove(s *session) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.closed {
		return false
	}
	t.drop(s)
	return true
}

// enter returns the session with the id if it belongs to the principal, or nil otherwise. The
// session is in use until leave is called.
func (t *sessions) enter(id, principal string) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.byID[id]
	if s == nil || s.principal != principal {
		return nil
	}
	s.open++
	t.use(s)
	return s
}

// leave ends a use of the session.
func (t *sessions) leave(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.open--
	if !s.closed {
		t.use(s)
	}
}

func (t *sessions) use(s *session) {
	s.used = time.Now()
	t.all.MoveToBack(s.at)
}

// sweep closes sessions that have been idle for too long.
func (t *sessions) sweep(h *Handler) {
	var old []*session
	t.mu.Lock()
	for at := t.all.Front(); at != nil; {
		s := at.Value.(*session)
		if time.Since(s.used) < sessionIdle {
			break
		}
		at = at.Next()
		if s.open == 0 && !s.engine.Busy() {
			t.drop(s)
			old = append(old, s)
		}
	}
	if len(t.byID) > 0 {
		t.sweeps.Reset(time.Minute)
	} else {
		t.sweeps = nil
	}
	t.mu.Unlock()
	for _, s := range old {
		h.finish(s)
	}
}

// end finishes all sessions when the handler has ended. They stay in the table, so that later
// requests are refused because the server has ended, not because the session is unknown.
func (t *sessions) end(h *Handler) {
	t.mu.Lock()
	if t.sweeps != nil {
		t.sweeps.Stop()
	}
	all := slices.Collect(maps.Values(t.byID))
	t.mu.Unlock()
	for _, s := range all {
		h.finish(s)
	}
}

// add makes the stream of a response resumable, unless the session is closed.
func (s *session) add(n *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count < 0 {
		return
	}
	s.count++
	n.kept, n.id = true, strconv.Itoa(s.count)
	s.streams = append(s.streams, n)
	if len(s.streams) > mostStreams {
		s.h.history.forget(s.streams[0])
		s.streams = append(s.streams[:0], s.streams[1:]...)
	}
}

// standalone returns the stream for messages that belong to no request, or nil if the session
// is closed.
func (s *session) standalone() *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own == nil && s.count >= 0 {
		s.own = &stream{h: s.h, kept: true, id: "0"}
	}
	return s.own
}

// find returns the stream with the id, or nil.
func (s *session) find(id string) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own != nil && s.own.id == id {
		return s.own
	}
	for _, stream := range s.streams {
		if stream.id == id {
			return stream
		}
	}
	return nil
}

// CanSend returns true: messages are stored until the client takes them.
func (s *session) CanSend() bool { return true }

// Answer is never called: the messages belong to no request.
func (s *session) Answer(*engine.Answer) error { return http.ErrNotSupported }

// Send sends a message that belongs to no request.
func (s *session) Send(message []byte) error {
	stream := s.standalone()
	if stream == nil {
		return http.ErrServerClosed
	}
	return stream.send(message)
}

// listen handles GET, which opens the standalone stream or resumes another one.
func (h *Handler) listen(w http.ResponseWriter, r *http.Request, id string) {
	if _, stream := accepts(r.Header); !stream {
		refuse(w, http.StatusNotAcceptable, engine.BadRequest(`the Accept header must allow "`+typeStream+`"`))
		return
	}
	s := h.sessions.enter(id, h.principal(r))
	if s == nil {
		refuse(w, http.StatusNotFound, engine.BadRequest(noSession))
		return
	}
	defer h.sessions.leave(s)
	done, _ := busy(r)
	defer done()
	to := newSink(w)
	stream, from := s.standalone(), unsent
	if last := r.Header.Get(headerLastEvent); last != "" {
		name, number, ok := strings.Cut(last, "_")
		n, err := strconv.Atoi(number)
		stream, from = s.find(name), n+1
		if !ok || err != nil || n < 0 || stream == nil {
			stream = nil
		}
	}
	if stream == nil || !stream.resume(to, from) {
		refuse(w, http.StatusBadRequest, engine.BadRequest("the event in Last-Event-ID is no longer available"))
		return
	}
	h.hold(r.Context(), stream, to)
}

// hold keeps a stream alive until its sink is closed.
func (h *Handler) hold(ctx context.Context, s *stream, to *sink) {
	defer s.leave(to)
	beats := time.NewTicker(h.KeepAlive)
	defer beats.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.ending:
			return
		case <-to.gone:
			return
		case <-beats.C:
			s.comment()
		}
	}
}

func (h *Handler) isEnding() bool {
	select {
	case <-h.ending:
		return true
	default:
		return false
	}
}
