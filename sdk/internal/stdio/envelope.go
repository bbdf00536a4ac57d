package stdio

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An envelope is a JSON-RPC message before its result is looked at. Names are
// matched exactly and may not repeat: a filter in front of the server must not read
// another call than the server does.
type envelope struct {
	version   []byte
	id        jsontext.Value
	method    []byte
	isRequest bool
	params    jsontext.Value
	result    jsontext.Value
	failure   jsontext.Value

	call     Call           // what params hold if this is a call of a tool
	named    jsontext.Value // the protocol version that _meta names, whatever it is
	odd      bool           // go-sdk must judge the call
	twice    bool           // a name stands twice
	wrong    bool           // the method is no string
	metaless bool           // _meta is no object
}

// A refusal is a line that is answered with an error of JSON-RPC, unless it is silent.
type refusal struct {
	id      string // the JSON text of the id, "" where none can be told
	code    int64
	message string
	data    json.RawMessage
	silent  bool // nobody waits for an answer: it is a notification or a response
}

func (r *refusal) Error() string { return r.message }

// readEnvelope reads the message on a line. The error is a *[refusal].
func readEnvelope(text []byte, e *envelope) error {
	*e = envelope{}
	if err := e.read(text); err != nil {
		refused := unreadable(text, err)
		// The id of a response is none of the client's calls.
		refused.silent = err == errTwice && e.isResponse()
		return refused
	}
	id, ok := readID(e.id)
	refuse := func(code int64, message string) error {
		return &refusal{id: string(id), code: code, message: message}
	}
	switch {
	case e.isResponse():
		return nil // which nobody waits to have answered
	case !ok:
		return refuse(jsonrpc.CodeInvalidRequest, "invalid request: an id is a string or an integer")
	case e.result != nil || e.failure != nil:
		return refuse(jsonrpc.CodeInvalidRequest, "invalid request: a message with a method has no result and no error")
	case string(e.version) != "2.0":
		return refuse(jsonrpc.CodeInvalidRequest, `invalid request: "jsonrpc" must be "2.0"`)
	case e.wrong:
		return refuse(jsonrpc.CodeInvalidRequest, `invalid request: "method" has the wrong type`)
	case !e.isRequest:
		return refuse(jsonrpc.CodeInvalidRequest, `invalid request: there is no "method"`)
	}
	if k := e.params.Kind(); k != 0 && k != '{' && k != 'n' {
		return &refusal{id: string(id), code: jsonrpc.CodeInvalidParams, message: `invalid params: "params" must be an object`, silent: id == nil}
	}
	return nil
}

func (e *envelope) isResponse() bool {
	return !e.isRequest && (e.result != nil || e.failure != nil)
}

// read reads the members of the message.
func (e *envelope) read(text []byte) error {
	r := newReader(text)
	defer r.free()
	_, once, err := r.object(func(name []byte) error {
		if string(name) == "params" && r.kind() == '{' {
			return e.readParams(r)
		}
		value, err := r.value()
		if err != nil {
			return err
		}
		switch string(name) {
		case "jsonrpc":
			e.version, _ = unquoted(value)
		case "id":
			e.id = value
		case "method":
			var isString bool
			e.method, isString = unquoted(value)
			e.isRequest, e.wrong = true, e.wrong || !isString
		case "params":
			e.params = value
		case "result":
			e.result = value
		case "error":
			e.failure = value
		}
		return nil
	})
	if err == nil {
		err = r.end()
	}
	if err == nil && (e.twice || !once) {
		err = errTwice
	}
	return err
}

// unreadable returns why a line is no message.
func unreadable(text []byte, err error) *refusal {
	switch {
	case err == errTwice:
		return &refusal{id: idOf(text), code: jsonrpc.CodeInvalidRequest, message: "invalid request: " + err.Error()}
	case err == errSyntax || !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)):
		return &refusal{code: jsonrpc.CodeParseError, message: "parse error: " + errSyntax.Error()}
	case text[0] == '[':
		return &refusal{code: jsonrpc.CodeInvalidRequest, message: "invalid request: batches are not part of MCP, send one message a line"}
	}
	return &refusal{code: jsonrpc.CodeInvalidRequest, message: "invalid request: " + errNotObject.Error()}
}

// readID returns the text of an id, nil for none. Null is refused: MCP forbids it
// in requests, and taking it for a notification would leave the caller waiting. So is a
// number with a fraction, which is no id of MCP's.
func readID(id jsontext.Value) (text []byte, ok bool) {
	switch id.Kind() {
	case 0:
		return nil, true
	case '"':
		return id, true
	case '0':
		if !isInteger(id) {
			return nil, false
		}
		return id, true
	}
	return nil, false
}

// idOf returns the first id of a message that cannot be taken, "" where there is
// none that a caller could be waiting for.
func idOf(text []byte) string {
	r := newReader(text)
	defer r.free()
	var id []byte
	found := errors.New("found")
	_, _, _ = r.object(func(name []byte) error {
		value, err := r.value()
		if err == nil && string(name) == "id" {
			id, _ = readID(value)
			err = found
		}
		return err
	})
	return string(id)
}

// metaOf returns the raw _meta of params if it holds anything of computer.jp.
func (e *envelope) metaOf() []byte {
	if !bytes.Contains(e.call.Meta, []byte("computer.jp")) {
		return nil
	}
	return e.call.Meta
}

// appendStart appends the beginning of a response, to the id of its call.
func appendStart(dst []byte, id string) []byte {
	return append(append(append(dst, `{"jsonrpc":"2.0","id":`...), cmp.Or(id, "null")...), ',')
}

const (
	// unopened ends what go-sdk says of a request that does not open a session. One that
	// does not try to has been refused by [conn.gate].
	unopened = "is invalid during session initialization"
	// undecoded begins what it says of an initialize of another shape, params and all.
	undecoded = "handling 'initialize': "
)

// appendFailure appends the line of a response that is an error. One without a code, as
// go-sdk makes of a plain Go error, becomes an internal one.
func appendFailure(dst []byte, id string, failure error) ([]byte, error) {
	wire, ok := errors.AsType[*jsonrpc.Error](failure)
	if !ok {
		wire = &jsonrpc.Error{Message: failure.Error()}
	}
	switch {
	case strings.HasSuffix(wire.Message, unopened):
		wire = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid params: the _meta of the request cannot be read"}
	case strings.HasPrefix(wire.Message, undecoded):
		wire = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: `invalid params: initialize takes "protocolVersion", a string, and "capabilities" and "clientInfo", objects`}
	}
	if wire.Code == 0 {
		wire = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: wire.Message, Data: wire.Data}
	}
	data, err := json.Marshal(wire)
	if err != nil {
		return nil, fmt.Errorf("encoding an error response: %w", err)
	}
	return append(append(append(appendStart(dst, id), `"error":`...), data...), "}\n"...), nil
}
