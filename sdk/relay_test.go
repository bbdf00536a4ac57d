package sdk_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const cannotAsk = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// arguments returns the arguments of a tool in the list that a client gets, and the cache scope of
// the list.
func (p *process) arguments(meta, tool string) (names map[string]json.RawMessage, scope string) {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"l","method":"tools/list","params":{"_meta":%s}}`, meta))
	line := p.recv()
	var list struct {
		Result struct {
			CacheScope string
			Tools      []struct {
				Name        string
				InputSchema struct{ Properties map[string]json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal([]byte(line.raw), &list); err != nil {
		p.t.Fatal(err)
	}
	for _, t := range list.Result.Tools {
		if t.Name == tool {
			names = t.InputSchema.Properties
		}
	}
	return names, list.Result.CacheScope
}

// Only a client that cannot ask gets the arguments with which a model relays answers. Its list is not shared
// with other clients.
func TestRelayedAnswersInTheList(t *testing.T) {
	p := launch(t)
	names, scope := p.arguments(cannotAsk, "draft")
	if len(names) != 2 || scope != "private" {
		t.Errorf("%d arguments, scope %q", len(names), scope)
	}
	const want = `{"type":"string","minLength":2,"maxLength":40,"description":"The user's answer to question \"title\". Asks for a title. Only set it after the tool has asked and the user has answered."}`
	if got := string(names["answer_title"]); got != want {
		t.Errorf("the argument is %s", got)
	}
	if names, _ := p.arguments(cannotAsk, "register"); len(names) != 5 || names["answer_badge_name"] == nil || names["answer_badge_guests"] == nil {
		t.Errorf("a form has the arguments %s", names)
	}
	if names, scope := p.arguments(modernMeta, "draft"); len(names) != 1 || scope != "private" {
		t.Errorf("a client that can ask has %d arguments, scope %q", len(names), scope)
	}
	for _, flag := range []string{"--jp", "--jp=blocks"} {
		if names, scope := launch(t, flag).arguments(cannotAsk, "draft"); len(names) != 1 || scope != "public" {
			t.Errorf("%s: %d arguments, scope %q", flag, len(names), scope)
		}
	}
}

// A model can relay an answer as an argument only if the client cannot ask.
func TestRelayedAnswers(t *testing.T) {
	const form = `{"answer_badge_name":"Ada","answer_badge_flavor":"lemon","answer_badge_guests":2,"answer_badge_dinner":true,"answer_badge_remark":null}`
	for name, tc := range map[string]struct {
		tool, arguments, meta string
		code, says            string
	}{
		"not yet":                 {tool: "draft", arguments: `{"topic":"tea"}`, code: "input_unavailable", says: `call the tool again with the answer as the argument "answer_title".`},
		"null":                    {tool: "draft", arguments: `{"topic":"tea","answer_title":null}`, code: "input_unavailable", says: "answer_title"},
		"then a question without": {tool: "draft", arguments: `{"topic":"tea","answer_title":"Green"}`, code: "input_unavailable", says: `(Publish "Green"?), but this client cannot ask. The answer must be true or false. Tell the user: `},
		"an argument that is not": {tool: "draft", arguments: `{"topic":"tea","answer_title":"Green","answer_publish":true}`, code: "input_unavailable", says: "Publish"},
		"that does not fit":       {tool: "draft", arguments: `{"topic":"tea","answer_title":"x"}`, code: "invalid_answer", says: "a string of 2 to 40 characters"},
		"sent twice":              {tool: "draft", arguments: `{"topic":"tea","answer_title":"Green","answer_title":"Red"}`, code: "invalid_input", says: "answer_title"},
		"in a string":             {tool: "draft", arguments: `"{\"topic\":\"tea\",\"answer_title\":\"Green\"}"`, code: "input_unavailable", says: `Publish "Green"?`},
		"a form":                  {tool: "register", arguments: form, says: `Ada with 2, lemon, dinner true, remark ""`},
		"half a form":             {tool: "register", arguments: `{"answer_badge_name":"Ada"}`, code: "invalid_answer", says: "flavor"},
		"a form not yet":          {tool: "register", arguments: `{}`, code: "input_unavailable", says: `as the arguments "answer_badge_name", "answer_badge_flavor", `},
		"after the host's":        {tool: "draft", arguments: `{"topic":"tea","answer_title":"Red"}`, meta: `"computer.jp/tool":{"answers":{"title":"Green"}}`, code: "input_unavailable", says: `Publish "Green"?`},
	} {
		t.Run(name, func(t *testing.T) {
			meta := cannotAsk
			if tc.meta != "" {
				meta = strings.TrimSuffix(meta, "}") + "," + tc.meta + "}"
			}
			r := launch(t).callWith(tc.tool, tc.arguments, meta)
			if r.Meta["computer.jp/error"].Code != tc.code || !strings.Contains(r.text(), tc.says) {
				t.Errorf("result %+v", r)
			}
		})
	}
	p := launch(t)
	if r, line := p.round("draft", `{"topic":"tea","answer_title":"Green"}`, modernMeta, "", ""); len(r.InputRequests) != 1 || strings.Contains(line.raw, "Green") {
		t.Errorf("a client that can ask: %s", line.raw)
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draft","arguments":{"topic":"tea","answer_title":"Green"},"_meta":%s}}`, cannotAsk)
	_, data := serve(t, nil).post(t, body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "draft")
	if !strings.Contains(string(data), `(Publish \"Green\"?), but this client cannot ask. The answer must be true or false. Tell the user: a client that supports MCP elicitation can ask this question."`) {
		t.Errorf("a caller that is not trusted: %s", data)
	}
}

// If a client cannot ask, the error says what its user can do, and does not depend on the _meta of the call.
func TestHintsForTheUser(t *testing.T) {
	p := start(t)
	const want = "Tell the user: a client that supports MCP elicitation can ask this question."
	for _, meta := range []string{`{}`, `{"computer.jp/tool":{"answers":{}},"computer.jp/context":{"action":"run"}}`} {
		got := p.callWith("stage", `{"hunks":["a"]}`, meta).text()
		if !strings.HasPrefix(got, "input_unavailable: ") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", meta, got)
		}
	}
	got := start(t, "--jp").call("break", `{"break":"exclusive"}`).text()
	if !strings.Contains(got, "this client does not say whether a person answered") || !strings.Contains(got, "Tell the user: a client that supports MCP elicitation can ask") {
		t.Errorf("an exclusive question: %s", got)
	}
}
