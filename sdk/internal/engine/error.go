package engine

import (
	"encoding/json"
	"fmt"
)

// Error codes of JSON-RPC and MCP.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	// CodeEnded reports that the server shut down before it answered. JSON-RPC reserves -32000
	// to -32099 for servers.
	CodeEnded = -32000
	// CodeHeaderMismatch, CodeMissingCapability and CodeUnsupportedVersion are defined by MCP
	// 2026-07-28.
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
)

// An Error is a JSON-RPC error.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

func invalid(message string) *Error {
	return &Error{Code: CodeInvalidParams, Message: "invalid params: " + message}
}

func notFound(message string) *Error {
	if message != "" {
		message = ": " + message
	}
	return &Error{Code: CodeMethodNotFound, Message: "method not found" + message}
}

// BadRequest returns the error for a message that is not a valid request.
func BadRequest(message string) *Error {
	return &Error{Code: CodeInvalidRequest, Message: "invalid request: " + message}
}

// An Answer is the response to a request: a result or an error.
type Answer struct {
	ID     []byte // JSON text, or nil if unknown
	Result Appender
	Error  *Error
}

// AppendTo appends the message.
func (a *Answer) AppendTo(w *Writer) {
	w.Raw(`{"jsonrpc":"2.0","id":`)
	if len(a.ID) == 0 {
		w.Raw("null")
	}
	w.Bytes(a.ID)
	if a.Error != nil {
		w.Name("error").Value(a.Error)
	} else {
		w.Name("result")
		a.Result.AppendTo(w)
	}
	w.End('}')
}

// Encode appends the message, or an internal error in its place if encoding fails. If part of
// the message has been written to w.Out already, Encode returns the error.
func (a *Answer) Encode(w *Writer) (err error) {
	start := len(w.buf)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("encoding an answer: %v", p)
		}
		if err == nil || w.flushed {
			return
		}
		w.buf, w.err = w.buf[:start], nil
		failed := Answer{ID: a.ID, Error: &Error{Code: CodeInternal, Message: "internal error: the result cannot be encoded"}}
		failed.AppendTo(w)
		err = nil
	}()
	a.AppendTo(w)
	return w.err
}

// empty is an empty result.
var empty = rawJSON("{}")
