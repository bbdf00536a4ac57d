// Package serve serves the servers of the comparison over HTTP in the same way as jptool's server: they
// print their URL on a line of standard error, and a signal ends them.
package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Path is the path of the MCP endpoint.
const Path = "/mcp"

// drain is the time in which running calls can end after the signal.
const drain = 1500 * time.Millisecond

// HTTP serves h at addr until SIGTERM or SIGINT. Like the servers in the documentation of the SDKs, it sets no
// limits.
func HTTP(addr string, h http.Handler) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle(Path, h)
	server := &http.Server{Handler: mux}
	fmt.Fprintf(os.Stderr, "serving MCP over HTTP url=http://%s%s\n", l.Addr(), Path)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	wait, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	if err := server.Shutdown(wait); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return server.Close()
}
