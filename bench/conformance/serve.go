package main

import (
	"context"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/jptool/jptool/bench/internal/bridge"
	"github.com/jptool/jptool/bench/internal/drive"
)

// serveBridge serves the stdio server over HTTP until stop is called.
// stop waits for the server to end.
func serveBridge(ctx context.Context, server string) (url string, stop func(), err error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	h := bridge.New(ctx, server, "--log-level", "error")
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.Serve(l) }() // Serve returns when the server is closed
	return "http://" + l.Addr().String() + "/mcp", func() {
		_ = s.Close() // no request is in flight when the suite has ended
		cancel()
		h.Wait()
	}, nil
}

// life is the maximum lifetime of a server.
const life = time.Hour

// serveHTTP returns a function that runs the server with --http and the given flags until stop is called. stop waits for
// the server to exit.
func serveHTTP(flags ...string) func(context.Context, string) (string, func(), error) {
	return func(_ context.Context, server string) (url string, stop func(), err error) {
		s, err := drive.Serve(slices.Concat([]string{server}, drive.Address, flags), nil, life)
		if err != nil {
			return "", nil, err
		}
		return "http://" + s.Host + s.Path, func() { s.Kill(); <-s.Gone() }, nil
	}
}
