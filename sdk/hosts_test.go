package sdk_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// JSON.stringify writes half of an emoji as an escape such as \ud83d. A host waits for a response with the id of its
// request.
func TestLoneSurrogates(t *testing.T) {
	p := start(t)
	for _, id := range []string{`7`, `"a"`} {
		p.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"quote","arguments":{"text":"cut \ud83d"}}}`)
		if r := p.recv(); !strings.Contains(r.raw, `"id":`+id) || !strings.Contains(r.raw, "lone surrogate") {
			t.Errorf("the response to %s: %s", id, r.raw)
		}
	}
	for _, text := range []string{`{"jsonrpc":"2.0","id":"\ud83d","method":"ping"}`, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"p\xff\"}"} {
		p.send(text)
		if r := p.recv(); !strings.Contains(r.raw, `"id":null`) {
			t.Errorf("the response to %q: %s", text, r.raw)
		}
	}
	s := serve(t, nil)
	status, body := s.post(t, `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\udc00"}}`)
	if status != http.StatusBadRequest || !strings.Contains(string(body), `"id":7`) {
		t.Errorf("over HTTP: %d %s", status, body)
	}
}

// The answer of a person with half of an emoji must not leave the tool waiting.
func TestLoneSurrogateInAnAnswer(t *testing.T) {
	p := launch(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	p.recv()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"register","arguments":{}}}`)
	var asked struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(p.recv().raw), &asked); err != nil {
		t.Fatal(err)
	}
	p.send(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,"result":{"action":"accept","content":{"name":"Nix \ud83d","flavor":"lemon","guests":2}}}`)
	if r := p.recv(); !strings.Contains(r.raw, "Nix \ufffd") {
		t.Errorf("the result: %s", r.raw)
	}
}

// Orchestrators probe the server without a token. Gateways add a slash to the path.
func TestProbesAndSlashes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("\ufeffa-secret-of-some-length\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, nil, "--http-token-file", file)
	base := strings.TrimSuffix(s.url, "/mcp")
	get := func(method, url string, want int) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := s.client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s %s: %d, want %d", method, url, resp.StatusCode, want)
		}
	}
	get(http.MethodGet, base+"/livez", http.StatusOK)
	get(http.MethodGet, base+"/readyz", http.StatusOK)
	get(http.MethodPost, base+"/readyz", http.StatusMethodNotAllowed)
	get(http.MethodGet, base+"/healthz", http.StatusNotFound)
	get(http.MethodGet, base+"/mcp", http.StatusUnauthorized)
	slash := service{url: s.url + "/"}
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	if status, body := slash.post(t, ping, "Authorization", "Bearer a-secret-of-some-length"); status != http.StatusOK {
		t.Errorf("with a slash, and a token from a file with a byte order mark: %d %s", status, body)
	}
	if status, _ := slash.post(t, ping); status != http.StatusUnauthorized {
		t.Errorf("with a slash, and without a token: %d", status)
	}
}

// Model APIs reject empty text.
func TestEmptyText(t *testing.T) {
	r := start(t).call("quote", `{"text":""}`)
	if r.IsError || len(r.Content) != 0 {
		t.Errorf("an empty text is sent as %+v", r)
	}
	if r := start(t, "--jp").call("quote", `{"text":""}`); len(r.Content) != 1 {
		t.Errorf("an empty text is sent to JP as %+v", r)
	}
}
