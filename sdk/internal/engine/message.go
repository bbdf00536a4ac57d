package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Message is a JSON-RPC message. Names are matched exactly and may not repeat: a filter
// in front of the server must not read another call than the server does. Its parts alias
// the text that was read.
type Message struct {
	// Text is the whole message.
	Text []byte
	// ID is the JSON text of the id, nil for a notification.
	ID jsontext.Value
	// Method is "" for a response.
	Method string
	// Params is an object, or nil.
	Params jsontext.Value
	// Result and Failure are those of a response.
	Result, Failure jsontext.Value

	call callParams // what params hold if this is a call of a tool
	meta requestMeta

	version    []byte
	isRequest  bool
	duplicates bool // a member name repeats
	wrong      bool // the method is no string
	metaless   bool // _meta is no object
}

// A callParams is the params of a tools/call.
type callParams struct {
	name      []byte
	hasName   bool
	arguments json.RawMessage
	// state and responses are what a later round brings.
	state     jsontext.Value
	responses jsontext.Value
}

// A requestMeta is what _meta says for MCP.
type requestMeta struct {
	// text is the whole of _meta, nil for none.
	text json.RawMessage
	// named is the protocol version, whatever it is.
	named jsontext.Value
	// capable says that there are capabilities, an object; elicitation is the text of that
	// one, if it is an object.
	capable     bool
	elicitation json.RawMessage
	// token is the text of the progress token, a string or an integer; nil for none.
	token json.RawMessage
	// level is the level from which on the request asks for what is logged.
	level jsontext.Value
}

const (
	keyVersion      = "io.modelcontextprotocol/protocolVersion"
	keyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	keyServerInfo   = "io.modelcontextprotocol/serverInfo"
	keyLogLevel     = "io.modelcontextprotocol/logLevel"
	keySubscription = "io.modelcontextprotocol/subscriptionId"
)

// IsCall reports whether the message is a request that is answered.
func (m *Message) IsCall() bool { return m.isRequest && m.ID != nil }

// Opens reports whether the message asks for a session.
func (m *Message) Opens() bool { return m.Method == methodInitialize && m.ID != nil }

// Version returns the version that the message names for itself, "" for none or what is no
// string.
func (m *Message) Version() string {
	text, _ := unquoted(m.meta.named)
	return string(text)
}

// Subject returns the name of the tool or prompt, or the URI of the resource, that a
// request is about, and false for a method that has none or params that lack it.
func (m *Message) Subject() (subject string, ok bool) {
	switch m.Method {
	case methodCall, methodPrompt:
		return string(m.call.name), m.call.hasName
	case methodRead:
		var p struct {
			URI jsontext.Value `json:"uri"`
		}
		if jsonv2.Unmarshal(m.Params, &p) != nil {
			return "", false
		}
		text, isString := unquoted(p.URI)
		return string(text), isString
	}
	return "", false
}

// HasSubject reports whether a method is about something that [Message.Subject] tells.
func (m *Message) HasSubject() bool {
	return m.Method == methodCall || m.Method == methodPrompt || m.Method == methodRead
}

// Arguments returns the arguments of a call of a tool.
func (m *Message) Arguments() json.RawMessage { return m.call.arguments }

// isResponse reports whether the message answers a request of ours.
func (m *Message) isResponse() bool { return !m.isRequest && (m.Result != nil || m.Failure != nil) }

// A Refusal is why a message cannot be taken.
type Refusal struct {
	// Answer is what its sender is told, nil if no one waits for an answer.
	Answer *Answer
	Reason string
}

func (r *Refusal) Error() string { return r.Reason }

// Refuse returns the refusal of a message with an id, whose JSON text it is.
func Refuse(id []byte, err *Error) *Refusal {
	return &Refusal{Answer: &Answer{ID: bytes.Clone(id), Error: err}, Reason: err.Message}
}

// TooLong returns the refusal of a message that is longer than the limit in bytes.
func TooLong(limit int) *Refusal {
	return Refuse(nil, badRequest(sprintf("the message is longer than %d bytes", limit)))
}

// Trim returns a message without the white space around it, which is JSON's alone, and
// without a byte order mark, which JSON lets a reader ignore (RFC 8259, section 8.1).
func Trim(text []byte) []byte {
	return bytes.Trim(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), " \t\r\n")
}

// messages are those that can be used again.
var messages = sync.Pool{New: func() any { return new(Message) }}

// Read reads a message, which was trimmed. The error is a *[Refusal].
func Read(text []byte) (*Message, error) {
	m := messages.Get().(*Message)
	m.Text = text
	if err := m.decode(text); err != nil {
		m.free()
		return nil, err
	}
	return m, nil
}

// free has the message used again.
func (m *Message) free() {
	*m = Message{}
	messages.Put(m)
}

func (m *Message) decode(text []byte) error {
	if err := m.read(text); err != nil {
		refused := unreadable(text, err)
		// The id of a response is that of a request of ours.
		if err == errTwice && m.isResponse() {
			refused.Answer = nil
		}
		return refused
	}
	return m.check()
}

// check returns why the envelope is not one of JSON-RPC.
func (m *Message) check() error {
	id, ok := readID(m.ID)
	m.ID = id
	switch {
	case m.isResponse():
		return nil // which no one waits to have answered
	case !ok:
		return Refuse(nil, badRequest("an id must be a string or an integer"))
	case string(m.version) != "2.0":
		return Refuse(id, badRequest(`"jsonrpc" must be "2.0"`))
	case m.wrong:
		return Refuse(id, badRequest(`"method" must be a string`))
	case !m.isRequest:
		return Refuse(id, badRequest(`"method" is missing`))
	case m.Result != nil || m.Failure != nil:
		return Refuse(id, badRequest("a message with a method must have no result and no error"))
	}
	switch m.Params.Kind() {
	case 0, '{':
		return nil
	case 'n':
		m.Params = nil
		return nil
	}
	refused := Refuse(id, invalid(`"params" must be an object`))
	if id == nil {
		refused.Answer = nil
	}
	return refused
}

// read reads the members of the message.
func (m *Message) read(text []byte) error {
	r := newReader(text)
	defer r.free()
	_, once, err := r.object(func(name []byte) error {
		if string(name) == "params" && r.kind() == '{' {
			return m.readParams(r)
		}
		value, err := r.value()
		if err != nil {
			return err
		}
		switch string(name) {
		case "jsonrpc":
			m.version, _ = unquoted(value)
		case "id":
			m.ID = value
		case "method":
			method, isString := unquoted(value)
			m.Method, m.isRequest, m.wrong = methodName(method), true, m.wrong || !isString
		case "params":
			m.Params = value
		case "result":
			m.Result = value
		case "error":
			m.Failure = value
		}
		return nil
	})
	if err == nil {
		err = r.end()
	}
	if err == nil && (m.duplicates || !once) {
		err = errTwice
	}
	return err
}

// readParams reads the params of a message, an object, as those of a call at the same time.
func (m *Message) readParams(r *reader) error {
	c := &m.call
	text, once, err := r.object(func(name []byte) error {
		if string(name) == "_meta" && r.kind() == '{' {
			return m.readMeta(r)
		}
		value, err := r.value()
		if err != nil {
			return err
		}
		switch string(name) {
		case "name":
			c.name, c.hasName = unquoted(value)
		case "arguments":
			// Arguments are judged by the tool, and answered as its result.
			c.arguments = json.RawMessage(value)
			return nil
		case "_meta":
			m.metaless = value.Kind() != 'n'
		case "requestState":
			c.state = value
		case "inputResponses":
			c.responses = value
		}
		if value.Kind() == '{' {
			m.duplicates = m.duplicates || !value.IsValid()
		}
		return nil
	})
	m.Params, m.duplicates = text, m.duplicates || !once
	return err
}

func (m *Message) readMeta(r *reader) error {
	text, once, err := r.object(func(name []byte) error {
		if string(name) == keyCapabilities && r.kind() == '{' {
			m.meta.capable = true
			return m.readCapabilities(r)
		}
		value, err := r.value()
		if err != nil {
			return err
		}
		switch string(name) {
		case "progressToken":
			if value.Kind() == '"' || value.Kind() == '0' && isInteger(value) {
				m.meta.token = json.RawMessage(value)
			}
		case keyVersion:
			m.meta.named = value
		case keyLogLevel:
			m.meta.level = value
		}
		return nil
	})
	m.meta.text = json.RawMessage(text)
	m.duplicates = m.duplicates || !once
	return err
}

func (m *Message) readCapabilities(r *reader) error {
	_, once, err := r.object(func(name []byte) error {
		value, err := r.value()
		if string(name) == "elicitation" && value.Kind() == '{' {
			m.meta.elicitation = json.RawMessage(value)
		}
		return err
	})
	m.duplicates = m.duplicates || !once
	return err
}

// unreadable returns why a text is no message.
func unreadable(text []byte, err error) *Refusal {
	switch {
	case err == errTwice:
		return Refuse(idOf(text), badRequest(err.Error()))
	case err == errSyntax || !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)):
		return Refuse(nil, &Error{Code: CodeParse, Message: "parse error: " + errSyntax.Error()})
	case text[0] == '[':
		return Refuse(nil, badRequest("JSON-RPC batches are not supported; send one message at a time"))
	}
	return Refuse(nil, badRequest(errNotObject.Error()))
}

// readID returns the text of an id, nil for none. Null is refused: MCP forbids it
// in requests, and taking it for a notification would leave the caller waiting. So is a
// number with a fraction, which is no id of MCP's.
func readID(id jsontext.Value) (text jsontext.Value, ok bool) {
	switch id.Kind() {
	case 0:
		return nil, true
	case '"':
		return id, true
	case '0':
		if isInteger(id) {
			return id, true
		}
	}
	return nil, false
}

// idOf returns the first id of a message that cannot be taken, nil where there is
// none that a caller could be waiting for.
func idOf(text []byte) []byte {
	r := newReader(text)
	defer r.free()
	var id jsontext.Value
	found := errors.New("found")
	_, _, _ = r.object(func(name []byte) error {
		value, err := r.value()
		if err == nil && string(name) == "id" {
			id, _ = readID(value)
			err = found
		}
		return err
	})
	return id
}
