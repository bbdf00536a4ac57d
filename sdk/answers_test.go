package sdk_test

import (
	"strings"
	"testing"
)

// startDraft starts a call in a session and returns the server and the id of the request that asks
// the question.
func startDraft(t *testing.T) (*process, string) {
	t.Helper()
	p := launch(t)
	p.send(initialize + `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	p.recv()
	p.send(callOf(7, "draft", `{"topic":"tides"}`))
	q := p.recv()
	if !strings.Contains(q.raw, "elicitation/create") {
		t.Fatalf("asked %s", q.raw)
	}
	return p, string(q.ID)
}

// Some clients write an integer id with a decimal point, and send both "result" and "error".
func TestAnswersInOtherNotations(t *testing.T) {
	p, id := startDraft(t)
	p.send(`{"jsonrpc":"2.0","id":` + id + `.0,"result":{"action":"accept","content":{"answer":"abc"}},"error":null}`)
	if r := p.recv(); !strings.Contains(r.raw, `Publish \"abc\"?`) {
		t.Errorf("then comes %s", r.raw)
	}
}

// An invalid answer from a client ends the call with a fault that describes the answer, and has no
// other effect.
func TestAnswersThatCannotBeTaken(t *testing.T) {
	for name, tc := range map[string]struct{ answer, code string }{
		"no object":       {`"result":"x"`, "invalid_answer"},
		"no action":       {`"result":{}`, "invalid_answer"},
		"unknown action":  {`"result":{"action":"perhaps"}`, "invalid_answer"},
		"no content":      {`"result":{"action":"accept"}`, "invalid_answer"},
		"an action twice": {`"result":{"action":"decline","action":"accept","content":{"answer":"abc"}}`, "invalid_answer"},
		"an answer twice": {`"result":{"action":"accept","content":{"answer":"abc","answer":"def"}}`, "invalid_answer"},
		"an error":        {`"error":{"code":-32601,"message":"no"}`, "input_unavailable"},
		"an error's text": {`"error":"no"`, "input_unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			p, id := startDraft(t)
			p.send(`{"jsonrpc":"2.0","id":` + id + `,` + tc.answer + `}`)
			r := p.recv()
			if string(r.ID) != "7" || !r.Result.IsError || r.Result.Meta["computer.jp/error"].Code != tc.code || strings.HasSuffix(r.Result.text(), " ") {
				t.Errorf("answer %s, want %s", r.raw, tc.code)
			}
			p.checkAlive("")
		})
	}
}
