// Package stdio is MCP over standard streams that no line can kill.
//
// It is a transport for go-sdk. A line that is no message is answered and the
// session goes on; ids of any JSON type come back as they were sent; a call that
// was canceled is not answered; and answers still owed at the end of input are
// delivered, within a bound. Calls of a [Handler]'s tools it answers by itself.
package stdio

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Defaults of a [Transport].
const (
	DefaultMaxLine  = 16 << 20
	DefaultMaxCalls = 256
	DefaultDrain    = 1500 * time.Millisecond
)

// A Transport carries newline-delimited JSON-RPC over two streams.
type Transport struct {
	In  io.ReadCloser
	Out io.WriteCloser
	// MaxLine is the longest line taken, in bytes; 0 is [DefaultMaxLine]. A longer
	// one is refused and passed over.
	MaxLine int
	// MaxCalls is how many calls of tools run at once; 0 is [DefaultMaxCalls]. More
	// wait, up to 4 MiB of them; then no more is read until some have ended.
	MaxCalls int
	// Drain is how long the end of input waits for answers still owed; 0 is
	// [DefaultDrain]. After two thirds of it the calls are canceled.
	Drain time.Duration
	// Log receives what cannot be answered; nil is the default logger.
	Log *slog.Logger

	conn *conn
}

// Connect returns the connection over the streams. It is called once.
func (t *Transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c := &conn{
		in: t.In, out: t.Out, log: t.Log,
		maxLine: cmp.Or(t.MaxLine, DefaultMaxLine), drain: cmp.Or(t.Drain, DefaultDrain),
		lines: make(chan *line), closed: make(chan struct{}), over: make(chan struct{}),
		flight: newFlight(cmp.Or(t.MaxCalls, DefaultMaxCalls)),
	}
	c.expire = sync.OnceFunc(func() { close(c.over) })
	if c.log == nil {
		c.log = slog.Default()
	}
	c.crew.start(ctx)
	t.conn = c
	go c.readLines()
	return c, nil
}

// Handle has h answer the calls of its tools from now on, where go-sdk need not. It
// is called after Connect.
func (t *Transport) Handle(h Handler) { t.conn.crew.handler.Store(&h) }

// Stop ends the connection as the end of input does. It is called after Connect.
func (t *Transport) Stop() {
	t.conn.stopped.Store(true)
	t.conn.wake()
}

// Over is closed when nothing more will be read, and calls that still run have had
// their time. It is called after Connect.
func (t *Transport) Over() <-chan struct{} { return t.conn.over }
