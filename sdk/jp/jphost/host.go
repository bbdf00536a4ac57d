package jphost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/jptool/jptool/internal/peer"
)

// The name and the version of JP's client (rmcp 1.8.0).
const (
	initializeLine = `{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{` +
		`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"rmcp","version":"1.8.0"}}}`
	initializedLine = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// grace is the time that JP waits for a server to exit after closing its input.
const grace = 3 * time.Second

// errClosed means that the client or the server closed the connection.
var errClosed = peer.ErrEnded

// Host is the client of a single server. It is safe for concurrent use.
type Host struct {
	conn *conn
	opts Options
}

// Start runs cmd and performs the handshake over its standard streams, which must be unset. It runs the command
// without a shell and, where the system supports it, in its own process group, so that it does not receive the
// signals of a terminal. ctx limits only the handshake. If the handshake fails, the command has exited when
// Start returns.
func Start(ctx context.Context, cmd *exec.Cmd, o Options) (*Host, error) {
	if cmd.Stderr == nil {
		cmd.Stderr = o.Stderr
	}
	p, err := peer.Launch(cmd, grace)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	return Connect(ctx, p, o)
}

// Connect performs the handshake over conn, which is closed on failure and by [Host.Close]. ctx limits only the
// handshake.
func Connect(ctx context.Context, conn io.ReadWriteCloser, o Options) (*Host, error) {
	h := &Host{conn: newConn(peer.NewLines(conn, maxLine), o.Trace), opts: o}
	if err := h.initialize(ctx); err != nil {
		err = fmt.Errorf("initialize: %w", err)
		if exit := h.Close(); exit != nil {
			err = fmt.Errorf("%w (%w)", err, exit)
		}
		return nil, err
	}
	return h, nil
}

func (h *Host) initialize(ctx context.Context) error {
	result, err := h.result(ctx, func(id int64) ([]byte, error) {
		return fmt.Appendf(nil, initializeLine, id), nil
	})
	switch {
	case err != nil:
		return err
	case !isInitializeResult(result):
		return errors.New("the result is not an initialize result")
	}
	return h.conn.send(ctx, []byte(initializedLine))
}

// result returns the result of a request other than a tool call.
func (h *Host) result(ctx context.Context, build func(id int64) ([]byte, error)) (json.RawMessage, error) {
	m, err := h.conn.request(ctx, build)
	if err == nil && m.err != nil {
		err = remoteError(m.err)
	}
	return m.result, err
}

// Close closes the connection and fails calls in progress. If Start ran a command, the command has three seconds
// to exit after the end of its input, and Close returns its exit error.
func (h *Host) Close() error {
	h.conn.end(errClosed)
	return h.conn.lines.Close()
}
