package odd

import (
	"slices"
	"strings"
)

// An Order is a difference between answers that a specification requires.
type Order struct {
	// Section is the section of the specification, and Why is the reason for the difference.
	Section, Why string

	moments []string
	holds   func(p parts, want, got string) bool
}

// Orders holds all allowed differences between the answers to a message. Without one of these reasons, the
// answers at all moments must be the same.
var Orders = []Order{
	{
		Section: "MCP 2025-11-25, Transports, Session Management",
		Why:     "initialize without a session id opens a session; in an open session it is rejected",
		moments: []string{withoutSession},
		holds: func(p parts, want, got string) bool {
			return p.method == "initialize" && p.request && got == "result" &&
				want == "error -32600 invalid request: the session is already open; send initialize only once"
		},
	},
	{
		Section: "MCP 2025-11-25, Lifecycle",
		Why:     "in a session, a request without a version belongs to the session",
		moments: []string{inOlderSession},
		holds:   func(p parts, _, _ string) bool { return p.version == "" },
	},
	{
		Section: "MCP 2026-07-28, Streamable HTTP, Protocol Version Header",
		Why:     "the header of a request in a session contains the session's version, and _meta must contain the same version",
		moments: []string{inSession},
		holds: func(p parts, _, got string) bool {
			return p.version == string(Requests) && strings.HasPrefix(got, "error -32020 ")
		},
	},
	{
		Section: "MCP 2026-07-28, Streamable HTTP, Server Validation",
		Why:     "a method or a version that is not a valid header value cannot match its header",
		moments: []string{withoutSession},
		holds: func(p parts, _, got string) bool {
			return !isHeaderValue(p.method) && strings.HasPrefix(got, "error -32020 ") ||
				!isHeaderValue(p.version) && strings.HasPrefix(got, "another error -32022 ")
		},
	},
	{
		Section: "MCP 2025-11-25, Transports, Protocol Version Header",
		Why:     "a notification with an unsupported version gets status 400 and an error without id",
		moments: []string{withoutSession},
		holds: func(p parts, want, got string) bool {
			return !p.request && want == nothing && got == "error -32022 unsupported protocol version with id null"
		},
	},
	{
		Section: "MCP 2025-11-25, Transports, Sending Messages to the Server",
		Why:     "a POST must contain a message, and an empty line is not a message",
		moments: []string{inSession, withoutSession},
		holds: func(p parts, want, got string) bool {
			return p.empty && want == nothing && strings.HasPrefix(got, "error -32700 ")
		},
	},
}

// requirement returns the section that requires a difference, or "" if the answers must be equal.
func requirement(at Moment, m Message, want, got []answer) string {
	wanted, came := shape(want), shape(got)
	if wanted == came {
		came = "another " + came
	}
	p := partsOf(m.Text)
	for _, o := range Orders {
		if slices.Contains(o.moments, at.Name) && o.holds(p, wanted, came) {
			return o.Section
		}
	}
	return ""
}
