package sdk

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/rs/cors"

	"github.com/jptool/jptool/sdk/internal/streamable"
)

// HTTPOptions configures [Server.Handler]. The zero value serves everyone who can reach the
// handler, except web pages.
type HTTPOptions struct {
	// Stateless disables sessions, so that any of several processes can answer a request. The
	// server then cannot ask questions of clients that use older versions of MCP.
	Stateless bool
	// Hosts are the host names, without ports, that requests may use for the server. On the
	// loopback interface, loopback names are always permitted and others must be listed. On
	// other interfaces every name is permitted if the list is empty.
	Hosts []string
	// Origins are the origins of web pages that may call the server, such as
	// "https://app.example.com".
	Origins []string
	// Token is the bearer token that callers must send. Leave it empty if the program
	// authenticates callers itself, or if anyone may call.
	Token string
	// Principal returns the authenticated caller, who owns sessions and the state of calls, or
	// "" if unknown. If Principal is nil, the caller is the user of [auth.TokenInfo], which
	// go-sdk's token check stores in the request's context.
	Principal func(*http.Request) string
}

// check returns an error that describes an invalid option.
func (h HTTPOptions) check() error {
	for _, name := range h.Hosts {
		if name == "" || net.ParseIP(name) == nil && strings.ContainsAny(name, "/:[] ") {
			return fmt.Errorf("invalid host %q: must be a name without a port, such as tools.example.com", name)
		}
	}
	for _, origin := range h.Origins {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || u.Scheme+"://"+u.Host != origin {
			return fmt.Errorf("invalid origin %q: must consist of a scheme, a host and optionally a port, such as https://app.example.com", origin)
		}
	}
	return nil
}

// Handler returns an http.Handler that serves MCP under any path, for programs with their own
// mux, TLS and middleware. When ctx is done it rejects new requests and responds to pending ones
// within one and a half seconds; the program then shuts down its [http.Server].
//
// Callers are not trusted: what they set in _meta is used only if [Options.TrustHTTP] is set. The
// handler limits request bodies, responses and sessions itself. The program must limit the time for
// reading headers (see [http.Server.ReadHeaderTimeout]) and the number of connections. If an option
// is invalid, the error names it.
func (s *Server) Handler(ctx context.Context, o Options, h HTTPOptions) (http.Handler, error) {
	if s.broken != nil {
		return nil, s.broken
	}
	_, front, err := s.handler(ctx, o, h)
	return front, err
}

// handler returns the transport's handler, and the handler to serve, which may wrap it.
func (s *Server) handler(ctx context.Context, o Options, h HTTPOptions) (*streamable.Handler, http.Handler, error) {
	if err := h.check(); err != nil {
		return nil, nil, err
	}
	e, err := s.engine(o, network)
	if err != nil {
		return nil, nil, err
	}
	if h.Principal == nil {
		h.Principal = principal
	}
	own := streamable.New(ctx, e, streamable.Options{
		Stateless: h.Stateless, Hosts: h.Hosts, Origins: h.Origins, Principal: h.Principal,
	})
	var front http.Handler = own
	if h.Token != "" {
		front = challenged(auth.RequireBearerToken(verifier(h.Token), nil), front)
	}
	if len(h.Origins) > 0 {
		front = cors.New(cors.Options{
			AllowedOrigins: h.Origins,
			AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodDelete},
			AllowedHeaders: []string{"*"}, // headers for tool arguments have arbitrary names
			ExposedHeaders: []string{"Mcp-Session-Id", "Www-Authenticate"},
			MaxAge:         int((10 * time.Minute).Seconds()),
		}).Handler(front)
	}
	return own, front, nil
}

// challenged returns h behind a token check. Responses to requests that fail the check have a
// WWW-Authenticate header (RFC 9110, section 11.6.1).
func challenged(check func(http.Handler) http.Handler, h http.Handler) http.Handler {
	const challenge = "Www-Authenticate"
	checked := check(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Del(challenge)
		h.ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(challenge, "Bearer")
		checked.ServeHTTP(w, r)
	})
}

// principal returns the caller that go-sdk's token check identified.
func principal(r *http.Request) string {
	if info := auth.TokenInfoFromContext(r.Context()); info != nil {
		return info.UserID
	}
	return ""
}

// verifier returns a check that accepts only the given secret and compares tokens in constant time.
func verifier(secret string) auth.TokenVerifier {
	want := sha256.Sum256([]byte(secret))
	name := "token " + hex.EncodeToString(want[:8])
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		got := sha256.Sum256([]byte(token))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: name, Expiration: time.Now().Add(time.Hour)}, nil
	}
}
