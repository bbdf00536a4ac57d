// Package rpc reads and writes the JSON-RPC messages of MCP.
package rpc

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/decode"
)

// A Message is a JSON-RPC message. Member names are case-sensitive and unique, so that a
// filter in front of the server reads the same call as the server. Its fields alias the input.
type Message struct {
	Text            []byte         // the whole message
	ID              jsontext.Value // nil for a notification
	Method          string         // "" for a response
	Params          jsontext.Value // an object, or nil if missing
	Result, Failure jsontext.Value // of a response

	// Members of params. Meta and the members below are from its _meta.
	Name             []byte // nil if missing or not a string
	Arguments        json.RawMessage
	State, Responses jsontext.Value  // of a call that continues an earlier one
	URI              jsontext.Value  // of a resource
	LacksMeta        bool            // _meta is not an object
	Meta             json.RawMessage // JSON text of _meta; nil if missing
	Named            jsontext.Value  // the protocol version, of any JSON type
	Level            jsontext.Value  // the minimum level of log notifications
	Token            json.RawMessage // the progress token, a string or an integer; nil for others
	Elicitation      json.RawMessage // the client capability of that name if it is an object
	IsCapable        bool            // the client capabilities are present and an object
	Tasks            bool            // the client supports tasks

	version []byte         // of JSON-RPC
	method  jsontext.Value // of any JSON type; nil for a response
}

// Keys of MCP in _meta.
const (
	KeyVersion      = "io.modelcontextprotocol/protocolVersion"
	KeyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	KeyServerInfo   = "io.modelcontextprotocol/serverInfo"
	KeyLogLevel     = "io.modelcontextprotocol/logLevel"
	KeySubscription = "io.modelcontextprotocol/subscriptionId"
)

// Opens reports whether the message is an initialize request.
func (m *Message) Opens() bool { return m.Method == MethodInitialize && m.ID != nil }

// Version returns the protocol version in _meta, or "" if it is missing or not a string.
func (m *Message) Version() string {
	text, _ := Unquote(m.Named)
	if string(text) == usual {
		return usual // without a copy
	}
	return string(text)
}

// usual is the version that most requests name.
const usual = "2026-07-28"

// IsResponse reports whether the message is a response.
func (m *Message) IsResponse() bool { return m.method == nil && (m.Result != nil || m.Failure != nil) }

// A Refusal explains why a message was rejected.
type Refusal struct {
	Answer *Answer // the error response, or nil if the sender expects none
	Reason string
}

func (r *Refusal) Error() string { return r.Reason }

// isSyntax reports whether the message is not valid JSON.
func (r *Refusal) isSyntax() bool { return r.Answer != nil && r.Answer.Error.Code == CodeParse }

// Refuse returns a refusal of the message with the given id, as JSON text.
func Refuse(id []byte, err *Error) *Refusal {
	return &Refusal{Answer: &Answer{ID: bytes.Clone(id), Error: err}, Reason: err.Message}
}

// TooLong returns the refusal of a message longer than limit bytes.
func TooLong(limit int) *Refusal {
	return Refuse(nil, BadRequest("the message is longer than "+strconv.Itoa(limit)+" bytes"))
}

// Trim removes JSON white space around a message and a leading byte order mark, which JSON
// permits a reader to ignore (RFC 8259, section 8.1).
func Trim(text []byte) []byte {
	return bytes.Trim(rawjson.NoMark(text), " \t\r\n")
}

var messages = sync.Pool{New: func() any { return new(Message) }}

// Read parses a trimmed message.
func Read(text []byte) (*Message, *Refusal) {
	m := messages.Get().(*Message)
	m.Text = text
	if refused := m.decode(text); refused != nil {
		m.Free()
		if mended, ok := rawjson.Mend(text); ok && refused.isSyntax() {
			return readMended(mended)
		}
		return nil, refused
	}
	return m, nil
}

// readMended reads a message that has lone surrogates, without them. A request is refused under its id, because the
// tool would see another text. A response is accepted: the tool waits for it, and no other one will arrive.
func readMended(text []byte) (*Message, *Refusal) {
	m, refused := Read(text)
	if refused != nil || m.IsResponse() {
		return m, refused
	}
	defer m.Free()
	id := m.ID
	if bytes.Contains(id, []byte("\ufffd")) {
		id = nil // the id itself was not readable
	}
	return nil, Refuse(id, BadRequest("a string has a lone surrogate, such as \\ud83d, which is half of a character; send whole characters"))
}

// Free returns m to the pool.
func (m *Message) Free() {
	*m = Message{}
	messages.Put(m)
}

// decode parses the message, and rejects it if it is not valid JSON-RPC.
func (m *Message) decode(text []byte) *Refusal {
	err := m.read(text)
	kind := m.ID.Kind()
	isID := m.ID == nil || kind == '"' || kind == '0' && decode.IsInteger(m.ID)
	if !isID {
		m.ID = nil
	}
	id := m.ID
	switch {
	case err == errSyntax || err == errNotObject && !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)):
		return Refuse(nil, &Error{Code: CodeParse, Message: "parse error: " + errSyntax.Error()})
	case err == errNotObject && text[0] == '[':
		return Refuse(nil, BadRequest("JSON-RPC batches are not supported; send one message at a time"))
	case err == errNotObject:
		return Refuse(nil, BadRequest(err.Error()))
	case err == errTwice && m.IsResponse():
		return &Refusal{Reason: BadRequest(err.Error()).Message} // the id is that of a request from the server
	case err == errTwice:
		return Refuse(id, BadRequest(err.Error()))
	case m.IsResponse():
		return nil // the sender does not expect an answer
	case !isID:
		// MCP forbids null in requests. Treating such a request as a notification would leave
		// the caller waiting.
		return Refuse(nil, BadRequest(`"id" must be a string or an integer`))
	case string(m.version) != "2.0":
		return Refuse(id, BadRequest(`"jsonrpc" must be "2.0"`))
	case m.method == nil:
		return Refuse(id, BadRequest(`"method" is missing`))
	case m.method.Kind() != '"':
		return Refuse(id, BadRequest(`"method" must be a string`))
	case m.Result != nil || m.Failure != nil:
		return Refuse(id, BadRequest("a message with a method must not have a result or an error"))
	case IsNull(m.Params):
		m.Params = nil
		return nil
	case m.Params.Kind() == '{':
		return nil
	}
	refused := Refuse(id, Invalid(`"params" must be an object`))
	if id == nil {
		refused.Answer = nil
	}
	return refused
}

// read parses the members of the message, and returns the first error.
func (m *Message) read(text []byte) error {
	r := newReader(text)
	defer r.Free()
	for name := range r.object {
		if string(name) == "params" && r.opens() {
			m.readParams(r)
			continue
		}
		value := r.value()
		switch string(name) {
		case "jsonrpc":
			m.version, _ = Unquote(value)
		case "id":
			if m.ID == nil { // if a message has several ids, the answer contains the first one
				m.ID = value
			}
		case "method":
			name, _ := Unquote(value)
			m.method, m.Method = value, methodName(name)
		case "params":
			m.Params = value
		case "result":
			m.Result = value
		case "error":
			m.Failure = value
		}
	}
	if _, err := r.dec.ReadToken(); r.err == nil && err != io.EOF {
		return errSyntax
	}
	if r.err == nil && r.twice {
		return errTwice
	}
	return r.err
}

// readParams parses params, which are an object.
func (m *Message) readParams(r *reader) {
	for name := range r.object {
		if string(name) == "_meta" && r.opens() {
			m.readMeta(r)
			continue
		}
		value := r.value()
		switch string(name) {
		case "name":
			m.Name, _ = Unquote(value)
		case "uri":
			m.URI = value
		case "arguments":
			m.Arguments = json.RawMessage(value)
			continue // the tool validates them, and reports problems as its result
		case "_meta":
			m.LacksMeta = value.Kind() != 'n'
		case "requestState":
			m.State = value
		case "inputResponses":
			m.Responses = value
		}
		if value.Kind() == '{' {
			r.twice = r.twice || !value.IsValid()
		}
	}
	m.Params = r.last
}

func (m *Message) readMeta(r *reader) {
	for name := range r.object {
		if string(name) == KeyCapabilities && r.opens() {
			m.readCapabilities(r)
			continue
		}
		value := r.value()
		switch string(name) {
		case "progressToken":
			if value.Kind() == '"' || value.Kind() == '0' && decode.IsInteger(value) {
				m.Token = json.RawMessage(value)
			}
		case KeyVersion:
			m.Named = value
		case KeyLogLevel:
			m.Level = value
		}
	}
	m.Meta = json.RawMessage(r.last)
}

func (m *Message) readCapabilities(r *reader) {
	m.IsCapable = true
	for name := range r.object {
		if string(name) == "extensions" && r.opens() {
			for name := range r.object {
				if value := r.value(); string(name) == ExtensionTasks {
					m.Tasks = value.Kind() == '{'
				}
			}
			continue
		}
		if value := r.value(); string(name) == "elicitation" && value.Kind() == '{' {
			m.Elicitation = json.RawMessage(value)
		}
	}
}
