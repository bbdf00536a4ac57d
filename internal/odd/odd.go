// Package odd checks that the answer of a server to a message does not depend on the transport or
// on the time at which the message arrives, even if the message is odd.
//
// [Calls] and [Messages] generate odd messages, which are the same for the same seed. A [Moment] sends a message
// to a server in some state over some transport. [Compare] sends messages at several moments and reports the
// kinds of differences between the answers, except the differences in [Orders]:
//
//	moments := []odd.Moment{
//		odd.LaterLine(open, odd.Sessions), // the reference for the others
//		odd.FirstLine(open, odd.Sessions),
//		endpoint.Session(),
//	}
//	report, err := odd.Compare(ctx, moments, odd.Calls(odd.Sessions, 1, 600), 2)
//
// The messages call tools of package fixture that answer immediately and change nothing. Only tests import this
// package.
package odd

import (
	"fmt"
	"strings"
)

// A Generation identifies a version of MCP, with or without sessions.
type Generation string

// Generations of MCP.
const (
	Sessions Generation = "2025-11-25" // initialize opens a session
	Requests Generation = "2026-07-28" // each request identifies its client
)

// A Message is a line to send to a server.
type Message struct {
	Name string // what is odd about the message
	Text string // without the line ending
}

// id is the request id of all messages whose id is valid.
const id = "41"

const (
	keyVersion      = `"io.modelcontextprotocol/protocolVersion"`
	keyInfo         = `"io.modelcontextprotocol/clientInfo"`
	keyCapabilities = `"io.modelcontextprotocol/clientCapabilities"`
)

// members returns the members of _meta that a client of the generation sends.
func (g Generation) members() string {
	if g == Sessions {
		return ""
	}
	return keyVersion + `:"2026-07-28",` + keyInfo + `:{"name":"odd","version":"1"},` + keyCapabilities + `:{}`
}

// fill returns a message of the generation from a template. In the template, @id stands for the
// usual id. @meta stands for a comma and the _meta member, if the generation requires it. @in
// stands for the members of _meta, followed by a comma.
func (g Generation) fill(template string) string {
	in, meta := "", ""
	if members := g.members(); members != "" {
		in, meta = members+",", `,"_meta":{`+members+`}`
	}
	return strings.NewReplacer("@id", id, "@meta", meta, "@in", in).Replace(template)
}

// call returns a call to the echo tool whose params have the given members.
func (g Generation) call(params string) string {
	return g.fill(`{"jsonrpc":"2.0","id":@id,"method":"tools/call","params":{` + params + `}}`)
}

// good holds the members of the params of a valid call.
const good = `"name":"echo","arguments":{"text":"safe"}@meta`

// Calls returns tool calls: all handwritten calls and a number of random calls.
func Calls(g Generation, seed uint64, random int) []Message {
	all := byHand(g)
	r := newRandom(seed)
	for i := range random {
		all = append(all, Message{fmt.Sprintf("random call %d of seed %d", i, seed), r.mutate(r.call(g))})
	}
	return all
}

// Messages returns n random messages of all kinds and versions: requests of all methods, notifications and
// responses, with valid and invalid params.
func Messages(g Generation, seed uint64, n int) []Message {
	r := newRandom(seed)
	all := make([]Message, n)
	for i := range all {
		tree := r.message(g)
		text := tree.String()
		if r.IntN(3) > 0 {
			text = r.mutate(tree)
		}
		all[i] = Message{fmt.Sprintf("random message %d of seed %d", i, seed), text}
	}
	return all
}
