package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"time"

	"github.com/jptool/jptool/bench/internal/bridge"
)

// serveBridge serves the server's standard streams over HTTP until stop is called,
// which waits for the server to end.
func serveBridge(ctx context.Context, server string) (url string, stop func(), err error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	h := bridge.New(ctx, server, "--log-level", "error")
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.Serve(l) }() // it ends by being closed
	return "http://" + l.Addr().String() + "/mcp", func() {
		_ = s.Close() // it has nothing to say to a judge that is done
		cancel()
		h.Wait()
	}, nil
}

var listening = regexp.MustCompile(`url=(http://\S+)`)

// serveHTTP has the server serve HTTP until stop is called, which waits for it to end.
func serveHTTP(ctx context.Context, server string) (url string, stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, server, "--http", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return "", nil, err
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = io.Copy(io.Discard, stderr) // so that the server can go on logging
				_ = cmd.Wait()                     // it ends by being killed
			}()
			return m[1], func() { cancel(); <-ended }, nil
		}
	}
	cancel()
	return "", nil, errors.Join(errors.New("the server does not say where it serves"), lines.Err(), cmd.Wait())
}
