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

// HTTPOptions is how [Server.Handler] serves HTTP. Its zero value serves who reaches it,
// and no web page.
type HTTPOptions struct {
	// Stateless gives no client a session, so that any of several processes answers it. Older
	// clients cannot be asked then.
	Stateless bool
	// Hosts are names by which requests may address the server, without a port. On the
	// loopback interface those of that interface are always taken, and no other without this;
	// elsewhere every name is taken if there is none here.
	Hosts []string
	// Origins are those of web pages that may call, such as "https://app.example.com".
	Origins []string
	// Token is the secret that callers must send as bearer token; "" is for a handler that
	// stands behind a check of the program's own, or that everybody may call.
	Token string
	// Principal returns who sends a request, to whom sessions and the state of calls then
	// belong; "" is somebody unknown. With nil it is the user of [auth.TokenInfo], which
	// go-sdk's check of tokens leaves in the context of a request.
	Principal func(*http.Request) string
}

// check returns what is wrong with the options.
func (h HTTPOptions) check() error {
	for _, name := range h.Hosts {
		if name == "" || net.ParseIP(name) == nil && strings.ContainsAny(name, "/:[] ") {
			return fmt.Errorf("host %q: write a name without a port, such as tools.example.com", name)
		}
	}
	for _, origin := range h.Origins {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || u.Scheme+"://"+u.Host != origin {
			return fmt.Errorf("origin %q: write a scheme, a host and perhaps a port, such as https://app.example.com", origin)
		}
	}
	return nil
}

// Handler returns what answers MCP over HTTP, at whatever path it is mounted, so that a
// program serves with a multiplexer, TLS and middleware of its own. When ctx ends, it takes
// nothing more and answers what it owes within one and a half seconds; the program then ends
// its [http.Server].
//
// Callers are strangers: what they say of themselves in _meta is believed with
// [Options.TrustHTTP] alone. Bodies, answers and sessions have bounds and deadlines of the
// handler's own; the time for headers and the number of connections are the program's, by
// [http.Server.ReadHeaderTimeout] and its listener. An error says which option is wrong.
func (s *Server) Handler(ctx context.Context, o Options, h HTTPOptions) (http.Handler, error) {
	if s.broken != nil {
		return nil, s.broken
	}
	_, front, err := s.handler(ctx, o, h)
	return front, err
}

// handler returns what answers HTTP, and what stands in front of it.
func (s *Server) handler(ctx context.Context, o Options, h HTTPOptions) (*streamable.Handler, http.Handler, error) {
	if err := h.check(); err != nil {
		return nil, nil, err
	}
	e, err := s.engine(o, door{network: true, secret: h.Token})
	if err != nil {
		return nil, nil, err
	}
	if h.Principal == nil {
		h.Principal = principal
	}
	own := streamable.New(ctx, e, streamable.Options{
		Stateless: h.Stateless, Hosts: h.Hosts, Origins: h.Origins, Principal: h.Principal, Log: s.log,
	})
	var front http.Handler = own
	if h.Token != "" {
		front = challenged(auth.RequireBearerToken(verifier(h.Token), nil), front)
	}
	if len(h.Origins) > 0 {
		front = cors.New(cors.Options{
			AllowedOrigins: h.Origins,
			AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodDelete},
			AllowedHeaders: []string{"*"}, // those of MCP take their names from a tool's arguments, too
			ExposedHeaders: []string{"Mcp-Session-Id", "Www-Authenticate"},
			MaxAge:         int((10 * time.Minute).Seconds()),
		}).Handler(front)
	}
	return own, front, nil
}

// challenged returns h behind a check of a token, which tells those who fail how to pass
// (RFC 9110, section 11.6.1).
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

// principal returns who sends a request that came by a check of its token.
func principal(r *http.Request) string {
	if info := auth.TokenInfoFromContext(r.Context()); info != nil {
		return info.UserID
	}
	return ""
}

// verifier accepts the one secret, in a time that does not tell how much of it was
// right.
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
