// Package abuse sends a server what no client should, and judges what comes back.
package abuse

import (
	"strings"

	"github.com/jptool/jptool/bench/internal/request"
)

// A Want is how a server should answer.
type Want int

const (
	Silence  Want = iota // not at all
	Result               // with a result that is no error
	Refusal              // with a result that is an error, or with invalid params
	Failure              // with an error of JSON-RPC
	Absent               // with the error of a method that does not exist
	Anything             // with whatever answers the caller
)

// A Case is one line that is sent to a server.
type Case struct {
	Group, Name string
	Line        string
	ID          string // the JSON of the id that the answer must have
	Want        Want
}

// id is that of the cases' calls.
const id = 41

// Cases returns all cases for a generation of MCP.
func Cases(era request.Era) []Case {
	all := framing(era)
	all = append(all, envelopes(era)...)
	all = append(all, arguments(era)...)
	all = append(all, meta(era)...)
	return append(all, resources(era)...)
}

func call(era request.Era) string { return request.Call(era, id, request.Arguments) }

// swap returns the line of a good call in which old is replaced.
func swap(era request.Era, old, by string) string { return strings.Replace(call(era), old, by, 1) }

// pipes reports whether a case makes sense on standard streams alone. Over HTTP an empty
// body is a request all the same, and the name of a tool is a header field in the
// generation without sessions.
func (c Case) pipes(era request.Era) bool {
	return c.Want == Silence && strings.TrimSpace(c.Line) == "" ||
		c.Name == "tool of 1 MB" && era == request.Requests
}
