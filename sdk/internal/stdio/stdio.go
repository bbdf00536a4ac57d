// Package stdio implements MCP's stdio transport: one message per line on standard streams.
// Malformed lines are answered and never end the connection.
package stdio

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// DefaultDrain is the default of [Streams.Drain].
const DefaultDrain = 1500 * time.Millisecond

// grace is the time for writing the last answers and closing the streams.
const grace = 300 * time.Millisecond

// Streams are the streams of one client.
type Streams struct {
	In  io.ReadCloser
	Out io.WriteCloser
	// Drain is the time to wait for pending answers after the end of input; 0 means
	// [DefaultDrain]. Calls are canceled after two thirds of it.
	Drain time.Duration
	// Log receives errors that cannot be answered; nil means the default logger.
	Log *slog.Logger
}

// Serve serves one client until its input ends or ctx is done. It returns soon after the drain
// time, even if handlers are still running or the client does not read.
func Serve(ctx context.Context, e *engine.Engine, s Streams) error {
	c := newConn(ctx, e, s)
	go c.read()
	select {
	case <-ctx.Done():
	case <-c.ended:
	case <-c.hung:
	case <-c.gone:
	}
	e.Drain(cmp.Or(s.Drain, DefaultDrain), c.gone)
	closed := make(chan error, 1)
	go func() { closed <- c.close() }()
	select {
	case err := <-closed:
		return err
	case <-time.After(grace):
		c.log.Warn("shutdown: handlers still running after the grace period")
		return nil
	}
}
