// Package stdio carries MCP's messages as lines over standard streams, which no line can
// kill.
package stdio

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// DefaultDrain is how long the end of input waits for answers that are owed.
const DefaultDrain = 1500 * time.Millisecond

// grace is how long the streams have to take the last answers, and to be closed.
const grace = 300 * time.Millisecond

// Streams is where one client is served.
type Streams struct {
	In  io.ReadCloser
	Out io.WriteCloser
	// Drain is how long the end of input waits for answers that are owed; 0 is
	// [DefaultDrain]. After two thirds of it the calls are canceled.
	Drain time.Duration
	// Log receives what cannot be answered; nil is the default logger.
	Log *slog.Logger
}

// Serve serves one client until its input or ctx ends, and returns at the latest a moment
// after its drain: a handler that does not stop is left behind, and so is an answer that
// nobody takes.
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
		c.log.Warn("left behind what did not end")
		return nil
	}
}
