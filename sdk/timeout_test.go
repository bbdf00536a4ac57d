package sdk_test

import (
	"strings"
	"testing"
)

// A call that takes too long is answered, whatever its handler does.
func TestCallTimeout(t *testing.T) {
	for _, args := range [][]string{{"--call-timeout", "50ms"}, {"--call-timeout", "50ms", "--jp"}} {
		p := start(t, args...)
		for _, tc := range []struct{ tool, want string }{
			{"wait", "within 50ms"},
			{"hang", "within 50ms"},
			{"brief", "within 100ms"}, // the tool declares its own timeout
		} {
			r := p.call(tc.tool, `{}`)
			said := r.Meta["computer.jp/error"]
			if !r.IsError || !strings.Contains(r.text(), "the tool did not finish "+tc.want) ||
				len(args) == 2 && (said.Code != "timeout" || !said.Transient) || len(args) == 3 && !strings.Contains(r.text(), `"transient":true`) {
				t.Errorf("%v: %s is answered %+v", args, tc.tool, r)
			}
		}
		if r := p.call("echo", `{"text":"alive"}`); !strings.Contains(r.text(), "alive") {
			t.Errorf("after that: %+v", r)
		}
		if log := p.log(); strings.Count(log, "tool is still running after its timeout") != 1 {
			t.Errorf("the log is\n%s", log)
		}
	}
}

// By default, only the author's timeout applies.
func TestTimeOfTheTool(t *testing.T) {
	p := start(t)
	p.send(callOf(100, "wait", `{}`))
	if r := p.call("brief", `{}`); r.Meta["computer.jp/error"].Code != "timeout" {
		t.Errorf("brief is answered %+v", r)
	}
	p.send(`{"jsonrpc":"2.0","id":101,"method":"ping"}`)
	if r := p.recv(); string(r.ID) != "101" {
		t.Errorf("wait is answered %s", r.raw)
	}
}

// The timeout does not include waiting for the user.
func TestTimeoutExcludesWaitingForTheUser(t *testing.T) {
	p := launch(t, "--call-timeout", "200ms")
	p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}`)
	p.recv()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.send(callOf(1, "stage", `{"hunks":["a"]}`))
	asked := p.recv()
	p.send(callOf(2, "hang", `{}`))
	if r := p.recv(); r.Result.Meta["computer.jp/error"].Code != "timeout" { // this call times out before the user answers
		t.Errorf("hang is answered %s", r.raw)
	}
	p.send(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,"result":{"action":"accept","content":{"answer":true}}}`)
	if r := p.recv(); r.Result.text() != "staged a" {
		t.Errorf("answer %s", r.raw)
	}
}
