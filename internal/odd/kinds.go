package odd

import (
	"strconv"
	"strings"
)

var calls = []string{
	`{"name":"echo","arguments":{"text":"safe","times":2}}`, `{"name":"echo","arguments":{"text":"safe","times":2}}`, `{"name":"names","arguments":{"count":2}}`,
	`{"name":"mirror","arguments":{"counts":{"a":1},"names":["x"],"number":5,"flag":true,"taste":"lemon"}}`,
}

// call returns a valid call to a tool.
func (r random) call(g Generation) *node {
	return request("tools/call", leaf(strconv.Itoa(r.IntN(10_000))), r.meta(g, tree(r.oneOf(calls))))
}

// request returns a request, without params if params is nil and without an id if id is nil.
func request(method string, id, params *node) *node {
	m := (&node{kind: object}).with("jsonrpc", leaf(`"2.0"`))
	if id != nil {
		m.with("id", id)
	}
	m.with("method", leaf(strconv.Quote(method)))
	if params != nil {
		m.with("params", params)
	}
	return m
}

// meta adds the _meta of a client of the generation to params, and sometimes an additional member.
func (r random) meta(g Generation, params *node) *node {
	m := tree("{" + g.members() + "}")
	if r.IntN(3) == 0 {
		m.with(r.oneOf(metaNames), r.value(1))
	}
	if len(m.values) > 0 {
		params.with("_meta", m)
	}
	return params
}

var metaNames = []string{
	"progressToken", "example.org/x", "computer.jp/tool", "computer.jp/context", "computer.jp/contract", "traceparent", "io.modelcontextprotocol/logLevel",
	"io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/clientCapabilities",
	"io.modelcontextprotocol/related-task", "io.modelcontextprotocol/subscriptionId",
}

// methods holds the MCP methods of clients and servers in all versions, with valid params, and some unknown
// methods.
var methods = []struct{ name, params string }{
	{"initialize", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"odd","version":"1"}`},
	{"initialize", `"protocolVersion":"2099-01-01","capabilities":{},"clientInfo":{"name":"odd","version":"1"}`},
	{"ping", ""}, {"server/discover", ""},
	{"tools/list", ""}, {"tools/list", `"cursor":"x"`}, {"tools/list", `"cursor":7`},
	{"tools/call", `"name":"echo","arguments":{"text":"safe"}`}, {"tools/call", `"name":"names"`}, {"tools/call", `"name":"order"`},
	{"logging/setLevel", `"level":"debug"`}, {"logging/setLevel", `"level":"loud"`}, {"logging/setLevel", `"level":7`},
	{"prompts/list", ""}, {"prompts/get", `"name":"x"`}, {"resources/list", ""}, {"resources/templates/list", ""}, {"resources/read", `"uri":"file:///x"`},
	{"resources/subscribe", `"uri":"file:///x"`}, {"resources/unsubscribe", `"uri":"file:///x"`},
	{"completion/complete", `"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":"b"}`},
	{"sampling/createMessage", `"messages":[],"maxTokens":7`}, {"elicitation/create", `"message":"x","requestedSchema":{}`}, {"roots/list", ""},
	{"tasks/get", `"taskId":"x"`}, {"tasks/list", ""}, {"tasks/result", `"taskId":"x"`}, {"tasks/cancel", `"taskId":"x"`}, {"tasks/update", `"taskId":"x"`},
	{"notifications/initialized", ""}, {"notifications/cancelled", `"requestId":7,"reason":"x"`}, {"notifications/cancelled", ""},
	{"notifications/progress", `"progressToken":7,"progress":1`}, {"notifications/roots/list_changed", ""}, {"notifications/message", `"level":"info","data":"x"`},
	{"notifications/dance", ""}, {"tools/dance", ""}, {"rpc.discover", ""}, {"jptool/call", `"name":"echo"`}, {"", ""}, {"tools/call ", ""}, {"Tools/List", ""},
}

// message returns a message of any kind.
func (r random) message(g Generation) *node {
	switch r.IntN(12) {
	case 0:
		return (&node{kind: object}).with("jsonrpc", leaf(`"2.0"`)).with("id", r.id()).with("result", r.value(1))
	case 1:
		fault := (&node{kind: object}).with("code", leaf("-32603")).with("message", leaf(`"x"`))
		return (&node{kind: object}).with("jsonrpc", leaf(`"2.0"`)).with("id", r.id()).with("error", fault)
	case 2:
		return r.value(0)
	}
	m := methods[r.IntN(len(methods))]
	var params *node
	if r.IntN(6) > 0 {
		params = r.meta(g, tree("{"+m.params+"}"))
	} else if r.IntN(2) == 0 {
		params = r.value(0)
	}
	id := r.id()
	if notifies := strings.HasPrefix(m.name, "notifications/"); notifies != (r.IntN(8) == 0) {
		id = nil
	}
	return request(m.name, id, params)
}

// id returns the id of a request, which is usually an ordinary id.
func (r random) id() *node {
	if r.IntN(5) > 0 {
		return leaf(strconv.Itoa(r.IntN(10_000)))
	}
	return leaf(ids[r.IntN(len(ids)-2)]) // without the ids that contain a second member
}
