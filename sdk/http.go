package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/jptool/jptool/sdk/internal/streamable"
)

const httpPath = "/mcp"

// httpSettings are the flags for HTTP.
type httpSettings struct {
	HTTPOptions
	addr      string
	tokenFile string
	trust     bool
}

// An httpService is an address and the options for serving HTTP on it.
type httpService struct {
	network, addr string // as in package net
	options       HTTPOptions
}

// alone returns the first flag that is set but has no effect without --http, or "" if there is
// none.
func (h httpSettings) alone() string {
	switch {
	case h.tokenFile != "":
		return "--http-token-file"
	case len(h.Hosts) > 0:
		return "--http-host"
	case len(h.Origins) > 0:
		return "--http-origin"
	case h.Stateless:
		return "--http-stateless"
	case h.trust:
		return "--http-trust-caller"
	}
	return ""
}

// unixPrefix precedes the path of a Unix socket.
const unixPrefix = "unix:"

// service returns the HTTP service that the flags configure, or nil for standard streams.
// Without a token, the address must be a socket or on the loopback interface.
func (h httpSettings) service() (*httpService, error) {
	if h.addr == "" {
		if flag := h.alone(); flag != "" {
			return nil, errors.New(flag + " requires --http")
		}
		return nil, nil
	}
	if err := h.check(); err != nil {
		return nil, fmt.Errorf("--http-%w", err)
	}
	service := &httpService{network: "tcp", options: h.HTTPOptions}
	if path, ok := strings.CutPrefix(h.addr, unixPrefix); ok {
		if path == "" {
			return nil, fmt.Errorf("invalid --http %q: must contain the path of a socket, such as unix:/run/notes.sock", h.addr)
		}
		service.network, service.addr = "unix", path
	} else {
		host, port, err := net.SplitHostPort(h.addr)
		if err != nil {
			return nil, fmt.Errorf("invalid --http %q: must be HOST:PORT, such as 127.0.0.1:8080, or unix:PATH", h.addr)
		}
		if host == "" {
			host = "127.0.0.1"
		}
		if h.tokenFile == "" && !streamable.IsLoopback(host) {
			return nil, fmt.Errorf("--http %q is not a loopback address: anyone on the network could call the tools; add --http-token-file FILE", h.addr)
		}
		service.addr = net.JoinHostPort(host, port)
	}
	var err error
	service.options.Token, err = h.token()
	return service, err
}

// token returns the secret in the token file, or "" if there is no file.
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
		return "", fmt.Errorf("--http-token-file %q: the file must contain one word of %d to %d characters", h.tokenFile, least, most)
	}
	return secret, nil
}

// serveHTTP serves Streamable HTTP until ctx is done. The address is logged.
func (s *Server) serveHTTP(ctx context.Context, o Options, h httpService) error {
	own, front, err := s.handler(ctx, o, h.options)
	if err != nil {
		return err
	}
	l, err := h.listen(ctx)
	if err != nil {
		return fmt.Errorf("serving HTTP: %w", err)
	}
	if h.network == "unix" {
		s.log.Info("serving MCP over HTTP", "socket", h.addr, "path", httpPath)
	} else {
		s.log.Info("serving MCP over HTTP", "url", "http://"+l.Addr().String()+httpPath)
	}
	return own.Serve(l, httpPath, front)
}

// socketMode permits calls by the owner and the group, because a proxy often runs as another
// user.
const socketMode = 0o660

// listen returns the listener. It replaces a socket that another process left behind.
func (h httpService) listen(ctx context.Context) (net.Listener, error) {
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
	if err := os.Chmod(h.addr, socketMode); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
