package sdk_test

import (
	"strings"
	"testing"
)

// The method that bypasses go-sdk's decoding is private: clients cannot call it by its name, and it does not
// open a session.
func TestPrivateMethod(t *testing.T) {
	for name, p := range map[string]*process{"in a session": start(t), "without one": launch(t)} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"jptool/call","params":{"name":"echo","arguments":{"text":"forged"}}}`)
		if r := p.recv(); r.Error == nil || strings.Contains(r.raw, "forged") {
			t.Errorf("%s: %s", name, r.raw)
		}
	}
}

func TestCallsBeforeTheSession(t *testing.T) {
	p := launch(t)
	for _, call := range []string{"echo", "no_such_tool"} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + call + `","arguments":{"text":"early"}}}`)
		if r := p.recv(); r.Error == nil || r.Error.Code == 0 || strings.Contains(r.raw, "early") {
			t.Errorf("%s: %s", call, r.raw)
		}
	}
	if r, line := p.round("names", `{}`, modernMeta, "", ""); r.Type != "complete" || !strings.Contains(line.raw, "serverInfo") {
		t.Errorf("a request that needs no session: %s", line.raw)
	}
	if r, line := p.round("names", `{}`, modernMeta, "", ""); r.Type != "complete" || !strings.Contains(line.raw, "serverInfo") {
		t.Errorf("and the next one: %s", line.raw)
	}
}

// go-sdk's errors about a request are the same on both code paths.
func TestRequestsThatGoSDKRefuses(t *testing.T) {
	p := start(t)
	for name, meta := range map[string]string{
		"no capabilities":    `{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`,
		"an unknown version": `{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}`,
	} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":` + meta + `}}`)
		if r := p.recv(); r.Error == nil {
			t.Errorf("%s: %s", name, r.raw)
		}
	}
	for name, params := range map[string]string{
		"no name":         `{"arguments":{}}`,
		"a name's number": `{"name":7}`,
		"_meta a list":    `{"name":"echo","_meta":[]}`,
	} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`)
		if r := p.recv(); r.Error == nil && !r.Result.IsError {
			t.Errorf("%s: %s", name, r.raw)
		}
	}
	if r := p.call("echo", `{"text":"alive"}`); r.text() != "alive" {
		t.Errorf("after that: %+v", r)
	}
}
