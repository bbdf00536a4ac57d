package stdio

import (
	"bytes"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// gate refuses a request that the connection is not ready for, which go-sdk would
// answer as an error of its own. A session is opened by initialize (MCP to 2025-11-25,
// Lifecycle); in later versions every request names its version in _meta, and one that
// does not is invalid (MCP 2026-07-28, Versioning).
func (c *conn) gate(e *envelope) error {
	refuse := func(code int64, message string) error {
		return &refusal{id: string(e.id), code: code, message: message}
	}
	switch string(e.method) {
	case methodInitialize:
		if c.opened.Swap(true) {
			return refuse(jsonrpc.CodeInvalidRequest, "invalid request: the session has been opened before")
		}
		return nil
	case methodPing:
		return nil
	}
	switch {
	case c.opened.Load():
	case bytes.Contains(e.call.Meta, []byte(keyVersion)): // go-sdk looks closer
		c.versioned = true
	case c.versioned:
		return refuse(jsonrpc.CodeInvalidParams, `invalid params: "_meta" must hold "`+keyVersion+`"`)
	default:
		return refuse(jsonrpc.CodeInvalidRequest, `invalid request: call initialize first, or name the protocol version in "_meta" as "`+keyVersion+`"`)
	}
	return nil
}
