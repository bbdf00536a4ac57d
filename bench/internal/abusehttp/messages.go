package abusehttp

import (
	"strings"

	"github.com/jptool/jptool/bench/internal/request"
)

// An exchange is an unusual request and its expected response.
type exchange struct {
	group, name string
	verb        string // "" means POST
	host        string // "" means the server's host
	body        func(Target) string
	fields      func([]string) []string // changes the header fields
	judge       judge
}

// run sends the request, and then an ordinary one.
func (x exchange) run(t Target, era request.Era) (string, error) {
	return with(t.Search(era), era, func(s *server) (string, error) {
		fields := request.Headers(era, "tools/call", "search_1", s.session)
		if x.fields != nil {
			fields = x.fields(fields)
		}
		host, verb, body := x.host, x.verb, ""
		if host == "" {
			host = s.Host
		}
		if verb == "" {
			verb = "POST"
		}
		if x.body != nil {
			body = x.body(t)
		}
		r := verb + strings.TrimPrefix(string(request.Post(host, s.Path, fields, body)), "POST")
		a, err := s.ask([]byte(r), 2*patience)
		if err != nil {
			return "", err
		}
		if err := x.judge(a); err != nil {
			return a.String(), err
		}
		return a.String(), s.checkAlive(patience)
	})
}

const id = "41"

// replaceInCall returns the body of a valid call in which by replaces old.
func replaceInCall(era request.Era, old, by string) func(Target) string {
	line := request.Call(era, 41, request.Arguments)
	return func(Target) string { return strings.Replace(line, old, by, 1) }
}

// oversizedCall returns the body of a valid call that is larger than the documented maximum size by the
// given number of bytes.
func oversizedCall(era request.Era, more int) func(Target) string {
	return func(t Target) string {
		const words = "harbour lights"
		line := request.Call(era, 41, request.Arguments)
		return strings.Replace(line, words, words+strings.Repeat("x", t.Most+more-len(line)), 1)
	}
}

// messages returns unusual bodies.
func messages(era request.Era) []exchange {
	m := func(name, old, by string, j judge) exchange {
		return exchange{group: "messages", name: name, body: replaceInCall(era, old, by), judge: j}
	}
	absent := 200
	if era == request.Requests {
		absent = 404
	}
	const tool, with = `"name":"search_1"`, `"id":41`
	method := m("an unknown method", "tools/call", "tools/dance", fails(-32601, id, absent))
	method.fields = func(f []string) []string { return set(f, "Mcp-Method", "tools/dance") }
	return []exchange{
		m("an ordinary call", "", "", wantGood(id)),
		m("duplicate tool", tool, tool+`,"name":"search_2"`, wantRejection),
		m("duplicate tool, the valid one last", tool, `"name":"search_2",`+tool, wantRejection),
		m("duplicate arguments", `"arguments":`, `"arguments":{},"arguments":`, wantRejection),
		m("duplicate id", with, `"id":7,"id":41`, wantRejection),
		m("duplicate method", `"method":"tools/call"`, `"method":"tools/list","method":"tools/call"`, wantRejection),
		m("id 1.5", with, `"id":1.5`, wantIntact("1.5")),
		m("id beyond 2^53", with, `"id":9007199254740993`, wantIntact("9007199254740993")),
		m("id 1e30", with, `"id":1e30`, wantIntact("1e30")),
		m("null id", with, `"id":null`, wantRejection),
		m("id as an object", with, `"id":{}`, wantRejection),
		{group: "messages", name: "trailing value", judge: wantRejection,
			body: func(Target) string { return request.Call(era, 41, request.Arguments) + ` {"x":1}` }},
		{group: "messages", name: "a batch", judge: wantRejection,
			body: func(Target) string { return "[" + request.Call(era, 41, request.Arguments) + "]" }},
		m("a value 900 levels deep", `["travel","letters"]`, strings.Repeat("[", 900)+strings.Repeat("]", 900), wantResponse(id)),
		m("a value 5,000 levels deep", `["travel","letters"]`, strings.Repeat("[", 5000)+strings.Repeat("]", 5000), wantResponse(id)),
		m("a value 100,000 levels deep", `["travel","letters"]`, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000), wantRejection),
		{group: "messages", name: "the longest message", body: oversizedCall(era, 0), judge: wantGood(id)},
		{group: "messages", name: "a message that is one byte too long", body: oversizedCall(era, 1), judge: wantRejection},
		{group: "messages", name: "missing body", judge: wantRejection},
		{group: "messages", name: "white space", body: func(Target) string { return " \r\n" }, judge: wantRejection},
		method,
	}
}
