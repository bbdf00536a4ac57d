package sdk_test

import (
	"fmt"
	"strings"
	"testing"
)

const accepted = `{"stage-a":{"action":"accept","content":{"answer":true}}}`

func TestStateOfAnotherCall(t *testing.T) {
	p := launch(t)
	begin := func() string {
		r, line := p.round("stage", `{"hunks":["a"]}`, modernMeta, "", "")
		if r.State == "" {
			t.Fatalf("no state: %s", line.raw)
		}
		return r.State
	}
	state := begin()
	if strings.Contains(state, "stage") || strings.ContainsAny(state, "{}\" ") {
		t.Errorf("the state can be read: %s", state)
	}
	var errs []string
	for name, tc := range map[string]struct{ tool, arguments, state, meta string }{
		"other arguments":   {"stage", `{"hunks":["b"]}`, state, ""},
		"more arguments":    {"stage", `{"hunks":["a"],"x":1}`, state, ""},
		"another tool":      {"order", `{"hunks":["a"]}`, state, ""},
		"another root":      {"stage", `{"hunks":["a"]}`, state, `,"computer.jp/context":{"root":"/"}`},
		"another workspace": {"stage", `{"hunks":["a"]}`, state, `,"computer.jp/context":{"workspace_id":"w"}`},
		"other grants":      {"stage", `{"hunks":["a"]}`, state, `,"computer.jp/context":{"access":{"fs":[]}}`},
		"other options":     {"stage", `{"hunks":["a"]}`, state, `,"computer.jp/tool":{"options":{"x":1}}`},
		"a flipped letter":  {"stage", `{"hunks":["a"]}`, flip(state), ""},
		"a suffix":          {"stage", `{"hunks":["a"]}`, state + "-TAMPERED", ""},
		"a part":            {"stage", `{"hunks":["a"]}`, state[:len(state)/2], ""},
		"plain JSON":        {"stage", `{"hunks":["a"]}`, `{"admin":true}`, ""},
		"another server's":  {"stage", `{"hunks":["a"]}`, foreignState(t), ""},
	} {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s,"requestState":%q,"inputResponses":%s}}`,
			tc.tool, tc.arguments, strings.TrimSuffix(modernMeta, "}")+tc.meta+"}", tc.state, accepted))
		line := p.recv()
		if line.Error == nil || line.Error.Code != -32602 || !strings.Contains(line.Error.Message, "requestState") {
			t.Errorf("%s: %s", name, line.raw)
		}
		errs = append(errs, line.raw)
	}
	for _, text := range errs {
		if text != errs[0] {
			t.Errorf("the errors differ: %q and %q", text, errs[0])
		}
	}
	if _, line := p.round("stage", `{"hunks":["a"]}`, modernMeta, begin(), accepted); line.Result.text() != "staged a" {
		t.Errorf("after all that: %s", line.raw)
	}
}

func flip(state string) string {
	i := len(state) / 2
	other := byte('A')
	if state[i] == other {
		other = 'B'
	}
	return state[:i] + string(other) + state[i+1:]
}

func foreignState(t *testing.T) string {
	r, _ := launch(t).round("stage", `{"hunks":["a"]}`, modernMeta, "", "")
	return r.State
}

func TestRoundsThatBringNothing(t *testing.T) {
	p := launch(t)
	first, _ := p.round("stage", `{"hunks":["a"]}`, modernMeta, "", "")
	for name, responses := range map[string]string{
		"no responses":       ``,
		"empty responses":    `{}`,
		"another question's": `{"stage-z":{"action":"accept","content":{"answer":true}}}`,
	} {
		r, line := p.round("stage", `{"hunks":["a"]}`, modernMeta, first.State, responses)
		if _, asked := r.InputRequests["stage-a"]; !asked {
			t.Errorf("%s: %s", name, line.raw)
		}
	}
	if r, line := p.round("stage", `{"hunks":["a"]}`, modernMeta, "", accepted); r.Type != "input_required" {
		t.Errorf("responses without a state: %s", line.raw)
	}
	r, line := p.round("stage", `{"hunks":["a"]}`, modernMeta, first.State, `{"stage-a":{"action":"accept","content":{}}}`)
	if r.Type != "complete" || line.Result.Meta["computer.jp/error"].Code != "invalid_answer" {
		t.Errorf("an empty form: %s", line.raw)
	}
}

// Whether a client can be asked depends on the capabilities in the request.
func TestClientsThatCannotAsk(t *testing.T) {
	meta := func(capabilities string) string {
		return fmt.Sprintf(`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}`, capabilities)
	}
	p := launch(t)
	for capabilities, asks := range map[string]bool{
		`{}`: false, `{"sampling":{}}`: false, `{"elicitation":{"url":{}}}`: false,
		`{"elicitation":{}}`: true, `{"elicitation":{"form":{}}}`: true, `{"elicitation":{"form":{},"url":{}}}`: true,
	} {
		r, line := p.round("stage", `{"hunks":["a"]}`, meta(capabilities), "", "")
		if got := r.Type == "input_required"; got != asks {
			t.Errorf("capabilities %s: %s", capabilities, line.raw)
		}
		if !asks && line.Result.Meta["computer.jp/error"].Code != "input_unavailable" {
			t.Errorf("capabilities %s: %s", capabilities, line.raw)
		}
	}
	legacy := start(t)
	if r := legacy.call("stage", `{"hunks":["a"]}`); r.Meta["computer.jp/error"].Code != "input_unavailable" {
		t.Errorf("an old client without elicitation: %+v", r)
	}
	if _, line := legacy.round("stage", `{"hunks":["a"]}`, meta(`{"elicitation":{}}`), "", ""); !strings.Contains(line.raw, `"resultType":"input_required"`) {
		t.Errorf("a new request in an old session: %s", line.raw)
	}
}

func TestProgress(t *testing.T) {
	p := start(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"steps":3},"_meta":{"progressToken":0}}}`)
	for i := range 3 {
		if r := p.recv(); !strings.Contains(r.raw, fmt.Sprintf(`"progress":%d`, i+1)) || !strings.Contains(r.raw, `"progressToken":0`) || !strings.Contains(r.raw, fmt.Sprintf("step %d", i+1)) {
			t.Errorf("notification %d is %s", i+1, r.raw)
		}
	}
	if r := p.recv(); r.Result.text() != "ok" {
		t.Errorf("the result is %s", r.raw)
	}
	for _, meta := range []string{"", `{"progressToken":null}`} {
		if r := p.callWith("slow", `{"steps":3}`, meta); r.text() != "ok" {
			t.Errorf("without a token: %+v", r)
		}
	}
}
