package sdk

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/streamable"
)

// httpPath is where MCP is served.
const httpPath = "/mcp"

// httpSettings is what the flags say of HTTP.
type httpSettings struct {
	addr      string
	tokenFile string
	stateless bool
	trust     bool
}

// An httpService is where HTTP is served, and the secret that callers must show,
// "" for none.
type httpService struct {
	addr, secret string
	stateless    bool // no client has a session
}

// door returns where callers of the service come in.
func (h httpService) door() door { return door{network: true, secret: h.secret} }

// service returns what the flags ask for, nil for standard streams: the loopback
// interface, unless callers must show a token.
func (h httpSettings) service() (*httpService, error) {
	if h.addr == "" {
		if h.tokenFile != "" {
			return nil, errors.New("--http-token-file goes with --http")
		}
		if h.stateless {
			return nil, errors.New("--http-stateless goes with --http")
		}
		if h.trust {
			return nil, errors.New("--http-trust-caller goes with --http")
		}
		return nil, nil
	}
	host, port, err := net.SplitHostPort(h.addr)
	if err != nil {
		return nil, fmt.Errorf("--http %q: write HOST:PORT, such as 127.0.0.1:8080", h.addr)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if h.tokenFile == "" && !streamable.IsLoopback(host) {
		return nil, fmt.Errorf("--http %q is not a loopback address: everybody on the network could call the tools; name a file with a secret by --http-token-file", h.addr)
	}
	secret, err := h.token()
	return &httpService{addr: net.JoinHostPort(host, port), secret: secret, stateless: h.stateless}, err
}

// token returns the secret of the token file, "" for none.
func (h httpSettings) token() (string, error) {
	if h.tokenFile == "" {
		return "", nil
	}
	f, err := os.Open(h.tokenFile)
	if err != nil {
		return "", fmt.Errorf("--http-token-file: %w", err)
	}
	defer f.Close()
	const least, most = 16, 4096
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return "", fmt.Errorf("--http-token-file: %w", err)
	}
	secret := strings.TrimSpace(string(data))
	if len(secret) < least || len(data) > most || strings.ContainsAny(secret, " \t\r\n") {
		return "", fmt.Errorf("--http-token-file %q: the file must hold one word of %d to %d characters", h.tokenFile, least, most)
	}
	return secret, nil
}

// serveHTTP serves MCP's streamable HTTP until ctx ends. Where it listens is said in
// the log.
func (s *Server) serveHTTP(ctx context.Context, o Options, h httpService) error {
	e, err := s.engine(o, h.door())
	if err != nil {
		return err
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", h.addr)
	if err != nil {
		return fmt.Errorf("serving HTTP: %w", err)
	}
	s.log.Info("serving MCP over HTTP", "url", "http://"+l.Addr().String()+httpPath)
	return streamable.Serve(ctx, l, e, s.handler(ctx, e, h), s.log)
}

// handler returns what answers HTTP.
func (s *Server) handler(ctx context.Context, e *engine.Engine, service httpService) http.Handler {
	var h http.Handler = streamable.New(ctx, e, streamable.Options{Stateless: service.stateless, Principal: principal, Log: s.log})
	if secret := service.secret; secret != "" {
		h = challenged(auth.RequireBearerToken(verifier(secret), nil), h)
	}
	mux := http.NewServeMux()
	mux.Handle(httpPath, h)
	return mux
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
