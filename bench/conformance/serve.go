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

// serveBridge serves the server's standard streams over HTTP until ctx ends.
func serveBridge(ctx context.Context, server string) (url string, err error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s := &http.Server{Handler: bridge.New(ctx, server, "--log-level", "error"), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = s.Close() }) // it has nothing to say to a judge that is done
	go func() { _ = s.Serve(l) }()                   // it ends by being closed
	return "http://" + l.Addr().String() + "/mcp", nil
}

var listening = regexp.MustCompile(`url=(http://\S+)`)

// serveHTTP has the server serve HTTP until ctx ends.
func serveHTTP(ctx context.Context, server string) (url string, err error) {
	cmd := exec.CommandContext(ctx, server, "--http", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go func() {
				_, _ = io.Copy(io.Discard, stderr) // so that the server can go on logging
				_ = cmd.Wait()                     // it ends by being killed
			}()
			return m[1], nil
		}
	}
	return "", errors.Join(errors.New("the server does not say where it serves"), lines.Err(), cmd.Wait())
}
