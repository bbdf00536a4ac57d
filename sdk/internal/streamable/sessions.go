package streamable

import (
	"container/list"
	"context"
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// Bounds of sessions.
const (
	// mostSessions is the maximum number of sessions. Clients may forget to close theirs.
	mostSessions = 10_000
	// sessionIdle is the time after which an unused session is closed.
	sessionIdle = 30 * time.Minute
	// mostStreams is the maximum number of resumable streams in a session.
	mostStreams = 64
)

// A session is the session of a client of versions up to 2025-11-25. It is the [engine.Out]
// for messages that belong to no request.
type session struct {
	h         *Handler
	id        string
	principal string
	engine    *engine.Session

	// Position in the table; guarded by its lock.
	at, among *list.Element // in order of use: among all sessions, among the principal's
	used      time.Time
	open      int // requests and streams being served
	closed    bool

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
	all    list.List // of *session, idle for longest first
	whose  map[string]*list.List
	sweeps *time.Timer
}

func newSessions() *sessions {
	return &sessions{most: mostSessions, byID: make(map[string]*session), whose: make(map[string]*list.List)}
}

// open creates a session in use. If there are too many, the one that has been idle for longest
// is closed, preferably of the same principal. It returns nil if all are in use.
func (h *Handler) open(principal string) *session {
	s := &session{h: h, id: rand.Text(), principal: principal, used: time.Now(), open: 1}
	s.engine = h.engine.NewSession(s, principal)
	idlest, ok := h.sessions.add(h, s)
	if !ok {
		return nil
	}
	if idlest != nil {
		h.Log.Warn("too many sessions: closed the one idle for longest", "sessions", h.sessions.most)
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

// finish cancels what a removed session still runs.
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
		if own := t.whose[s.principal]; own != nil {
			removed = idlest(own)
		}
		if removed == nil {
			removed = idlest(&t.all)
		}
		if removed == nil {
			return nil, false
		}
		t.drop(removed)
	}
	t.byID[s.id] = s
	own := t.whose[s.principal]
	if own == nil {
		own = list.New()
		t.whose[s.principal] = own
	}
	s.at, s.among = t.all.PushBack(s), own.PushBack(s)
	if t.sweeps == nil {
		t.sweeps = time.AfterFunc(time.Minute, func() { t.sweep(h) })
	}
	return removed, true
}

// idlest returns the unused session that has been idle for longest, or nil.
func idlest(of *list.List) *session {
	for at := of.Front(); at != nil; at = at.Next() {
		if s := at.Value.(*session); s.open == 0 && !s.engine.Busy() {
			return s
		}
	}
	return nil
}

// drop removes a session. The caller holds t.mu.
func (t *sessions) drop(s *session) {
	delete(t.byID, s.id)
	t.all.Remove(s.at)
	own := t.whose[s.principal]
	own.Remove(s.among)
	if own.Len() == 0 {
		delete(t.whose, s.principal)
	}
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

// enter returns the session with the id if it belongs to the principal, else nil. The session
// is in use until leave is called.
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
	t.whose[s.principal].MoveToBack(s.among)
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

// newStream returns a stream for the response to a request.
func (s *session) newStream(h *Handler) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count < 0 {
		return &stream{h: h}
	}
	s.count++
	n := &stream{h: h, kept: true, id: strconv.Itoa(s.count)}
	s.streams = append(s.streams, n)
	if len(s.streams) > mostStreams {
		h.history.forget(s.streams[0])
		s.streams = append(s.streams[:0], s.streams[1:]...)
	}
	return n
}

// standalone returns the stream for messages that belong to no request; nil if the session is
// closed.
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
		refuse(w, http.StatusNotAcceptable, badRequest(`Accept must name "`+typeStream+`"`))
		return
	}
	s := h.sessions.enter(id, h.principal(r))
	if s == nil {
		refuse(w, http.StatusNotFound, badRequest(noSession))
		return
	}
	defer h.sessions.leave(s)
	done, _ := busy(r)
	defer done()
	to := newSink(w, http.NewResponseController(w))
	stream, from := s.standalone(), 0
	if last := r.Header.Get(headerLastEvent); last != "" {
		name, number, ok := strings.Cut(last, "_")
		n, err := strconv.Atoi(number)
		stream, from = s.find(name), n+1
		if !ok || err != nil || n < 0 || stream == nil {
			stream = nil
		}
	}
	if stream == nil || !stream.resume(to, from) {
		refuse(w, http.StatusBadRequest, badRequest("the event in Last-Event-ID is no longer available"))
		return
	}
	h.hold(r.Context(), stream, to)
}

// hold keeps a stream alive until its sink is gone.
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
