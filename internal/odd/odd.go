// Package odd holds servers to one answer: whatever a message looks like, and whenever
// and by whichever wire it comes, it is answered alike.
//
// [Calls] and [Messages] generate odd messages, the same ones from the same seed. A
// [Moment] sends a message to a server at some time over some wire, and [Compare] sends
// messages at several moments and tells by kinds which answers differ but for [Orders]:
//
//	moments := []odd.Moment{
//		odd.LaterLine(open, odd.Sessions), // the one that the others are compared with
//		odd.FirstLine(open, odd.Sessions),
//		endpoint.Session(),
//	}
//	report, err := odd.Compare(ctx, moments, odd.Calls(odd.Sessions, 1, 600), 2)
//
// The tools that are called are those of package fixture that answer at once and change
// nothing. Only tests import this package.
package odd

import (
	"fmt"
	"strings"
)

// A Generation is a generation of MCP.
type Generation string

// The generations of MCP.
const (
	Sessions Generation = "2025-11-25" // A session is opened by initialize.
	Requests Generation = "2026-07-28" // Each request says for itself who sends it.
)

// A Message is a line that is sent to a server.
type Message struct {
	Name string // what is odd about it
	Text string // without the end of the line
}

// id is that of messages whose id is not what is odd about them.
const id = "41"

const (
	keyVersion      = `"io.modelcontextprotocol/protocolVersion"`
	keyInfo         = `"io.modelcontextprotocol/clientInfo"`
	keyCapabilities = `"io.modelcontextprotocol/clientCapabilities"`
)

// members returns what a client of the generation puts into _meta.
func (g Generation) members() string {
	if g == Sessions {
		return ""
	}
	return keyVersion + `:"2026-07-28",` + keyInfo + `:{"name":"odd","version":"1"},` + keyCapabilities + `:{}`
}

// fill returns a message of the generation made of a template: @id is the usual id,
// @meta the member _meta after a comma, where the generation has one, and @in what the
// generation puts into _meta, before a comma.
func (g Generation) fill(template string) string {
	in, meta := "", ""
	if members := g.members(); members != "" {
		in, meta = members+",", `,"_meta":{`+members+`}`
	}
	return strings.NewReplacer("@id", id, "@meta", meta, "@in", in).Replace(template)
}

// call returns a call of the tool echo, with other members of params.
func (g Generation) call(params string) string {
	return g.fill(`{"jsonrpc":"2.0","id":@id,"method":"tools/call","params":{` + params + `}}`)
}

// good are the members of params of a good call.
const good = `"name":"echo","arguments":{"text":"safe"}@meta`

// Calls returns calls of tools: those made by hand, and so many random ones.
func Calls(g Generation, seed uint64, random int) []Message {
	all := byHand(g)
	r := newRandom(seed)
	for i := range random {
		all = append(all, Message{fmt.Sprintf("random call %d of seed %d", i, seed), r.mutate(r.call(g))})
	}
	return all
}

// Messages returns so many random messages of every kind: requests of all methods,
// notifications and responses, with fitting and other params, of all versions.
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
