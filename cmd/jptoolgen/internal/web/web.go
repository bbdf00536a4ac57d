// Package web is a page to browse a server's contract and to try its tools.
//
// It is served to this machine alone: on loopback, to requests that carry a token and
// name the address that is served. The page is one file, and loads nothing from
// anywhere.
package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

//go:embed page.html
var page []byte

// A Console is what the page shows and does.
type Console struct {
	// Surface is the contract as JSON, as inspect --format json prints it.
	Surface json.RawMessage
	// Call calls a tool and returns the result as JSON. It may be called at once.
	Call func(ctx context.Context, r Request, h Hooks) (json.RawMessage, error)
}

// A Request is a call that somebody made on the page.
type Request struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Options   json.RawMessage `json:"options,omitempty"`
}

// Hooks are how a call reaches the page while it runs.
type Hooks struct {
	// Ask puts a question to the person at the page.
	Ask func(ctx context.Context, q Question) (Reply, error)
	// Progress reports how far the call has come.
	Progress func(done, total float64, message string)
}

// A Question is a form to be filled in.
type Question struct {
	Key     string          `json:"key"`
	Message string          `json:"message"`
	Schema  json.RawMessage `json:"schema"`
}

// A Reply is what became of a question: accept, decline or cancel, and the form.
type Reply struct {
	Action  string          `json:"action"`
	Content json.RawMessage `json:"content,omitempty"`
}

// Limits of what a browser may send.
const (
	maxBody  = 4 << 20
	maxCalls = 8
)

// A Server serves a console.
type Server struct {
	console Console
	token   string
	hosts   map[string]bool
	policy  string
	calls   *calls
}

// New returns a server for a console that listens at addr, which must be loopback.
func New(c Console, addr net.Addr) (*Server, error) {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return nil, fmt.Errorf("the page is served to this machine alone, and %s is more", addr)
	}
	secret := make([]byte, 18)
	_, _ = rand.Read(secret) // never fails (crypto/rand)
	s := &Server{
		console: c,
		token:   base64.RawURLEncoding.EncodeToString(secret),
		hosts:   map[string]bool{tcp.String(): true, fmt.Sprintf("localhost:%d", tcp.Port): true},
		calls:   newCalls(),
	}
	s.policy = "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:; script-src " +
		digest("script") + "; style-src " + digest("style")
	return s, nil
}

// digest is the CSP source of the one element of that name in the page.
func digest(element string) string {
	_, rest, _ := strings.Cut(string(page), "<"+element+">")
	body, _, _ := strings.Cut(rest, "</"+element+">")
	sum := sha256.Sum256([]byte(body))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Path is what follows the address in the URL of the page. The token stands behind the
// #, which browsers keep to themselves.
func (s *Server) Path() string { return "/#" + s.token }

// Serve serves the page until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-ctx.Done()
		_ = server.Close() // what runs is canceled by ctx
	}()
	err := server.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		<-ended
		return nil
	}
	return err
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // the browser is gone
	})
	mux.HandleFunc("GET /api/surface", s.trusted(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(s.console.Surface) // the browser is gone
	}))
	mux.HandleFunc("POST /api/call", s.trusted(s.call))
	mux.HandleFunc("POST /api/answer", s.trusted(s.answer))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", s.policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if !s.hosts[r.Host] { // a name that somebody has pointed to this machine
			http.Error(w, "this page is served under another name", http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// trusted lets requests through that carry the token.
func (s *Server) trusted(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
			http.Error(w, "open the page by the address that was printed", http.StatusUnauthorized)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next(w, r)
	}
}
