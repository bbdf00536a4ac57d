// Package streamable carries MCP's messages over HTTP: the transport "Streamable HTTP".
//
// A request is answered by JSON, and by a stream of events where something is to be said
// before its result, or where that takes seconds. Clients of versions to 2025-11-25 have
// sessions, to which they can come back when a connection breaks.
package streamable

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// Options is how a [Handler] serves.
type Options struct {
	// Stateless says that no client has a session.
	Stateless bool
	// Hosts are names by which requests may address the server, beside those of the
	// loopback interface. With none a server on another interface takes any.
	Hosts []string
	// Origins are those of the pages that may call beside the server's own.
	Origins []string
	// Principal returns who sends a request; nil says "" of everybody.
	Principal func(*http.Request) string
	// StreamAfter is how long a request runs before its answer becomes a stream; 0 is 5
	// seconds. KeepAlive is how often a silent stream says that it lives; 0 is 15 seconds.
	StreamAfter, KeepAlive time.Duration
	// Log receives what the handler has to say; nil is the default logger.
	Log *slog.Logger
}

// A Handler answers the requests of HTTP.
type Handler struct {
	Options
	engine   *engine.Engine
	sessions *sessions
	history  history
	waste    waste
	keepers  sync.Pool // of *keeper, whose timers are stopped
	crew     crew
	ending   chan struct{} // closed when streams that belong to no request are to end
	drained  chan struct{} // closed when what is owed has been answered, after that
}

// drain is how long the end of a handler waits for answers that are owed. After two thirds
// of it calls are canceled.
const drain = 1500 * time.Millisecond

// New returns a handler. When ctx ends, it takes nothing more, ends streams that belong to
// no request, and answers what it owes.
func New(ctx context.Context, e *engine.Engine, o Options) *Handler {
	h := &Handler{Options: o, engine: e, sessions: newSessions(), ending: make(chan struct{}), drained: make(chan struct{})}
	h.crew = crew{work: make(chan job), over: h.drained}
	h.StreamAfter = cmp.Or(o.StreamAfter, 5*time.Second)
	h.KeepAlive = cmp.Or(o.KeepAlive, 15*time.Second)
	if h.Log == nil {
		h.Log = slog.Default()
	}
	context.AfterFunc(ctx, func() {
		close(h.ending)
		e.Drain(drain, nil)
		close(h.drained)
	})
	return h
}

// The headers of the transport, as net/http writes them.
const (
	headerVersion   = "Mcp-Protocol-Version"
	headerSession   = "Mcp-Session-Id"
	headerMethod    = "Mcp-Method"
	headerName      = "Mcp-Name"
	headerParam     = "Mcp-Param-"
	headerLastEvent = "Last-Event-Id"
)

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if reason := h.stranger(r); reason != "" {
		refuse(w, http.StatusForbidden, &engine.Error{Code: engine.CodeInvalidRequest, Message: "invalid request: " + reason})
		return
	}
	// Requests of versions without sessions are answered one by one, whatever they say of
	// one.
	id := r.Header.Get(headerSession)
	if h.Stateless || r.Header.Get(headerVersion) >= engine.Rounds {
		id = ""
	}
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r, id)
	case r.Method == http.MethodGet && id != "":
		h.listen(w, r, id)
	case r.Method == http.MethodDelete && id != "":
		h.end(w, r, id)
	default:
		allow := "POST"
		if !h.Stateless && r.Header.Get(headerVersion) < engine.Rounds {
			allow = "GET, POST, DELETE"
		}
		w.Header().Set("Allow", allow)
		reason := r.Method + " is not allowed here"
		if r.Method == http.MethodGet || r.Method == http.MethodDelete {
			reason += " without a session"
		}
		refuse(w, http.StatusMethodNotAllowed, badRequest(reason))
	}
}

// principal returns who sends a request.
func (h *Handler) principal(r *http.Request) string {
	if h.Principal == nil {
		return ""
	}
	return h.Principal(r)
}

func badRequest(message string) *engine.Error {
	return &engine.Error{Code: engine.CodeInvalidRequest, Message: "invalid request: " + message}
}

// refuse answers a request that is none of a client's. What is wrong stands in the body, as
// the error of JSON-RPC that it is.
func refuse(w http.ResponseWriter, status int, err *engine.Error) {
	answerJSON(w, status, &engine.Answer{Error: err})
}

// answerJSON answers by a short message.
func answerJSON(w http.ResponseWriter, status int, a *engine.Answer) {
	out := engine.NewWriter(nil)
	defer out.Free()
	_ = a.Encode(out) // which keeps what it cannot encode to itself
	data, _ := out.Held()
	w.Header()["Content-Type"] = contentJSON
	answerEmpty(w, status)
	_, _ = w.Write(data) // to one who may be gone
}

// answerEmpty answers by a status. A client that does not read it does not keep the
// connection for longer than any other.
func answerEmpty(w http.ResponseWriter, status int) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(stalled)) // not everybody has deadlines
	w.WriteHeader(status)
}

var contentJSON = []string{"application/json"}

// end answers DELETE, by which a client closes its session. What runs is canceled.
func (h *Handler) end(w http.ResponseWriter, r *http.Request, id string) {
	s := h.sessions.enter(id, h.principal(r))
	if s == nil {
		refuse(w, http.StatusNotFound, badRequest(noSession))
		return
	}
	h.close(s)
	answerEmpty(w, http.StatusNoContent)
}

// noSession is said of a session that is not open, or another's.
const noSession = "there is no such session; open one by initialize"
