package sdk

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/internal/stdio"
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
	if h.tokenFile == "" && !isLoopback(host) {
		return nil, fmt.Errorf("--http %q is not a loopback address: everybody on the network could call the tools; name a file with a secret by --http-token-file", h.addr)
	}
	secret, err := h.token()
	return &httpService{addr: net.JoinHostPort(host, port), secret: secret, stateless: h.stateless}, err
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
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
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", h.addr)
	if err != nil {
		return fmt.Errorf("serving HTTP: %w", err)
	}
	if _, err := s.install(o, h.door()); err != nil {
		l.Close()
		return err
	}
	server := &http.Server{
		Handler:           s.handler(o, h),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	s.log.Info("serving MCP over HTTP", "url", "http://"+l.Addr().String()+httpPath)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving HTTP: %w", err)
	case <-ctx.Done():
	}
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), stdio.DefaultDrain)
	defer cancel()
	if err := server.Shutdown(wait); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("ending HTTP: %w", err)
	}
	return server.Close()
}

// handler returns what answers HTTP: go-sdk's handlers, which check the Host of
// requests to a loopback address, behind checks of the path, the Origin and the
// token.
func (s *Server) handler(o Options, service httpService) http.Handler {
	serve := func(own mcp.StreamableHTTPOptions) http.Handler {
		own.Logger, own.MaxRequestBodyBytes = slog.New(quiet{s}), int64(o.MaxFrame)
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp() }, &own)
	}
	h := serve(mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	if !service.stateless {
		// What a client did not get when its connection broke is kept, up to 10 MiB of all.
		with := serve(mcp.StreamableHTTPOptions{SessionTimeout: sessionIdle, EventStore: mcp.NewMemoryEventStore(nil)})
		h = sessions{with: with, without: h, open: func() (n int) {
			for range s.mcp().Sessions() {
				n++
			}
			return n
		}}
	}
	if secret := service.secret; secret != "" {
		h = auth.RequireBearerToken(verifier(secret), nil)(h)
	}
	mux := http.NewServeMux()
	mux.Handle(httpPath, http.NewCrossOriginProtection().Handler(h))
	return mux
}

// verifier accepts the one secret, in a time that does not tell how much of it was
// right.
func verifier(secret string) auth.TokenVerifier {
	want := sha256.Sum256([]byte(secret))
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		got := sha256.Sum256([]byte(token))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{Expiration: time.Now().Add(time.Hour)}, nil
	}
}
