// Package stdio is MCP over standard streams that no line can kill.
//
// It is a transport for go-sdk. A line that is no message is answered and the
// session goes on; ids of any JSON type come back as they were sent; a call that
// was canceled is not answered; and answers still owed at the end of input are
// delivered, within a bound.
package stdio

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Defaults of a [Transport].
const (
	DefaultMaxLine = 16 << 20
	DefaultDrain   = 1500 * time.Millisecond
)

// A Transport carries newline-delimited JSON-RPC over two streams.
type Transport struct {
	In  io.ReadCloser
	Out io.WriteCloser
	// MaxLine is the longest line taken, in bytes; 0 is [DefaultMaxLine]. A longer
	// one is refused and passed over.
	MaxLine int
	// Calls says that calls are handed on as [MethodCall] where that serves, for a
	// server whose middleware answers it.
	Calls bool
	// Drain is how long the end of input waits for answers still owed; 0 is
	// [DefaultDrain].
	Drain time.Duration
	// Log receives what cannot be answered; nil is the default logger.
	Log *slog.Logger
}

// Connect returns the connection over the streams. It is called once.
func (t *Transport) Connect(context.Context) (mcp.Connection, error) {
	c := &conn{
		in: t.In, out: t.Out, calls: t.Calls, maxLine: t.MaxLine, drain: t.Drain, log: t.Log,
		lines: make(chan line), closed: make(chan struct{}), idle: make(chan struct{}, 1),
		owed: map[int64]call{}, busy: map[string]int64{},
	}
	if c.maxLine == 0 {
		c.maxLine = DefaultMaxLine
	}
	if c.drain == 0 {
		c.drain = DefaultDrain
	}
	if c.log == nil {
		c.log = slog.Default()
	}
	go c.readLines()
	return c, nil
}
