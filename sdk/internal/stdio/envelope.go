package stdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An envelope is a JSON-RPC message before its params or result are looked at.
// Names are matched exactly and may not repeat: a filter in front of the server
// must not read another call than the server does.
type envelope struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  *string        `json:"method"`
	Params  jsontext.Value `json:"params"`
	Result  jsontext.Value `json:"result"`
	Error   *jsonrpc.Error `json:"error"`
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
	if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) {
		return nil, &refusal{code: jsonrpc.CodeParseError, message: "parse error: the line is not one JSON value"}
	}
	switch text[0] {
	case '{':
	case '[':
		return nil, &refusal{code: jsonrpc.CodeInvalidRequest, message: "invalid request: batches are not part of MCP, send one message a line"}
	default:
		return nil, &refusal{code: jsonrpc.CodeInvalidRequest, message: "invalid request: a message is a JSON object"}
	}
	var e envelope
	err := jsonv2.Unmarshal(text, &e, jsontext.AllowDuplicateNames(true))
	if err == nil && !(distinct(text) && distinct(e.Params)) {
		err = errors.New("a name stands twice in the message")
	}
	if err != nil {
		return nil, &refusal{id: idOf(text), code: jsonrpc.CodeInvalidRequest, message: "invalid request: " + reason(err)}
	}
	id, ok := readID(e.ID)
	switch {
	case e.Method == nil && (e.Result != nil || e.Error != nil):
		return &e, nil // a response, which nobody waits to have answered
	case !ok:
		return nil, &refusal{code: jsonrpc.CodeInvalidRequest, message: "invalid request: an id is a string or a number"}
	case e.Version != "2.0":
		return nil, &refusal{id: id, code: jsonrpc.CodeInvalidRequest, message: `invalid request: "jsonrpc" must be "2.0"`}
	case e.Method == nil:
		return nil, &refusal{id: id, code: jsonrpc.CodeInvalidRequest, message: `invalid request: there is no "method"`}
	}
	if k := e.Params.Kind(); e.Method != nil && k != 0 && k != '{' && k != 'n' {
		return nil, &refusal{id: id, code: jsonrpc.CodeInvalidParams, message: `invalid params: "params" must be an object`}
	}
	return &e, nil
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
func idOf(text []byte) string {
	var e struct {
		ID jsontext.Value `json:"id"`
	}
	if jsonv2.Unmarshal(text, &e, jsontext.AllowDuplicateNames(true)) != nil {
		return ""
	}
	id, _ := readID(e.ID)
	return id
}

// reason returns what is wrong in an envelope, without naming Go types.
func reason(err error) string {
	if e, ok := errors.AsType[*jsonv2.SemanticError](err); ok {
		return fmt.Sprintf("%.60q has the wrong type", string(e.JSONPointer))
	}
	return err.Error()
}

// distinct reports whether no name of an object stands twice. It does not look
// into the members: what is in arguments and _meta is judged where it is read, and
// answered as a tool's result.
func distinct(object jsontext.Value) bool {
	if object.Kind() != '{' {
		return true
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	names := map[string]bool{}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return false
		}
		text := name.String()
		if names[text] || d.SkipValue() != nil {
			return false
		}
		names[text] = true
	}
	return true
}

// metaOf returns the raw _meta of params if it holds anything of computer.jp.
func metaOf(params jsontext.Value) []byte {
	if !bytes.Contains(params, []byte("computer.jp")) {
		return nil
	}
	var p struct {
		Meta jsontext.Value `json:"_meta"`
	}
	if jsonv2.Unmarshal(params, &p, jsontext.AllowDuplicateNames(true)) != nil {
		return nil
	}
	return p.Meta
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
