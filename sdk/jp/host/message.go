package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/jptool/jptool/sdk/jp/wire"
)

// message is a line of JSON-RPC. Which fields are set says what it is.
type message struct {
	id     json.RawMessage // nil when absent or null
	method string          // of a request, or without id of a notification
	result json.RawMessage // of a response
	err    json.RawMessage // of an error response
}

// readMessage reads a line as rmcp does; ok is false for what it calls a parse error.
func readMessage(line []byte) (m message, ok bool) {
	line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	if wire.Check(line) != nil {
		return message{}, false
	}
	members, twice := readObject(line)
	if readString(members["jsonrpc"]) != "2.0" || twice["jsonrpc"] || twice["id"] {
		return message{}, false
	}
	if id, given := members["id"]; given && !isNull(id) {
		if _, err := strconv.ParseInt(string(id), 10, 64); err != nil && !isString(id) {
			return message{}, false
		}
		m.id = id
	}
	method, isCall := members["method"]
	result, isResult := members["result"]
	failure, isFailure := members["error"]
	switch {
	case isCall && isString(method):
		m.method = readString(method)
	case isResult && m.id != nil:
		m.result = result
	case isFailure && isRPCError(failure):
		m.err = failure
	default:
		return message{}, false
	}
	return m, true
}

// ignorable says whether rmcp passes over a line that is no message to it: a notification that is
// none of MCP's, such as other protocols send without a version.
func ignorable(line []byte) bool {
	if wire.Check(line) != nil {
		return false
	}
	members, _ := readObject(line)
	_, hasID := members["id"]
	method := members["method"]
	return !hasID && isString(method) && !strings.HasPrefix(readString(method), "notifications/")
}

func isRPCError(raw json.RawMessage) bool {
	return object(must("code", isInt32), must("message", isString))(raw)
}

// RPCError is a JSON-RPC error of the server, as answer to anything but a tool call.
type RPCError struct {
	Code    int64
	Message string
	Data    json.RawMessage // nil when there is none
}

// Error returns the message and the code.
func (e *RPCError) Error() string { return fmt.Sprintf("%s (JSON-RPC error %d)", e.Message, e.Code) }

func newRPCError(raw json.RawMessage) *RPCError {
	fields, _ := readObject(raw)
	// The code fits: a message with another one is no error response.
	code, _ := strconv.ParseInt(string(fields["code"]), 10, 32)
	return &RPCError{Code: code, Message: readString(fields["message"]), Data: fields["data"]}
}

// ReadResponse returns what JP makes of a line that should answer its tools/call of that id. Lines
// that answer nothing leave the call waiting: those that are not JSON-RPC, and those with another
// id or with the id as a string. A nil codec is [wire.Snapshot].
func ReadResponse(line []byte, id int64, mode Mode, codec wire.Codec) Reply {
	m, ok := readMessage(line)
	switch {
	case !ok:
		return Reply{Kind: Unanswered, Rule: RuleParse}
	case m.method != "" || string(m.id) != strconv.FormatInt(id, 10):
		return Reply{Kind: Unanswered, Rule: RuleID}
	}
	return m.reply(mode, codec)
}

// reply reads the answer to a tools/call.
func (m message) reply(mode Mode, codec wire.Codec) Reply {
	if m.err != nil {
		name := "JsonRpcError " + strconv.FormatInt(newRPCError(m.err).Code, 10)
		return infra(RuleRPCError, name, m.err)
	}
	return readResult(m.result, mode, codec)
}
