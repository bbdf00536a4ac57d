package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/rs/cors"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/internal/streamable"
)

// HTTPOptions configures [Server.Handler]. The zero value accepts requests from every client that can
// reach the handler, but not from web pages.
type HTTPOptions struct {
	// Stateless disables sessions, so that any of several processes can answer a request. The
	// server then cannot ask questions of clients that use older versions of MCP, and clients cannot
	// subscribe to resources, because a process does not know the changes that another one sees.
	Stateless bool
	// Hosts are the host names, without ports, that requests may use for the server, in addition to
	// loopback names on the loopback interface. On other interfaces, an empty list permits every name.
	Hosts []string
	// Origins are the origins of web pages that may call the server, such as "https://app.example.com".
	Origins []string
	// Path is the path under which the program serves the handler, such as "/mcp". Requests can then narrow what
	// the server offers with what follows it: /readonly, /x/TOOLSETS or /x/TOOLSETS/readonly. Without it, all paths
	// are alike.
	Path string
	// Token is the bearer token that callers must send; if it is "", they need no token.
	Token string
	// Auth authenticates callers by their own tokens, in place of Token.
	Auth *Auth
	// Headers are names of headers that handlers receive (see [tool.Caller]).
	Headers []string
	// Principal returns the authenticated caller, who owns sessions and the state of calls, or ""
	// if unknown. If nil, all callers with the Token are one principal, and other callers are unknown.
	Principal func(*http.Request) string
}

func (h HTTPOptions) check() error {
	if h.Auth != nil && (h.Token != "" || h.Principal != nil) {
		return errors.New("sdk.HTTPOptions.Auth cannot be combined with Token and Principal")
	}
	if err := h.Auth.check(); err != nil {
		return err
	}
	for _, name := range h.Hosts {
		if name == "" || net.ParseIP(name) == nil && strings.ContainsAny(name, "/:[] ") {
			return fmt.Errorf("host %q must be a name without a port, such as tools.example.com", name)
		}
	}
	for _, origin := range h.Origins {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || u.Scheme+"://"+u.Host != origin {
			return fmt.Errorf("origin %q must consist of a scheme, a host and optionally a port, such as https://app.example.com", origin)
		}
	}
	return nil
}

// Handler returns an http.Handler that serves MCP under any path, for programs with their own mux, TLS and
// middleware. When ctx is done, it rejects new requests and responds to pending ones within one and a half
// seconds; the program then shuts down its [http.Server]. If an option is invalid, the error names it.
//
// What callers set in _meta is used only if [Options.TrustHTTP] is set. The handler limits request
// bodies, responses and sessions. The program must limit the time for reading headers (see
// [http.Server.ReadHeaderTimeout]) and the number of connections.
func (s *Server) Handler(ctx context.Context, o Options, h HTTPOptions) (http.Handler, error) {
	if s.broken != nil {
		return nil, s.broken
	}
	if h.Principal != nil || h.Token == "" && h.Auth == nil {
		h.Principal = warnOfUnknown(cmp.Or(o.Log, s.log.Load()), h.Principal)
	}
	_, front, err := s.handler(ctx, o, h)
	return front, err
}

// warnOfUnknown returns a function that calls principal, and warns once if a caller has credentials but is
// unknown. If principal is nil, all callers are unknown.
func warnOfUnknown(log *slog.Logger, principal func(*http.Request) string) func(*http.Request) string {
	warn := sync.OnceFunc(func() {
		log.Warn("callers send credentials, but the server cannot distinguish them; set sdk.HTTPOptions.Principal to a function that identifies the caller")
	})
	return func(r *http.Request) string {
		caller := ""
		if principal != nil {
			caller = principal(r)
		}
		if caller == "" && r.Header.Get("Authorization") != "" {
			warn()
		}
		return caller
	}
}

// handler returns the transport's handler, and the handler to serve, which wraps it.
func (s *Server) handler(ctx context.Context, o Options, h HTTPOptions) (*streamable.Handler, http.Handler, error) {
	if err := h.check(); err != nil {
		return nil, nil, err
	}
	e, err := s.engine(o, true, h.Stateless || o.StateKeys != "")
	if err != nil {
		return nil, nil, err
	}
	door := &admission{HTTPOptions: h, server: s}
	so := streamable.Options{
		Stateless: h.Stateless, Hosts: h.Hosts, Origins: h.Origins, Token: h.Token,
		Admit: door.caller, Guard: door.guard, Below: func(path string) bool { _, ok := facePath(path); return ok },
	}
	if h.Auth != nil {
		so.WellKnown = door.metadata
		so.Challenge = func(r *http.Request, scopes []string) string {
			return door.challenge(r, "insufficient_scope", "The request needs more scopes.", scopes)
		}
	}
	own := streamable.New(ctx, e, so)
	var front http.Handler = own
	if len(h.Origins) > 0 {
		front = cors.New(cors.Options{
			AllowedOrigins: h.Origins,
			AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodDelete},
			AllowedHeaders: []string{"*"}, // headers for tool arguments have arbitrary names
			ExposedHeaders: []string{"Mcp-Session-Id", "Www-Authenticate", "Retry-After"},
			MaxAge:         int((10 * time.Minute).Seconds()),
		}).Handler(front)
	}
	return own, front, nil
}

type httpSettings struct {
	HTTPOptions
	network, addr string // as in package net; addr is "" for stdio
	tokenFile     string
	trust         bool
	grace         time.Duration // the time from the end of readiness to the drain
}

// withGrace returns a context that is done when ctx has been done for the given time.
func withGrace(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	if grace <= 0 {
		return context.WithCancel(ctx)
	}
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return late, cancel
}

// resolve checks the flags, reads the token, and splits the value of --http into network and addr.
func (h *httpSettings) resolve() error {
	if h.addr == "" {
		if h.Auth != nil {
			return errors.New("the flags and variables that start with auth require --http")
		}
		for _, flag := range []struct {
			name string
			set  bool
		}{
			{"token-file", h.tokenFile != ""},
			{"host", len(h.Hosts) > 0},
			{"origin", len(h.Origins) > 0},
			{"stateless", h.Stateless},
			{"trust-caller", h.trust},
			{"drain-grace", h.grace != 0},
		} {
			if flag.set {
				return fmt.Errorf("--http-%s requires --http", flag.name)
			}
		}
		return nil
	}
	if h.Auth != nil && h.tokenFile != "" {
		return errors.New("--http-token-file cannot be combined with flags of package auth")
	}
	if err := h.check(); err != nil {
		return fmt.Errorf("--http-%w", err)
	}
	if h.grace < 0 {
		return fmt.Errorf("invalid --http-drain-grace %s: must be positive, e.g. 10s", h.grace)
	}
	if path, ok := strings.CutPrefix(h.addr, "unix:"); ok {
		if path == "" {
			return fmt.Errorf("invalid --http %q: must contain the path of a socket, such as unix:/run/notes.sock", h.addr)
		}
		h.network, h.addr = "unix", path
	} else {
		host, port, err := net.SplitHostPort(h.addr)
		if err != nil {
			return fmt.Errorf("invalid --http %q: must be HOST:PORT, such as 127.0.0.1:8080, or unix:PATH", h.addr)
		}
		if host == "" {
			host = "127.0.0.1"
		}
		if h.tokenFile == "" && h.Auth == nil && !streamable.IsLoopback(host) {
			return fmt.Errorf("--http %q is not a loopback address: anyone on the network could call the tools; add --http-token-file FILE", h.addr)
		}
		h.network, h.addr = "tcp", net.JoinHostPort(host, port)
	}
	return h.readToken()
}

func (h *httpSettings) readToken() error {
	if h.tokenFile == "" {
		return nil
	}
	const least, most = 16, 4096
	var data []byte
	f, err := os.Open(h.tokenFile)
	if err == nil {
		defer f.Close()
		data, err = io.ReadAll(io.LimitReader(f, most+1))
	}
	if err != nil {
		return fmt.Errorf("--http-token-file: %w", err)
	}
	h.Token = strings.TrimSpace(string(rawjson.NoMark(data)))
	if len(h.Token) < least || len(data) > most || strings.ContainsAny(h.Token, " \t\r\n") {
		return fmt.Errorf("--http-token-file %q: the file must contain one word of %d to %d characters", h.tokenFile, least, most)
	}
	return nil
}

// Route adds a handler for a path beside that of MCP, such as /metrics, to a server that [Server.Run] serves over HTTP.
// It must be called before Run. Unless the route is public, requests need one of the host names of the server and, if
// callers of MCP need a token, such a token. A later route replaces an earlier one.
func (s *Server) Route(path string, public bool, h http.Handler) {
	if s.routes == nil {
		s.routes = map[string]streamable.Route{}
	}
	s.routes[path] = streamable.Route{Handler: h, Public: public}
}

// mcpPath is the path of MCP in a server that [Server.Run] serves over HTTP.
const mcpPath = "/mcp"

// serveHTTP serves until ctx is done. It reports that it is not ready as soon as ready is done.
func (s *Server) serveHTTP(ctx, ready context.Context, o Options, h httpSettings) error {
	const path = mcpPath
	h.Path = path
	own, front, err := s.handler(ctx, o, h.HTTPOptions)
	if err != nil {
		return err
	}
	l, err := h.listen(ctx)
	if err != nil {
		return fmt.Errorf("serving HTTP: %w", err)
	}
	where := []any{"url", "http://" + l.Addr().String() + path}
	if h.network == "unix" {
		where = []any{"socket", h.addr, "path", path}
	}
	s.log.Load().Info("serving MCP over HTTP", where...)
	defer context.AfterFunc(ready, own.Unready)()
	return own.Serve(l, path, front, s.routes)
}

// listen returns the listener. It replaces a socket that another process left behind.
func (h httpSettings) listen(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	if h.network != "unix" {
		return config.Listen(ctx, h.network, h.addr)
	}
	if info, err := os.Lstat(h.addr); err == nil && info.Mode().Type() == os.ModeSocket {
		if conn, err := net.Dial("unix", h.addr); err == nil {
			_ = conn.Close() // the connection only tests whether a process is listening
			return nil, fmt.Errorf("another process is already listening on %s", h.addr)
		}
		if err := os.Remove(h.addr); err != nil {
			return nil, err
		}
	}
	l, err := config.Listen(ctx, "unix", h.addr)
	if err != nil {
		return nil, err
	}
	// Processes of the same group may connect, because a proxy often runs as another user.
	if err := os.Chmod(h.addr, 0o660); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
