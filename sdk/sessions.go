package sdk

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// Bounds of the sessions of HTTP.
const (
	// mostSessions is how many are open at once; a client may open more than it closes.
	mostSessions = 1000
	// sessionIdle is how long one is kept of which nothing is heard.
	sessionIdle = 30 * time.Minute
	// mostOpening is how long a request may be that opens one, in bytes.
	mostOpening = 64 << 10
)

// sessionless is the first version of MCP whose requests need no session to be
// answered with a question (MCP 2026-07-28, Versioning).
const sessionless = "2026-07-28"

// sessions is what answers MCP's streamable HTTP: a client of an older version that
// opens a session has one, without which it could not be asked; all others are
// answered request by request.
type sessions struct {
	with, without http.Handler
	open          func() int
}

func (s sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Header.Get("MCP-Protocol-Version") >= sessionless:
		s.without.ServeHTTP(w, r)
	case r.Header.Get("Mcp-Session-Id") != "":
		s.with.ServeHTTP(w, r)
	case r.Method != http.MethodPost || !opens(r):
		s.without.ServeHTTP(w, r)
	case s.open() >= mostSessions:
		w.Header().Set("Retry-After", "60")
		http.Error(w, "too many sessions are open", http.StatusServiceUnavailable)
	default:
		s.with.ServeHTTP(w, r)
	}
}

// opens reports whether a request opens a session, and leaves its body to be read.
func opens(r *http.Request) bool {
	head, err := io.ReadAll(io.LimitReader(r.Body, mostOpening+1))
	rest := []io.Reader{bytes.NewReader(head)}
	if err == nil {
		rest = append(rest, r.Body)
	} else {
		rest = append(rest, failing{err})
	}
	r.Body = body{io.MultiReader(rest...), r.Body}
	var message struct{ Method string }
	return len(head) <= mostOpening && json.Unmarshal(head, &message) == nil && message.Method == "initialize"
}

// A body is read from one place and closed at another.
type body struct {
	io.Reader
	io.Closer
}

// failing repeats an error that came while reading ahead.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
