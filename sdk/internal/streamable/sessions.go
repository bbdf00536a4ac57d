package streamable

import (
	"container/list"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

const (
	// maxSessions is the maximum number of sessions. Clients may forget to close theirs.
	maxSessions = 10_000
	// sessionIdle is the time after which an unused session is closed.
	sessionIdle = 30 * time.Minute
	// maxStreams is the maximum number of resumable streams in a session.
	maxStreams = 64
)

// A session is the state of a client that uses a version up to 2025-11-25.
type session struct {
	h      *Handler
	id     string
	caller string // its subject
	engine *engine.Session

	// Guarded by the lock of the table.
	at   *list.Element // position in order of use
	idle *time.Timer   // closes the session
	open int           // requests and streams being served
	used time.Time     // end of the last use

	own response // the standalone stream

	mu      sync.Mutex
	streams []*response
	count   int // number of streams so far, or -1 if the session is closed
}

// sessions is the table of open sessions.
type sessions struct {
	limit int

	mu   sync.Mutex
	byID map[string]*session
	all  list.List // *session values, idle longest first
}

// open creates a session that is in use. At the limit, it closes an idle one, or else returns nil.
func (h *Handler) open(caller handler.Caller) *session {
	s := &session{h: h, id: rand.Text(), caller: caller.Subject, open: 1}
	s.own = response{h: h, id: "0", streams: true, begun: true}
	s.engine = h.engine.NewSession(&s.own, caller)
	t := &h.sessions
	t.mu.Lock()
	var removed *session
	if len(t.byID) >= t.limit {
		if removed = t.longestIdle(caller); removed == nil {
			t.mu.Unlock()
			return nil
		}
		t.drop(removed)
	}
	t.byID[s.id] = s
	s.at = t.all.PushBack(s)
	s.idle = time.AfterFunc(sessionIdle, func() { t.expire(s) })
	t.mu.Unlock()
	if removed != nil {
		h.engine.Log.Warn("too many sessions: closed the longest idle session", "sessions", t.limit)
		removed.end()
	}
	return s
}

// end cancels the running requests of a session and ends its streams.
func (s *session) end() {
	s.idle.Stop()
	s.engine.End()
	s.mu.Lock()
	streams := append(s.streams, &s.own)
	s.streams, s.count = nil, -1
	s.mu.Unlock()
	for _, stream := range streams {
		stream.end()
		s.h.history.remove(stream)
	}
}

// longestIdle returns the unused session that has been idle longest, preferably one of the
// caller, or nil if all sessions are in use. The caller holds t.mu.
func (t *sessions) longestIdle(caller handler.Caller) (oldest *session) {
	for at := t.all.Front(); at != nil; at = at.Next() {
		s := at.Value.(*session)
		if oldest != nil && s.caller != caller.Subject || s.open > 0 || s.engine.Busy() {
			continue
		}
		if s.caller == caller.Subject {
			return s
		}
		oldest = s
	}
	return oldest
}

// drop removes a session. The caller holds t.mu.
func (t *sessions) drop(s *session) {
	delete(t.byID, s.id)
	t.all.Remove(s.at) // has no effect the second time
}

func (t *sessions) close(s *session) {
	t.mu.Lock()
	t.drop(s)
	t.mu.Unlock()
	s.end()
}

// enter returns the caller's session with the id, or nil. It is in use until release is called.
func (t *sessions) enter(id string, caller handler.Caller) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.byID[id]
	if s == nil || s.caller != caller.Subject {
		return nil
	}
	s.open++
	t.all.MoveToBack(s.at)
	return s
}

// release ends a use of the session.
func (t *sessions) release(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.open--
	s.used = time.Now()
	t.all.MoveToBack(s.at)
}

// expire closes a session that has been idle for sessionIdle, and otherwise checks it again later.
// The session may have been used or closed since the timer fired.
func (t *sessions) expire(s *session) {
	left := sessionIdle
	t.mu.Lock()
	if t.byID[s.id] == nil {
		t.mu.Unlock()
		return
	}
	if s.open == 0 && !s.engine.Busy() {
		left -= time.Since(s.used)
	}
	if left > 0 {
		s.idle.Reset(left)
		t.mu.Unlock()
		return
	}
	t.drop(s)
	t.mu.Unlock()
	s.end()
}

// end ends all sessions when the handler has ended. They stay in the table, so that later requests
// are rejected because the server has ended, not because the session is unknown.
func (t *sessions) end() {
	t.mu.Lock()
	all := slices.Collect(maps.Values(t.byID))
	t.mu.Unlock()
	for _, s := range all {
		s.end()
	}
}

// add makes the stream of a response resumable, unless the session is closed.
func (s *session) add(n *response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count < 0 {
		return
	}
	s.count++
	n.id = strconv.Itoa(s.count)
	s.streams = append(s.streams, n)
	if len(s.streams) > maxStreams {
		s.h.history.remove(s.streams[0])
		s.streams = slices.Delete(s.streams, 0, 1)
	}
}

// find returns the stream with the id, or nil.
func (s *session) find(id string) *response {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stream := range append(s.streams, &s.own) {
		if stream.id == id {
			return stream
		}
	}
	return nil
}

// listen handles GET, which opens the standalone stream or resumes another one.
func (h *Handler) listen(w http.ResponseWriter, r *http.Request, caller handler.Caller, id string) {
	if _, stream := accepts(r.Header); !stream {
		refuse(w, http.StatusNotAcceptable, rpc.BadRequest(`the Accept header must allow "`+typeStream+`"`))
		return
	}
	s := h.sessions.enter(id, caller)
	if s == nil {
		refuse(w, http.StatusNotFound, rpc.BadRequest(noSession))
		return
	}
	defer h.sessions.release(s)
	done, _ := markBusy(r)
	defer done()
	to := &sink{w: w, gone: make(chan struct{})}
	to.streams()
	stream, from := &s.own, -1
	if last := r.Header.Get(headerLastEvent); last != "" {
		name, number, _ := strings.Cut(last, "_")
		stream = nil
		if n, err := strconv.ParseUint(number, 10, 30); err == nil {
			stream, from = s.find(name), int(n)+1
		}
	}
	if stream == nil || !stream.resume(to, from) {
		refuse(w, http.StatusBadRequest, rpc.BadRequest("the event in Last-Event-ID is no longer available"))
		return
	}
	defer stream.disconnect(to)
	if stream == &s.own {
		s.engine.Connected()
	}
	beats := time.Tick(h.KeepAlive)
	for {
		select {
		case <-r.Context().Done():
			return
		case <-h.ctx.Done():
			return
		case <-to.gone:
			return
		case <-beats:
			stream.keepAlive()
		}
	}
}
