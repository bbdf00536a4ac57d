// Package web serves a page to browse a server's contract and to try its tools.
//
// The page is available only on this machine: the server listens on the loopback interface, and accepts only
// requests with a token and with its own address in the Host header. The page is a single file and loads nothing
// from other servers.
package web

import (
	"bytes"
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

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/internal/phrase"
)

//go:embed page.html
var page []byte

// A Console provides the content of the page.
type Console struct {
	// Server is the name of the server.
	Server string
	// Surface is the result of the function [Surface].
	Surface json.RawMessage
	// Call calls a tool. It may be called concurrently.
	Call func(ctx context.Context, r Request, h Hooks) (Result, error)
}

// A Request is a call that was requested on the page.
type Request struct {
	// Kind is "resource" or "prompt", or "" for a tool. Tool is the name of the tool or the prompt, or the URI or the URI
	// template of the resource.
	Kind      string          `json:"kind,omitempty"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Options   json.RawMessage `json:"options,omitempty"`
	Wire      string          `json:"wire,omitempty"`
}

// A Result is the result of a call, as JSON.
type Result struct {
	Value  json.RawMessage
	Failed bool
}

// Hooks connect a running call with the page.
type Hooks struct {
	// Ask shows a question on the page and returns the answer.
	Ask caller.Ask
	// Progress reports the progress of the call.
	Progress func(done, total float64, message string)
	// Log shows a log record.
	Log func(text string)
	// Line sets the command line that repeats the call.
	Line func(text string)
}

// Limits for requests from a browser.
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

// New returns a server for a console that listens at addr, which must be a loopback address.
func New(c Console, addr net.Addr) (*Server, error) {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return nil, fmt.Errorf("%s is not a loopback address, and the page is available only on this machine; use --web=127.0.0.1:PORT", addr)
	}
	if c.Surface != nil {
		var err error
		if c.Surface, err = markHidden(c.Surface); err != nil {
			return nil, err
		}
	}
	s := &Server{
		console: c,
		token:   rand.Text(),
		hosts:   map[string]bool{tcp.String(): true, fmt.Sprintf("localhost:%d", tcp.Port): true},
		calls:   &calls{slots: make(chan struct{}, maxCalls), waiting: map[string]chan reply{}},
	}
	s.policy = "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:; script-src " +
		digest("script") + "; style-src " + digest("style")
	return s, nil
}

// digest returns the CSP source for the only element of the page with the given tag name.
func digest(element string) string {
	_, rest, _ := strings.Cut(string(page), "<"+element+">")
	body, _, _ := strings.Cut(rest, "</"+element+">")
	sum := sha256.Sum256([]byte(body))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Path returns the path and fragment of the page's URL. The fragment holds the token, because browsers do not
// send fragments.
func (s *Server) Path() string { return "/#" + s.token }

// Serve serves the page until ctx is done.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // ctx has canceled the running calls
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // the browser may have disconnected
	})
	mux.HandleFunc("GET /api/surface", s.requireToken(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(s.console.Surface) // the browser may have disconnected
	}))
	mux.HandleFunc("POST /api/call", s.requireToken(s.call))
	mux.HandleFunc("POST /api/answer", s.requireToken(s.answer))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", s.policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if !s.hosts[r.Host] && !s.hosts[r.Host+":80"] { // another host name that resolves to this machine
			http.Error(w, "unknown host name; open the URL that jptoolgen printed", http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// requireToken forwards requests that contain the token, and rejects all others.
func (s *Server) requireToken(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
			http.Error(w, "missing or wrong token: open the URL that jptoolgen printed", http.StatusUnauthorized)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next(w, r)
	}
}

// For each character that [phrase.Visible] escapes, the page gets the character's number in hexadecimal between
// these two private-use characters. It shows the number as an escape, and sends the original character back.
const (
	markStart = "\ue000"
	markEnd   = "\ue001"
)

func mark(r rune) string { return fmt.Sprintf("%s%x%s", markStart, r, markEnd) }

// markHidden marks the hidden characters in all strings of JSON text.
func markHidden(text []byte) ([]byte, error) {
	var out bytes.Buffer
	options := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	d, e := jsontext.NewDecoder(bytes.NewReader(text), options...), jsontext.NewEncoder(&out, options...)
	for {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		if token.Kind() == '"' {
			// Marks in the server's own text are escaped, too, because they are private-use characters.
			token = jsontext.String(phrase.Escape(strings.ToValidUTF8(token.String(), "\ufffd"), mark))
		}
		if err := e.WriteToken(token); err != nil {
			return nil, err
		}
		if d.StackDepth() == 0 {
			return bytes.TrimSpace(out.Bytes()), nil
		}
	}
}
