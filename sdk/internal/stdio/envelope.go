package stdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An envelope is a JSON-RPC message before its params or result are looked at.
// Names are matched exactly and may not repeat: a filter in front of the server
// must not read another call than the server does.
type envelope struct {
	version   string
	id        jsontext.Value
	method    string
	isRequest bool
	params    jsontext.Value
	result    jsontext.Value
	failure   jsontext.Value
}

// A refusal is a line that is answered with an error of JSON-RPC.
type refusal struct {
	id      string // the JSON text of the id, "" where none can be told
	code    int64
	message string
}

func (r *refusal) Error() string { return r.message }

// readEnvelope returns the message on a line, or a *[refusal].
func readEnvelope(text []byte) (*envelope, error) {
	e := new(envelope)
	wrong := ""
	err := eachMember(text, func(name []byte, value jsontext.Value) bool {
		ok := true
		switch string(name) {
		case "jsonrpc":
			e.version, _ = unquoted(value)
		case "id":
			e.id = value
		case "method":
			e.method, ok = unquoted(value)
			e.isRequest = true
		case "params":
			e.params = value
		case "result":
			e.result = value
		case "error":
			e.failure = value
		}
		if !ok && wrong == "" {
			wrong = string(name)
		}
		return true
	})
	if err != nil {
		return nil, unreadable(text, err)
	}
	id, ok := readID(e.id)
	refuse := func(code int64, message string) (*envelope, error) {
		return nil, &refusal{id: id, code: code, message: message}
	}
	switch {
	case !e.isRequest && (e.result != nil || e.failure != nil):
		return e, nil // a response, which nobody waits to have answered
	case !ok:
		return refuse(jsonrpc.CodeInvalidRequest, "invalid request: an id is a string or a number")
	case e.version != "2.0":
		return refuse(jsonrpc.CodeInvalidRequest, `invalid request: "jsonrpc" must be "2.0"`)
	case wrong != "":
		return refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("invalid request: %q has the wrong type", wrong))
	case !e.isRequest:
		return refuse(jsonrpc.CodeInvalidRequest, `invalid request: there is no "method"`)
	}
	if k := e.params.Kind(); k != 0 && k != '{' && k != 'n' {
		return refuse(jsonrpc.CodeInvalidParams, `invalid params: "params" must be an object`)
	}
	return e, nil
}

// unreadable returns why a line is no message.
func unreadable(text []byte, err error) *refusal {
	switch {
	case err == errTwice:
		return &refusal{id: idOf(text), code: jsonrpc.CodeInvalidRequest, message: "invalid request: " + err.Error()}
	case !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)):
		return &refusal{code: jsonrpc.CodeParseError, message: "parse error: " + errSyntax.Error()}
	case text[0] == '[':
		return &refusal{code: jsonrpc.CodeInvalidRequest, message: "invalid request: batches are not part of MCP, send one message a line"}
	}
	return &refusal{code: jsonrpc.CodeInvalidRequest, message: "invalid request: " + errNotObject.Error()}
}

// eachMember visits the members of an object in order, to its end or until visit
// returns false. The error is one of those of a [reader].
func eachMember(object []byte, visit func(name []byte, value jsontext.Value) bool) error {
	r := newReader(object)
	defer r.free()
	return r.members(visit)
}

// readID returns the text of an id, "" for none. Null is refused: MCP forbids it
// in requests, and taking it for a notification would leave the caller waiting.
func readID(id jsontext.Value) (string, bool) {
	switch id.Kind() {
	case 0:
		return "", true
	case '"', '0':
		return string(id), true
	}
	return "", false
}

// idOf returns the id of a message that could not be read whole, "" where there
// is none that a caller could be waiting for.
func idOf(text []byte) (id string) {
	_ = eachMember(text, func(name []byte, value jsontext.Value) bool {
		if string(name) == "id" {
			id, _ = readID(value)
		}
		return string(name) != "id"
	})
	return id
}

// metaOf returns the raw _meta of params if it holds anything of computer.jp.
func metaOf(params jsontext.Value) (meta []byte) {
	if !bytes.Contains(params, []byte("computer.jp")) {
		return nil
	}
	_ = eachMember(params, func(name []byte, value jsontext.Value) bool {
		if string(name) == "_meta" {
			meta = value
		}
		return string(name) != "_meta"
	})
	return meta
}

// appendResponse appends the line of a response. An error without a code, as
// go-sdk makes of a plain Go error, becomes an internal one.
func appendResponse(dst []byte, id string, result json.RawMessage, failure error) ([]byte, error) {
	if id == "" {
		id = "null"
	}
	dst = append(append(append(dst, `{"jsonrpc":"2.0","id":`...), id...), ',')
	if failure == nil {
		if len(result) == 0 {
			result = json.RawMessage("{}")
		}
		dst = append(append(dst, `"result":`...), result...)
		return append(dst, "}\n"...), nil
	}
	wire, ok := errors.AsType[*jsonrpc.Error](failure)
	if !ok {
		wire = &jsonrpc.Error{Message: failure.Error()}
	}
	if wire.Code == 0 {
		wire = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: wire.Message, Data: wire.Data}
	}
	data, err := json.Marshal(wire)
	if err != nil {
		return nil, fmt.Errorf("encoding an error response: %w", err)
	}
	return append(append(append(dst, `"error":`...), data...), "}\n"...), nil
}
