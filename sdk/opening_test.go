package sdk_test

import (
	"strings"
	"testing"
)

const initialize = `{"jsonrpc":"2.0","id":"open","method":"initialize","params":`

// A server explains an invalid attempt to open a session, and a session can be opened afterwards.
func TestInvalidInitialize(t *testing.T) {
	p := launch(t)
	for name, params := range map[string]string{
		"no params": `null`, "nothing": `{}`, "no version": `{"capabilities":{}}`,
		"a version's number":   `{"protocolVersion":7,"capabilities":{}}`,
		"capabilities a list":  `{"protocolVersion":"2025-11-25","capabilities":[]}`,
		"the client's number":  `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":7}`,
		"a name's number":      `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":7}}`,
		"a capability's text":  `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":"` + strings.Repeat("x", 5000) + `"}}`,
		"a version's _meta":    `{"protocolVersion":"2025-11-25","capabilities":{},"_meta":{"io.modelcontextprotocol/protocolVersion":[]}}`,
		"a list instead of it": `[]`,
	} {
		p.send(initialize + params + `}`)
		if r := p.recv(); string(r.ID) != `"open"` || r.Error == nil || r.Error.Code != -32602 || !strings.Contains(r.Error.Message, `" must be `) && !strings.Contains(r.Error.Message, "initialize takes") || len(r.raw) > 300 {
			t.Errorf("%s: %.500s", name, r.raw)
		}
		p.send(callOf(1, "echo", `{"text":"early"}`))
		if r := p.recv(); r.Error == nil || r.Error.Code != -32602 {
			t.Errorf("%s opens a session: %.500s", name, r.raw)
		}
	}
	p.openSession("2025-11-25").checkAlive("")
}

// A client that requests an unsupported version gets a working session in the last version that has sessions.
func TestSessionsOfUnknownVersions(t *testing.T) {
	for _, version := range []string{"2023-01-01", "2099-01-01", "x", "2026-07-28"} {
		p := launch(t)
		p.send(initialize + `{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		if r := p.recv(); !strings.Contains(r.raw, `"protocolVersion":"2025-11-25"`) {
			t.Errorf("%s: %s", version, r.raw)
		}
		if r := p.call("names", `{}`); r.Structured == nil || r.IsError {
			t.Errorf("%s is served as an older version: %+v", version, r)
		}
	}
}

// Requests that need no session may be sent both before a session is opened and within it.
func TestMixedVersions(t *testing.T) {
	_, meta := eras["requests"](t)
	request := func(method string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"echo","arguments":{"text":"x"},"_meta":{` + meta + `}}}`
	}
	refused := func(p *process, line string, code int) {
		t.Helper()
		p.send(line)
		if r := p.recv(); r.Error == nil || r.Error.Code != code {
			t.Errorf("%.200s\n%s, want code %d", line, r.raw, code)
		}
	}
	for _, first := range []string{"tools/call", "tools/list", "server/discover"} {
		p := launch(t)
		p.send(request(first))
		if r := p.recv(); r.Error != nil {
			t.Fatalf("%s: %s", first, r.raw)
		}
		refused(p, callOf(1, "echo", `{"text":"x"}`), -32602)
		p.checkAlive(meta)
		p.openSession("2025-11-25").checkAlive("")
		p.checkAlive(meta)
		refused(p, initialize+`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, -32600)
		if log := p.log(); strings.Contains(log, "panicked") {
			t.Errorf("%s first:\n%s", first, log)
		}
	}
	p := start(t)
	for _, method := range []string{"tools/call", "tools/list", "server/discover"} {
		p.send(request(method))
		if r := p.recv(); r.Error != nil || !strings.Contains(r.raw, "resultType") {
			t.Errorf("%s in a session: %s", method, r.raw)
		}
		p.checkAlive("")
	}
	refused(p, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{}}}`, -32601)
	p = launch(t)
	refused(p, strings.ReplaceAll(request("tools/call"), "2026-07-28", "2025-11-25"), -32600)
	p.openSession("2025-11-25").checkAlive("")
}

func TestInvalidLogLevels(t *testing.T) {
	p := start(t)
	for _, params := range []string{`{}`, `{"level":null}`, `{"level":""}`, `{"level":"loud"}`, `{"level":"DEBUG"}`, `{"level":7}`} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":` + params + `}`)
		if r := p.recv(); r.Error == nil || r.Error.Code != -32602 {
			t.Errorf("%s: %s", params, r.raw)
		}
	}
	p.checkAlive("")
}

// A progress token is returned unchanged; an invalid token requests no progress.
func TestProgressTokens(t *testing.T) {
	for era, open := range eras {
		p, meta := open(t)
		for i, tc := range []struct {
			token string
			valid bool
		}{
			// The first call uses a different code path than later ones.
			{"9007199254740993", true}, {"9007199254740993", true}, {"0", true}, {`""`, true}, {`"\u0041"`, true}, {"1e3", true},
			{"null", false}, {"true", false}, {"[]", false}, {"{}", false}, {`{"a":1}`, false}, {"1.5", false},
		} {
			m := strings.TrimSuffix(`"progressToken":`+tc.token+","+meta, ",")
			p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"steps":1},"_meta":{` + m + `}}}`)
			r := p.recv()
			if tc.valid {
				if !strings.Contains(r.raw, `"progressToken":`+tc.token+",") {
					t.Errorf("%s, %d: %s instead of progress for %s", era, i, r.raw, tc.token)
				}
				r = p.recv()
			}
			if string(r.ID) != "1" || r.Result.text() != "ok" {
				t.Errorf("%s, %d: %s instead of the result, with %s", era, i, r.raw, tc.token)
			}
		}
	}
}

// What the program adds is available in a session that is opened after requests without one.
func TestMixedVersionsWithExtras(t *testing.T) {
	_, meta := eras["requests"](t)
	p := launchCommand(t, conformanceCommand(t))
	list := func(meta string) {
		t.Helper()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"_meta":{` + meta + `}}}`)
		if r := p.recv(); r.Error != nil || !strings.Contains(r.raw, `"prompts":[`) || strings.Contains(r.raw, `"resultType"`) != (meta != "") {
			t.Errorf("%s", r.raw)
		}
	}
	list(meta)
	p.openSession("2025-11-25")
	list("")
	list(meta)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_input_required_result_list_roots","arguments":{},"_meta":{` + meta + `}}}`)
	if r := p.recv(); r.Error != nil || !strings.Contains(r.raw, `"inputRequests":{"client_roots"`) {
		t.Errorf("a round in a session: %s", r.raw)
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"\u0000"}}`)
	if r := p.recv(); r.Error == nil || r.Error.Code != -32002 && r.Error.Code != -32602 {
		t.Errorf("a resource that does not exist: %s", r.raw)
	}
}
