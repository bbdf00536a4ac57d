// Package bridge serves a stdio server over HTTP, for test suites that support only HTTP.
//
// Messages are forwarded unchanged, except for ids if several clients share a process. This package itself
// implements the requirements of HTTP, such as sessions, status codes and headers, so checks of
// these requirements test this package and not the server.
package bridge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// sessionless is the first version of MCP whose requests need no session.
const sessionless = "2026-07-28"

const (
	keyVersion    = "io.modelcontextprotocol/protocolVersion"
	headerVersion = "MCP-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	// headerMismatch is the error code of a request whose header and body differ.
	headerMismatch = -32020
	maxBody        = 16 << 20
)

// A Handler passes HTTP requests to processes of a command: one process for each session, and one
// for all requests that need no session.
type Handler struct {
	ctx     context.Context
	command []string
	running sync.WaitGroup

	mu       sync.Mutex
	sessions map[string]*child
	shared   *child
}

// New returns a Handler for the command. Its processes end with ctx.
func New(ctx context.Context, command ...string) *Handler {
	return &Handler{ctx: ctx, command: command, sessions: map[string]*child{}}
}

// Wait waits until the context has ended and all processes have exited.
func (h *Handler) Wait() { h.running.Wait() }

// A message holds the parts of a JSON-RPC message that the bridge needs.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Token json.RawMessage            `json:"progressToken"`
		Meta  map[string]json.RawMessage `json:"_meta"`
	} `json:"params"`
	Error *struct {
		Code int `json:"code"`
	} `json:"error"`
}

// version returns the version that the message names, or "" if it names no version.
func (m *message) version() (v string) {
	_ = json.Unmarshal(m.Params.Meta[keyVersion], &v) // a value that is not a string is not a version
	return v
}

// ServeHTTP handles one Streamable HTTP request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !local(r) {
		http.Error(w, "the host or the origin is not local", http.StatusForbidden)
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet, http.MethodDelete:
		c, ok := h.session(w, r)
		switch {
		case !ok:
		case r.Method == http.MethodDelete:
			h.mu.Lock()
			delete(h.sessions, r.Header.Get(headerSession))
			h.mu.Unlock()
			c.end()
			w.WriteHeader(http.StatusNoContent)
		default:
			c.listen(w, r)
		}
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

// local reports whether a request comes from this machine, and not from a page on another site.
func local(r *http.Request) bool {
	loopback := func(host string) bool {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		ip := net.ParseIP(strings.Trim(host, "[]"))
		return host == "localhost" || ip != nil && ip.IsLoopback()
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return loopback(r.Host) && err == nil && (origin.Host == "" || loopback(origin.Host))
}

func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var m message
	if err != nil || json.Unmarshal(body, &m) != nil {
		http.Error(w, "the body is not a JSON-RPC message", http.StatusBadRequest)
		return
	}
	header := r.Header.Get(headerVersion)
	if header >= sessionless || m.version() >= sessionless {
		if v := m.version(); v != "" && v != header {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s and the body differ"}}`, orNull(m.ID), headerMismatch, headerVersion)
			return
		}
		c, err := h.sharedChild()
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		c.exchange(w, r, &m, body)
		return
	}
	var c *child
	if m.Method == "initialize" {
		if c, err = h.start(false); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		id := rand.Text()
		h.mu.Lock()
		h.sessions[id] = c
		h.mu.Unlock()
		w.Header().Set(headerSession, id)
	} else {
		var ok bool
		if c, ok = h.session(w, r); !ok {
			return
		}
	}
	c.exchange(w, r, &m, body)
}

func orNull(id json.RawMessage) string {
	if id == nil {
		return "null"
	}
	return string(id)
}

// session returns the process for the session that the request names. If there is no such session,
// it responds with an error and returns false.
func (h *Handler) session(w http.ResponseWriter, r *http.Request) (*child, bool) {
	id := r.Header.Get(headerSession)
	if id == "" {
		http.Error(w, headerSession+" is missing", http.StatusBadRequest)
		return nil, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	c, ok := h.sessions[id]
	if !ok {
		http.Error(w, "unknown session", http.StatusNotFound)
	}
	return c, ok
}

func (h *Handler) sharedChild() (_ *child, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shared == nil {
		h.shared, err = h.start(true)
	}
	return h.shared, err
}
