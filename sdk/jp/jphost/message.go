package jphost

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// message is a JSON-RPC message. Its kind depends on the fields that are set.
type message struct {
	id     json.RawMessage // nil if it is missing or null
	method string          // the method of a request or, without an id, of a notification
	result json.RawMessage // the result of a response
	err    json.RawMessage // the error of an error response
}

// readMessage parses a line as rmcp does. ok is false if rmcp would report a parse error.
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

// parseErrorLine is rmcp's response to a line that it cannot parse. Some servers fail because the
// response has no id.
const parseErrorLine = `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`

// answerServer returns JP's response to a line from the server, or nil if the line needs no
// response. ok reports whether the line could be parsed. JP has no roots, declines every
// elicitation and rejects sampling requests.
func answerServer(line []byte, m message, ok bool) []byte {
	switch {
	case !ok && !ignorable(line):
		return []byte(parseErrorLine)
	case m.method == "" || m.id == nil:
		return nil
	}
	head := `{"jsonrpc":"2.0","id":` + string(m.id)
	switch m.method {
	case "ping":
		return []byte(head + `,"result":{}}`)
	case "roots/list":
		return []byte(head + `,"result":{"roots":[]}}`)
	case "elicitation/create":
		return []byte(head + `,"result":{"action":"decline"}}`)
	}
	return append(quote([]byte(head+`,"error":{"code":-32601,"message":`), m.method), "}}"...)
}

// ignorable reports whether rmcp ignores a line that it cannot parse. rmcp ignores notifications of another
// protocol, such as those without a version.
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

func remoteError(raw json.RawMessage) *peer.RemoteError {
	fields, _ := readObject(raw)
	// Atoi cannot fail: a message is an error response only if its code is a 32-bit integer.
	code, _ := strconv.Atoi(string(fields["code"]))
	return &peer.RemoteError{Code: code, Message: readString(fields["message"]), Data: jsontext.Value(fields["data"])}
}

// readResponse returns the reply that JP derives from a line, if the line is the response to the tools/call with
// this id. Other lines do not end the call: lines that are not JSON-RPC, and responses with another id or with
// the id as a string.
func readResponse(line []byte, id int64, version Version) Reply {
	m, ok := readMessage(line)
	switch {
	case !ok:
		return Reply{Kind: unanswered, Rule: ruleParse}
	case m.method != "" || string(m.id) != strconv.FormatInt(id, 10):
		return Reply{Kind: unanswered, Rule: ruleID}
	}
	return m.reply(version)
}

// reply reads the response to a tools/call.
func (m message) reply(version Version) Reply {
	if m.err != nil {
		return infra(ruleRPCError, "JsonRpcError "+strconv.Itoa(remoteError(m.err).Code), m.err)
	}
	return readResult(m.result, version)
}
