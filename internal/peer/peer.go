// Package peer is the client: it talks with an MCP server that is not trusted.
//
// A [Session] speaks MCP over a command's streams ([Start]) or HTTP ([Dial]). JP's host, which has protocol messages of its
// own, stands on the same parts: a command as a stream ([Launch]), messages on lines ([Lines]), a command that is run to its
// end ([Output]), and a call that is repeated until it asks nothing more ([Ask]).
//
// Whatever the server sends, and however long it takes, what is kept of it is bounded by [Limits].
// Messages stay text until they are read, so that large numbers and the order of a schema's
// properties come through as the server wrote them.
package peer

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// The versions of MCP that a session speaks.
const (
	// Rounds is the version that has no sessions, and asks by multi round-trip requests.
	Rounds = "2026-07-28"
	// Sessions is the last version that is opened by initialize.
	Sessions = "2025-11-25"
)

// Limits bound what a server can make its client keep, and how long it can make it wait.
type Limits struct {
	// Message is the most bytes of one message.
	Message int
	// Exchange is the most bytes of all messages between a request and its answer, and of all pages of a list.
	Exchange int
	// Depth is how deep a message may nest.
	Depth int
	// Items and Pages bound a list.
	Items, Pages int
	// Silence is how long a request may go without an answer or a report of progress. A person who
	// is asked something takes as long as they take.
	Silence time.Duration
	// Grace is how long a server may take to end when its input ends.
	Grace time.Duration
}

// DefaultLimits are generous to real servers.
func DefaultLimits() Limits {
	return Limits{
		Message: 16 << 20, Exchange: 64 << 20, Depth: 128, Items: 10_000, Pages: 200,
		Silence: 30 * time.Second, Grace: 2 * time.Second,
	}
}

var (
	// ErrEnded is returned when the server has ended or hung up.
	ErrEnded = errors.New("the server ended before it answered")
	// ErrSilent is returned when a request has gone without an answer for too long.
	ErrSilent = errors.New("the server did not answer")
	// ErrTooMuch is returned when a server sends more than the limits allow.
	ErrTooMuch = errors.New("the server sends too much")
	// ErrMalformed is returned when an answer is not what the protocol says.
	ErrMalformed = errors.New("the server's answer is malformed")
)

// A RemoteError is a JSON-RPC error that the server answered with.
type RemoteError struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data"`
}

// Error returns the server's words, with the code.
func (e *RemoteError) Error() string {
	return fmt.Sprintf("the server refuses: %s (%d)", e.Message, e.Code)
}

// Direction is that of a message, seen from here.
type Direction string

// The directions of a message.
const (
	Sent     Direction = "→"
	Received Direction = "←"
)

// Progress is how far a call has come (MCP 2025-11-25, Progress). Total is 0 where the server does
// not know it.
type Progress struct {
	Done    float64 `json:"progress"`
	Total   float64 `json:"total"`
	Message string  `json:"message"`
}

// An Elicitation is a question of the server to the user (MCP 2025-11-25, Elicitation).
type Elicitation struct {
	// Key names the question: by its id in the contract, or as multi round-trip requests do.
	Key     string         `json:"-"`
	Mode    string         `json:"mode"`
	Message string         `json:"message"`
	URL     string         `json:"url"`
	Schema  jsontext.Value `json:"requestedSchema"`
}

// A Response is what became of an [Elicitation]: an action, accept, decline or cancel, and the object
// that was filled in.
type Response struct {
	Action  string         `json:"action"`
	Content jsontext.Value `json:"content,omitzero"`
}
