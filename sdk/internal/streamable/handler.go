// Package streamable implements MCP's Streamable HTTP transport.
//
// A request is answered with JSON, or with a stream of events if messages precede the result or
// the request takes several seconds. Clients of versions up to 2025-11-25 have sessions, and
// can resume a stream after their connection is lost.
package streamable

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Options configures a [Handler].
type Options struct {
	// Stateless disables sessions.
	Stateless bool
	// Hosts are the host names that requests may use for the server, in addition to loopback
	// names. If empty, a server on another interface accepts every name.
	Hosts []string
	// Origins are the origins whose pages may call the server, in addition to its own.
	Origins []string
	// Token is the bearer token that every request must have; "" means that no token is required.
	Token string
	// Admit returns the caller of a request, or the reason to refuse the request. The principal is that of the token,
	// or "". If Admit is nil, the principal is the subject.
	Admit func(r *http.Request, principal string) (handler.Caller, *Denial)
	// Guard returns the reason to refuse a request for a route that is not public, or nil. If Guard is nil, Admit
	// decides.
	Guard func(*http.Request) *Denial
	// Challenge returns the WWW-Authenticate header for a request whose caller lacks one of the scopes. It may be nil.
	Challenge func(r *http.Request, scopes []string) string
	// WellKnown answers a request for a path outside of the server's, and reports whether it did; nil answers none.
	WellKnown func(w http.ResponseWriter, r *http.Request) bool
	// Below reports whether the path of a URL, without the path of the server in front, belongs to the server; nil
	// means that none does. A slash does.
	Below func(path string) bool
	// StreamAfter is the time after which a response becomes a stream; 0 means 5 seconds.
	// KeepAlive is the interval between comments on an idle stream; 0 means 15 seconds.
	StreamAfter, KeepAlive time.Duration

	shareFrom int // 0 means defaultShareFrom
}

// A Handler serves HTTP requests.
type Handler struct {
	Options
	ctx      context.Context // the handler shuts down when ctx ends
	engine   *engine.Engine
	token    [sha256.Size]byte // the digest of Token
	name     string            // the principal of the token, or ""
	sessions sessions
	history  history
	unready  atomic.Bool // see Unready
	freeing  atomic.Bool // memory is about to be returned to the system
	keepers  sync.Pool   // *keeper values with stopped timers
	workers  *engine.Workers
	drained  context.Context // done after the end of ctx, when all pending answers have been sent
}

// New returns a handler. When ctx is done, the handler rejects new requests, ends standalone streams and
// responds to the pending requests.
func New(ctx context.Context, e *engine.Engine, o Options) *Handler {
	drained, end := context.WithCancel(context.Background())
	h := &Handler{Options: o, ctx: ctx, engine: e, drained: drained, workers: engine.NewWorkers(drained.Done())}
	h.sessions.limit, h.sessions.byID = maxSessions, make(map[string]*session)
	h.keepers.New = func() any {
		k := new(keeper)
		k.timer = time.AfterFunc(math.MaxInt64, func() {
			if x := k.of.Load(); x != nil {
				x.keepAlive()
			}
		})
		return k
	}
	h.StreamAfter = cmp.Or(o.StreamAfter, 5*time.Second)
	h.KeepAlive = cmp.Or(o.KeepAlive, 15*time.Second)
	if o.Token != "" {
		h.token = sha256.Sum256([]byte(o.Token))
		h.name = "token " + hex.EncodeToString(h.token[:8])
	}
	h.shareFrom = cmp.Or(o.shareFrom, defaultShareFrom)
	context.AfterFunc(ctx, func() {
		e.Drain(engine.DrainTime, nil)
		end()
		h.sessions.end()
	})
	return h
}

// Headers of the transport, in the spelling of net/http.
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
	if h.WellKnown != nil && h.WellKnown(w, r) {
		return
	}
	if !h.admits(w, r) {
		return
	}
	caller := handler.Caller{Subject: h.name}
	if h.Admit != nil {
		var denied *Denial
		if caller, denied = h.Admit(r, h.name); denied != nil {
			denied.answer(w)
			return
		}
	}
	// In versions without sessions, a session id in the request has no meaning.
	id, allow, version := r.Header.Get(headerSession), "GET, POST, DELETE", r.Header.Get(headerVersion)
	if h.Stateless || wires.Stateless.In(version) {
		id, allow = "", "POST"
	}
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r, caller, id)
	case version != "" && !wires.Speaks(version):
		refuse(w, http.StatusBadRequest, wires.Unsupported(version))
	case r.Method == http.MethodGet && id != "":
		h.listen(w, r, caller, id)
	case r.Method == http.MethodDelete && id != "":
		s := h.sessions.enter(id, caller)
		if s == nil {
			refuse(w, http.StatusNotFound, rpc.BadRequest(noSession))
			return
		}
		h.sessions.close(s)
		answerEmpty(w, http.StatusNoContent)
	default:
		w.Header().Set("Allow", allow)
		reason := r.Method + " is not allowed here"
		if r.Method == http.MethodGet || r.Method == http.MethodDelete {
			reason += " without a session"
		}
		refuse(w, http.StatusMethodNotAllowed, rpc.BadRequest(reason))
	}
}

// probe answers a probe: 200, or 503 if the server does not accept new requests. It needs no token, because
// it says nothing else.
func (h *Handler) probe(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, rpc.BadRequest(r.Method+" is not allowed here"))
	case r.URL.Path == "/readyz" && (h.unready.Load() || h.ctx.Err() != nil):
		answerEmpty(w, http.StatusServiceUnavailable)
	default:
		answerEmpty(w, http.StatusOK)
	}
}

// refuse answers a request with an error status and a JSON-RPC error as the body.
func refuse(w http.ResponseWriter, status int, err *rpc.Error) {
	answerJSON(w, status, &rpc.Answer{Error: err})
}

func answerJSON(w http.ResponseWriter, status int, a *rpc.Answer) {
	w.Header()["Content-Type"] = contentJSON
	answerEmpty(w, status)
	_, _ = w.Write(encodeAnswer(a)) // the client may have disconnected
}

func encodeAnswer(a *rpc.Answer) []byte {
	out := rpc.NewWriter(nil)
	defer out.Free()
	_ = a.Encode(out) // encoding errors become an error response
	data, _ := out.Held()
	return bytes.Clone(data)
}

// answerEmpty sends a status. The deadline frees the connection of a client that does not read.
func answerEmpty(w http.ResponseWriter, status int) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(stalled)) // not every ResponseWriter has deadlines
	w.WriteHeader(status)
}

var contentJSON = []string{"application/json"}

// noSession is the message for a session that does not exist or belongs to another caller.
const noSession = "unknown session; open a new session with initialize"

// Serve serves the connections of l until the context of h is done. It passes requests for the path, with or
// without a slash at the end, and for paths below that belong to the server, to front, which is h or wraps h. It
// serves the routes, by path, and answers the probes of orchestrators itself. Serve returns soon after a drain of one
// and a half seconds.
func (h *Handler) Serve(l net.Listener, path string, front http.Handler, routes map[string]Route) error {
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			route, special := routes[r.URL.Path]
			below, ok := strings.CutPrefix(r.URL.Path, path)
			switch {
			case special:
				h.serveRoute(w, r, route)
			case ok && (below == "" || below == "/" || h.Below != nil && h.Below(below)):
				front.ServeHTTP(w, r)
			case r.URL.Path == "/livez" || r.URL.Path == "/readyz":
				h.probe(w, r)
			case h.WellKnown != nil && h.WellKnown(w, r):
			default:
				refuse(w, http.StatusNotFound, rpc.BadRequest("unknown path; use "+path))
			}
		}),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ConnContext:       connContext,
		ErrorLog:          slog.NewLogLogger(h.engine.Log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(&conns{Listener: l, limit: maxConns(), shareFrom: h.shareFrom}) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving HTTP: %w", err)
	case <-h.ctx.Done():
	}
	err := server.Shutdown(h.drained)
	<-h.drained.Done()
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("shutting down the HTTP server: %w", err)
	}
	return server.Close()
}
