// Package peer implements a client for untrusted MCP servers.
//
// A [Session] speaks MCP over a command's streams ([Start]) or HTTP ([Dial]). JP's host, which has its own
// messages, uses the same parts: a command as a stream ([Launch]), messages on lines ([Lines]), a command that
// runs until it exits ([Output]), and a call that is repeated until it has no more questions ([Ask]).
//
// [Limits] bound the memory and the time that a server can make the client use. Messages are kept
// as JSON text until they are read, so large numbers and the order of a schema's properties are
// preserved.
package peer

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Versions of MCP that a session supports.
const (
	// Rounds is the version without sessions, with questions in multi round-trip requests.
	Rounds = "2026-07-28"
	// Sessions is the last version whose sessions start with initialize.
	Sessions = "2025-11-25"
)

// Limits bound how much a server can make its client store, and how long it can make the client wait.
type Limits struct {
	// Message is the maximum size of a message in bytes.
	Message int
	// Exchange is the maximum size in bytes of all messages between a request and its response.
	Exchange int
	// Lists is the maximum size in bytes of all lists of a session. The client reads each list completely, and
	// the text and files that it generates from them are several times as large.
	Lists int
	// Depth is the maximum nesting depth of a message.
	Depth int
	// Items and Pages are the maximum sizes of a list.
	Items, Pages int
	// Silence is the maximum time without a response or a progress report, and the maximum time until a list is
	// complete. It does not include the time that a person takes to answer a question. With progress reports, a
	// request may take [Reports] times as long.
	Silence time.Duration
	// Grace is the time that a server may take to exit after the end of its input.
	Grace time.Duration
}

// DefaultLimits returns limits that leave enough room for real servers.
func DefaultLimits() Limits {
	return Limits{
		Message: 16 << 20, Exchange: 64 << 20, Lists: 4 << 20, Depth: 128, Items: 10_000, Pages: 200,
		Silence: 30 * time.Second, Grace: 2 * time.Second,
	}
}

// Reports limits the time until a response: progress reports can extend it to Reports times Silence.
const Reports = 12

var (
	// ErrEnded means that the server has exited or closed the connection.
	ErrEnded = errors.New("the server exited before it responded")
	// ErrSilent means that the server did not respond to a request in time.
	ErrSilent = errors.New("the server did not respond")
	// ErrTooMuch means that a server sent more than the limits allow.
	ErrTooMuch = errors.New("the server sent too much data")
	// ErrMalformed means that a response does not follow the protocol.
	ErrMalformed = errors.New("the server's response is malformed")
)

// A RemoteError is a JSON-RPC error response from the server.
type RemoteError struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data"`
}

// Error returns the server's message and code.
func (e *RemoteError) Error() string {
	return fmt.Sprintf("the server returned an error: %s (%d)", e.Message, e.Code)
}

// Direction says whether the client sent or received a message.
type Direction string

// Directions of a message.
const (
	Sent     Direction = "→"
	Received Direction = "←"
)

// Progress is the progress of a call (MCP 2025-11-25, Progress). Total is 0 if the server does not know it.
type Progress struct {
	Done    float64 `json:"progress"`
	Total   float64 `json:"total"`
	Message string  `json:"message"`
}

// A Log is a log record from the server (MCP 2025-11-25, Logging).
type Log struct {
	Level string         `json:"level"`
	Data  jsontext.Value `json:"data"`
}

// An Elicitation is a question from the server to the user (MCP 2025-11-25, Elicitation).
type Elicitation struct {
	// Key identifies the question: its id in the contract, or its key in a multi round-trip request.
	Key     string         `json:"-"`
	Mode    string         `json:"mode"`
	Message string         `json:"message"`
	URL     string         `json:"url"`
	Schema  jsontext.Value `json:"requestedSchema"`
}

// A Response is the response to an [Elicitation]: the action accept, decline or cancel, and the completed form.
type Response struct {
	Action  string         `json:"action"`
	Content jsontext.Value `json:"content,omitzero"`
}
