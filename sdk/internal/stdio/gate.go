package stdio

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// OpensSession reports whether version is one of MCP that is spoken here and whose
// sessions are opened by initialize.
func OpensSession(version string) bool {
	return version < roundsVersion && slices.Contains(mcp.SupportedProtocolVersions(), version)
}

// unversioned is what is said to a request that must name its version and does not.
const unversioned = `invalid params: "_meta" must hold "` + keyVersion + `"`

// gate refuses a request that the connection is not ready for, or whose params have
// another shape than all have, which go-sdk would answer as an error of its own. A
// session is opened by initialize (MCP to 2025-11-25, Lifecycle); in later versions every
// request names its version in _meta, and one that does not is invalid (MCP 2026-07-28,
// Versioning).
func (c *conn) gate(e *envelope) error {
	refuse := func(code int64, message string) error {
		return &refusal{id: string(e.id), code: code, message: message}
	}
	if e.metaless {
		return refuse(jsonrpc.CodeInvalidParams, `invalid params: "_meta" must be an object`)
	}
	version, err := e.names()
	if err != nil {
		return err
	}
	alone := version != "" && !OpensSession(version)
	c.versioned = c.versioned || alone
	switch string(e.method) {
	case methodInitialize:
		if c.opened.Swap(true) {
			return refuse(jsonrpc.CodeInvalidRequest, "invalid request: the session has been opened before")
		}
		return nil
	case methodPing:
		return nil
	case methodDiscover:
		if version == "" {
			return refuse(jsonrpc.CodeInvalidParams, unversioned)
		}
		return nil
	}
	switch {
	case alone, c.opened.Load():
	case version != "":
		return refuse(jsonrpc.CodeInvalidRequest, "invalid request: call initialize first, which opens a session of version "+version)
	case c.versioned:
		return refuse(jsonrpc.CodeInvalidParams, unversioned)
	default:
		return refuse(jsonrpc.CodeInvalidRequest, `invalid request: call initialize first, or name the protocol version in "_meta" as "`+keyVersion+`"`)
	}
	switch {
	case string(e.method) == methodListen && !alone:
		return refuse(jsonrpc.CodeMethodNotFound, "method not found: sessions have no subscriptions")
	case string(e.method) == methodCall && e.call.Name == nil:
		return refuse(jsonrpc.CodeInvalidParams, `invalid params: "name" must be a string, the name of a tool`)
	}
	return nil
}

// names returns the version that a request names in _meta, "" for none, and an error for
// one that is not spoken here (MCP 2026-07-28, Versioning).
func (e *envelope) names() (version string, err error) {
	if e.named == nil {
		return "", nil
	}
	text, isString := unquoted(e.named)
	if !isString {
		return "", &refusal{id: string(e.id), code: jsonrpc.CodeInvalidParams, message: `invalid params: "` + keyVersion + `" in "_meta" must be a string, such as "` + roundsVersion + `"`}
	}
	spoken := mcp.SupportedProtocolVersions()
	if slices.Contains(spoken, string(text)) {
		return string(text), nil
	}
	data, err := json.Marshal(mcp.UnsupportedProtocolVersionData{Supported: spoken, Requested: clip(text)})
	if err != nil {
		return "", fmt.Errorf("encoding an error response: %w", err)
	}
	return "", &refusal{id: string(e.id), code: mcp.CodeUnsupportedProtocolVersion, message: "unsupported protocol version", data: data}
}
