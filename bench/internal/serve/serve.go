// Package serve serves the servers of the comparison over HTTP in the way that jptool's
// serve: a line on standard error says where they listen, and a signal ends them.
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

// Path is where MCP is served.
const Path = "/mcp"

// drain is how long calls that are running have to end after the signal.
const drain = 1500 * time.Millisecond

// HTTP serves h at addr until SIGTERM or SIGINT comes. Like the servers in the
// documentation of the SDKs, it sets no limit of its own.
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
