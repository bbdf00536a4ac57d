// Package stdio implements MCP's stdio transport: one message per line on standard streams.
// Malformed lines are answered and never end the connection.
package stdio

import (
	"context"
	"io"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// grace is the time for writing the last answers and closing the streams.
const grace = 300 * time.Millisecond

// Serve serves one client until its input ends or ctx is done. It returns soon after the drain
// time, even if handlers are still running or the client does not read. The drain time is the
// maximum time to wait for pending answers.
func Serve(ctx context.Context, e *engine.Engine, in io.ReadCloser, out io.WriteCloser, drain time.Duration) error {
	c := newConn(ctx, e, in, out)
	go c.read()
	select {
	case <-ctx.Done():
	case <-c.over.Done():
	case <-c.gone.Done():
	}
	e.Drain(drain, c.gone.Done())
	closed := make(chan error, 1)
	go func() { closed <- c.close() }()
	select {
	case err := <-closed:
		return err
	case <-time.After(grace):
		e.Log.Warn("shutdown: handlers still running after the grace period")
		return nil
	}
}
