package posts

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// A message holds the parts of a line that determine how it is sent.
type message struct {
	unreadable bool   // the line is not a JSON object
	request    bool   // the line is a JSON-RPC request
	id         string // the id as JSON; null for a message without an id
	method     string
	version    string // the protocol version in the message
	name       string // the name of the tool, prompt or resource
	cancels    string // the id of the canceled request as JSON
}

// parse parses as much of a line as possible.
func parse(line []byte) message {
	var whole, params, meta map[string]json.RawMessage
	m := message{id: "null"}
	if json.Unmarshal(line, &whole) != nil || whole == nil {
		m.unreadable = true
		return m
	}
	if id := whole["id"]; len(id) > 0 && strings.IndexByte(`"-0123456789`, id[0]) >= 0 {
		m.id = string(id)
	}
	m.method, m.request = text(whole["method"])
	version, _ := text(whole["jsonrpc"])
	// If params has the wrong type, the message is not a request. Other members with a wrong type are
	// treated as missing.
	unfit := whole["params"] != nil && json.Unmarshal(whole["params"], &params) != nil
	m.request = m.request && m.id != "null" && version == "2.0" && !unfit
	_ = json.Unmarshal(params["_meta"], &meta)
	m.version, _ = text(meta["io.modelcontextprotocol/protocolVersion"])
	var named bool
	if m.name, named = text(params["name"]); !named {
		m.name, _ = text(params["uri"])
	}
	m.cancels = string(params["requestId"])
	return m
}

// text returns the value of a JSON string.
func text(value json.RawMessage) (s string, ok bool) {
	ok = len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &s) == nil
	return s, ok
}

// headerValue returns text as the value of a header field: unchanged if HTTP allows it, and otherwise in
// Base64, as MCP 2026-07-28 specifies.
func headerValue(text string) string {
	const prefix, suffix = "=?base64?", "?="
	plain := text == strings.Trim(text, " \t") && text != "" && !strings.HasPrefix(text, prefix)
	for i := 0; i < len(text) && plain; i++ {
		plain = text[i] >= ' ' && text[i] < 0x7f || text[i] == '\t'
	}
	if plain {
		return text
	}
	return prefix + base64.StdEncoding.EncodeToString([]byte(text)) + suffix
}
