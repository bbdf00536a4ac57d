package peer

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// A message is a JSON-RPC 2.0 message of any kind.
type message struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	Result jsontext.Value `json:"result"`
	Error  *RemoteError   `json:"error"`
}

// readMessage parses one message. It returns an error for invalid JSON and for a nesting depth of more than
// limit. Lone surrogates become the replacement character.
func readMessage(data []byte, limit int) (message, error) {
	var m message
	data = rawjson.NoMark(data)
	if rawjson.Depth(data) > limit {
		return m, fmt.Errorf("%w: a message with more than %d levels of nesting", ErrTooMuch, limit)
	}
	err := json.Unmarshal(data, &m)
	if err == nil {
		return m, nil
	}
	if _, invalid := jsontext.AppendFormat(nil, data); invalid != nil {
		err = invalid // decoding stops at the first value of a wrong type
	}
	if text, ok := rawjson.Mend(data); ok {
		m = message{}
		if err = json.Unmarshal(text, &m); err == nil {
			return m, nil
		}
		if text[0] == '[' {
			return m, fmt.Errorf("%w: it is a list of messages, which MCP does not allow", ErrMalformed)
		}
	}
	return m, fmt.Errorf("%w: %s", ErrMalformed, reasonOf(err))
}

// params holds the parameters of all requests. Each method uses some of the fields.
type params struct {
	Meta            map[string]any      `json:"_meta,omitempty"`
	ProtocolVersion string              `json:"protocolVersion,omitempty"`
	Capabilities    map[string]any      `json:"capabilities,omitzero"`
	ClientInfo      map[string]any      `json:"clientInfo,omitempty"`
	Name            string              `json:"name,omitempty"`
	URI             string              `json:"uri,omitempty"`
	Arguments       jsontext.Value      `json:"arguments,omitzero"`
	Cursor          *string             `json:"cursor,omitzero"`
	Ref             map[string]any      `json:"ref,omitempty"`
	Argument        map[string]any      `json:"argument,omitempty"`
	Context         map[string]any      `json:"context,omitempty"`
	RequestState    string              `json:"requestState,omitempty"`
	TaskID          string              `json:"taskId,omitempty"`
	InputResponses  map[string]Response `json:"inputResponses,omitempty"`
	RequestID       int64               `json:"requestId,omitzero"`
	Reason          string              `json:"reason,omitempty"`
	Level           string              `json:"level,omitempty"`
}

// A request is a message to send, with the data for its HTTP headers.
type request struct {
	data         []byte
	method, name string
	mirrored     map[string]string // arguments that are repeated in headers, keyed by header name
	answered     bool              // whether the server must respond
	id           int64             // the id, for requests that have a response
}

// encode returns a message on one line.
func encode(v any) ([]byte, error) {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("writing a message: %w", err)
	}
	// Raw parts keep their white space, and a newline would end the message.
	if bytes.IndexByte(data, '\n') >= 0 {
		text := jsontext.Value(data)
		if err := text.Compact(); err != nil {
			return nil, fmt.Errorf("writing a message: %w", err)
		}
		data = text
	}
	return data, nil
}

type outgoingMessage struct {
	Version string  `json:"jsonrpc"`
	ID      *int64  `json:"id,omitempty"`
	Method  string  `json:"method"`
	Params  *params `json:"params,omitempty"`
}

type answer struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  any            `json:"result,omitzero"`
	Error   *refusal       `json:"error,omitempty"`
}

type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}
