package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The client that JP is to a server (rmcp 1.8.0).
const (
	initializeLine = `{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{` +
		`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"rmcp","version":"1.8.0"}}}`
	initializedLine = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// Host is a client with one server. Its methods may run at once.
type Host struct {
	conn   *conn
	opts   Options
	server ServerInfo
}

// ServerInfo is how a server introduced itself.
type ServerInfo struct {
	Name            string
	Version         string
	ProtocolVersion string // any; JP accepts what it gets
	Instructions    string
	Capabilities    json.RawMessage // a JSON object
}

// Connect shakes hands over conn, which is closed on failure and by [Host.Close]. Ctx bounds the
// handshake alone. A server that refuses is an [*RPCError], one that hangs up an [ErrClosed].
func Connect(ctx context.Context, conn io.ReadWriteCloser, o Options) (*Host, error) {
	h := &Host{conn: newConn(conn, o), opts: o}
	if err := h.initialize(ctx); err != nil {
		h.conn.end(ErrClosed)
		return nil, fmt.Errorf("initialize: %w", err)
	}
	return h, nil
}

func (h *Host) initialize(ctx context.Context) error {
	m, err := h.conn.request(ctx, func(id int64) ([]byte, error) {
		return fmt.Appendf(nil, initializeLine, id), nil
	})
	switch {
	case err != nil:
		return err
	case m.err != nil:
		return newRPCError(m.err)
	case !isInitializeResult(m.result):
		return errors.New("the result is not an initialize result")
	}
	result, _ := readObject(m.result)
	info, _ := readObject(result["serverInfo"])
	h.server = ServerInfo{
		Name:            readString(info["name"]),
		Version:         readString(info["version"]),
		ProtocolVersion: readString(result["protocolVersion"]),
		Instructions:    readString(result["instructions"]),
		Capabilities:    result["capabilities"],
	}
	return h.conn.send(ctx, []byte(initializedLine))
}

// Server returns how the server introduced itself.
func (h *Host) Server() ServerInfo { return h.server }

// Close ends the connection. Calls under way return [ErrClosed]. A started command gets the end of
// its input and three seconds to exit; Close returns how it exited, or that it had to be killed.
func (h *Host) Close() error {
	h.conn.end(ErrClosed)
	return h.conn.close()
}
