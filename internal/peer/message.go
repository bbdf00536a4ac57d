package peer

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A message is one of JSON-RPC 2.0, of any kind.
type message struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	Result jsontext.Value `json:"result"`
	Error  *RemoteError   `json:"error"`
}

// readMessage reads one message. What is not JSON, or nests deeper than most, is an error.
func readMessage(data []byte, most int) (message, error) {
	var m message
	if nests(data) > most {
		return m, fmt.Errorf("%w: it nests deeper than %d", ErrTooMuch, most)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return m, nil
}

// nests returns how deep a text nests, if it is JSON.
func nests(data []byte) int {
	depth, deepest, inString := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// params are those of every request that is sent; each method has its own of them.
type params struct {
	Meta            map[string]any      `json:"_meta,omitempty"`
	ProtocolVersion string              `json:"protocolVersion,omitempty"`
	Capabilities    map[string]any      `json:"capabilities,omitzero"`
	ClientInfo      map[string]any      `json:"clientInfo,omitempty"`
	Name            string              `json:"name,omitempty"`
	Arguments       jsontext.Value      `json:"arguments,omitzero"`
	Cursor          string              `json:"cursor,omitempty"`
	RequestState    string              `json:"requestState,omitempty"`
	InputResponses  map[string]Response `json:"inputResponses,omitempty"`
	RequestID       int64               `json:"requestId,omitzero"`
	Reason          string              `json:"reason,omitempty"`
}

// A request is a message that is sent, and what HTTP says of it in headers.
type request struct {
	data         []byte
	method, name string
	mirrored     map[string]string // arguments that go along in headers, by the name of the header
	answered     bool              // whether the server is to answer
	id           int64             // of a request that is answered
}

// encode returns a message as one line.
func encode(v any) ([]byte, error) {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("writing a message: %w", err)
	}
	// Raw parts keep their blanks, and a newline would end the message.
	if bytes.IndexByte(data, '\n') >= 0 {
		text := jsontext.Value(data)
		if err := text.Compact(); err != nil {
			return nil, fmt.Errorf("writing a message: %w", err)
		}
		data = text
	}
	return data, nil
}

type outgoing struct {
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
