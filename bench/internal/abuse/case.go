// Package abuse sends invalid and hostile input to a server, and checks its responses.
package abuse

import (
	"strings"

	"github.com/jptool/jptool/bench/internal/request"
)

// A Want is the expected response from a server.
type Want int

const (
	Silence  Want = iota // no response
	Result               // a result that is not an error
	Refusal              // a result that is an error, or invalid params
	Failure              // a JSON-RPC error
	Absent               // the JSON-RPC error for a method that does not exist
	Anything             // any response
)

// A Case is one line that is sent to a server.
type Case struct {
	Group, Name string
	Line        string
	ID          string // the JSON id that the response must have
	Want        Want
}

// id is the id of the calls in the cases.
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

// swap replaces old with by in the line of a valid call.
func swap(era request.Era, old, by string) string { return strings.Replace(call(era), old, by, 1) }

// pipes reports whether a case is only for stdio. Over HTTP, an empty body is still a request, and
// the name of a tool is a header field in the generation without sessions.
func (c Case) pipes(era request.Era) bool {
	return c.Want == Silence && strings.TrimSpace(c.Line) == "" ||
		c.Name == "tool of 1 MB" && era == request.Requests
}
