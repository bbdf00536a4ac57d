package streamable

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// drain is how long the end of a server waits for answers that are owed. After two thirds
// of it calls are canceled.
const drain = 1500 * time.Millisecond

// Serve serves h to who connects to l, until ctx ends. It returns at the latest a moment
// after a drain of one and a half seconds.
func Serve(ctx context.Context, l net.Listener, e *engine.Engine, h http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ConnContext:       connContext,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(&conns{Listener: l, most: mostConns()}) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving HTTP: %w", err)
	case <-ctx.Done():
	}
	shut := make(chan error, 1)
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	go func() { shut <- server.Shutdown(wait) }()
	e.Drain(drain, nil)
	cancel()
	if err := <-shut; err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("ending HTTP: %w", err)
	}
	return server.Close()
}
