// Package request defines the MCP messages that the driver sends.
package request

import (
	"fmt"
	"strings"

	"github.com/jptool/jptool/bench/internal/search"
)

// An Era is a generation of MCP.
type Era string

const (
	Sessions Era = "2025-11-25" // A session is opened by initialize.
	Requests Era = "2026-07-28" // Each request contains the data of its client.
)

// Eras are the generations that are measured.
var Eras = []Era{Sessions, Requests}

// Initialize opens a session; its id is 0.
const Initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`

// Initialized is the notification that tells the server that the session is open.
const Initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

// Arguments are the arguments of a call.
const Arguments = `{"query":"harbour lights","folder":"inbox/2026","kind":"note","limit":20,"offset":40,` +
	`"tags":["travel","letters"],"window":{"from":"2026-01-01","to":"2026-06-30","zone":"Europe/Lisbon"},"archived":true}`

// Invalid returns arguments with a number above its maximum.
func Invalid() string { return strings.Replace(Arguments, `"limit":20`, `"limit":2000`, 1) }

// Large returns arguments whose query has size bytes.
func Large(size int) string {
	return strings.Replace(Arguments, "harbour lights", strings.Repeat("harbour lights, ", size/16), 1)
}

// Call returns a call to the first tool.
func Call(era Era, id int, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s%s}}`,
		id, search.Name(1), arguments, era.meta(","))
}

// SessionHeader is the header field that names a session.
const SessionHeader = "Mcp-Session-Id"

// Headers returns the header fields of an HTTP request with the given method and name, in the given session; ""
// means no session.
func Headers(era Era, method, name, session string) []string {
	fields := []string{"Content-Type: application/json", "Accept: application/json, text/event-stream"}
	switch {
	case era == Requests:
		fields = append(fields, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: "+method)
		if name != "" {
			fields = append(fields, "Mcp-Name: "+name)
		}
	case session != "":
		fields = append(fields, "MCP-Protocol-Version: 2025-11-25", SessionHeader+": "+session)
	}
	return fields
}

// Post returns the bytes of an HTTP request.
func Post(host, path string, fields []string, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\n%s\r\nContent-Length: %d\r\n\r\n%s",
		path, host, strings.Join(fields, "\r\n"), len(body), body)
}

// PostCall returns the bytes of an HTTP request that calls the first tool.
func PostCall(host, path string, era Era, session string, id int, arguments string) []byte {
	return Post(host, path, Headers(era, "tools/call", search.Name(1), session), Call(era, id, arguments))
}

// List returns a tools/list request.
func List(era Era, id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s}}`, id, era.meta(""))
}

func (e Era) meta(separator string) string {
	if e == Sessions {
		return ""
	}
	return separator + `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
}
