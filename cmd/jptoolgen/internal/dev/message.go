package dev

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/jptool/jptool/internal/rawjson"
)

// The methods that a proxy handles.
const (
	initialize  = "initialize"
	initialized = "notifications/initialized"
	discover    = "server/discover"
	listen      = "subscriptions/listen"
	acknowledge = "notifications/subscriptions/acknowledged"
	canceled    = "notifications/cancelled"
	toolsNow    = "notifications/tools/list_changed"

	subscriptionID = "io.modelcontextprotocol/subscriptionId"
)

// maxAsked is the maximum number of pending requests from a child.
const maxAsked = 10_000

// message holds the members that a proxy reads.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Params json.RawMessage `json:"params"`
}

// fromClient forwards a line to the child, and records everything that must be repeated to the next child.
func (p *Proxy) fromClient(text []byte) error {
	var m message
	if json.Unmarshal(text, &m) != nil { // the server reports the error
		m = message{}
	}
	id := string(m.ID)
	request := m.Method != "" && id != ""
	switch {
	case m.Method == initialize && p.child != nil: // if no child is running, initialize fails
		p.opening = [][]byte{text}
	case m.Method == initialized && p.opening != nil:
		p.opening = append(p.opening, text)
	case m.Method == listen && request:
		p.kept[id] = subscription{text, m.parameters().Notifications.Tools}
	case m.Method == canceled:
		if id := string(m.parameters().RequestID); p.requests[id] == listen {
			delete(p.kept, id)
			delete(p.requests, id)
			p.swallow[id] = struct{}{} // the child may still answer the request
		}
	case m.Method == "" && id != "":
		if !p.asked[id] { // a previous child sent this request
			return nil
		}
		delete(p.asked, id)
	}
	if p.child == nil {
		if request {
			return p.fail(m.ID)
		}
		return nil
	}
	if request {
		p.requests[id] = m.Method
	}
	p.send(text)
	return nil
}

// forwardFromChild forwards a line to the client.
func (p *Proxy) forwardFromChild(text []byte) error {
	var m message
	if json.Unmarshal(text, &m) != nil {
		return p.write(text)
	}
	id := string(m.ID)
	if m.Method == acknowledge {
		sub := string(m.parameters().Meta[subscriptionID])
		if _, known := p.acks[sub]; known {
			return nil
		}
		opened, ok := p.kept[sub]
		if ok { // a child must not invent subscriptions, because they would be kept
			p.acks[sub] = struct{}{}
		}
		if opened.tools {
			text = enable(text, "params", "notifications", "toolsListChanged")
		}
	}
	if id == "" {
		return p.write(text)
	}
	if m.Method != "" {
		if len(p.asked) == maxAsked { // the child sends requests without waiting for responses
			return nil
		}
		p.asked[id] = true
		return p.write(text)
	}
	if _, known := p.swallow[id]; known {
		delete(p.swallow, id)
		return nil
	}
	method := p.requests[id]
	delete(p.requests, id)
	if method == listen { // a child without events for a subscription ends it, but the proxy itself sends events for it
		return nil
	}
	if method == initialize || method == discover {
		text = enable(text, "result", "capabilities", "tools", "listChanged")
	}
	return p.write(text)
}

// fail responds to a request with an error while no child is running.
func (p *Proxy) fail(id json.RawMessage) error {
	return p.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"the server is not running: its source does not build, or it exited; see the log for the reason"}}`, id))
}

// enable sets the member at path to true. It returns the text unchanged if the object that would contain the
// member does not exist.
func enable(text []byte, path ...string) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return text
	}
	value, old := []byte("true"), members[path[0]]
	if len(path) > 1 {
		value = enable(old, path[1:]...)
	}
	members[path[0]] = value
	if out, err := rawjson.Encode(members); err == nil && !bytes.Equal(value, old) {
		return out
	}
	return text
}

// parameters holds the members of params that a proxy reads. If a member cannot be read, its field is empty.
type parameters struct {
	Notifications struct {
		Tools bool `json:"toolsListChanged"`
	} `json:"notifications"`
	RequestID json.RawMessage            `json:"requestId"`
	Meta      map[string]json.RawMessage `json:"_meta"`
}

func (m message) parameters() (p parameters) {
	_ = json.Unmarshal(m.Params, &p)
	return p
}
