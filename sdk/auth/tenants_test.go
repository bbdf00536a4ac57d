package auth_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/auth"
)

// A tenant calls a server that asks.
type tenant struct {
	site
	name, token string
}

// newTenants returns two callers of one server with questions.
func newTenants(t *testing.T) (alice, bob tenant) {
	t.Helper()
	file := t.TempDir() + "/tokens"
	write(t, file, "alice alice-0123456789abcdef\nbob bob-0123456789abcdef\n")
	v, err := auth.ReadTokens(file)
	if err != nil {
		t.Fatal(err)
	}
	h, err := fixture.NewServer(&fixture.Fixture{}).Handler(t.Context(), sdk.Options{Log: slog.New(slog.DiscardHandler)},
		sdk.HTTPOptions{Auth: &sdk.Auth{Verifier: v}, Path: "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	return tenant{site{h}, "alicefirst", "Bearer alice-0123456789abcdef"}, tenant{site{h}, "bobbysecond", "Bearer bob-0123456789abcdef"}
}

// post sends a message of version 2026-07-28 with the capability to show questions.
func (c tenant) post(method, name, params string) (int, string) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}},%s}}`, method, params)
	return c.raw(body, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name)
}

func (c tenant) raw(body string, headers ...string) (int, string) {
	status, _, text := read(c.do(body, headers...))
	return status, text
}

func (c tenant) do(body string, headers ...string) *http.Response {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", c.token)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w.Result()
}

// stage asks whether to stage a hunk, and answers yes if state is not "".
func (c tenant) stage(hunk, state string) (status int, text, next string) {
	answer := ""
	if state != "" {
		answer = fmt.Sprintf(`,"requestState":%q,"inputResponses":{"stage-%s":{"action":"accept","content":{"answer":true}}}`, state, hunk)
	}
	status, text = c.post("tools/call", "stage", fmt.Sprintf(`"name":"stage","arguments":{"hunks":[%q]}%s`, hunk, answer))
	var asked struct{ Result struct{ RequestState string } }
	_ = json.Unmarshal([]byte(text), &asked) // the test looks at the text
	return status, text, asked.Result.RequestState
}

// What one caller agreed to, and its session, are of no use to another caller.
func TestStateBelongsToItsCaller(t *testing.T) {
	alice, bob := newTenants(t)
	_, text, state := alice.stage("h1", "")
	if state == "" {
		t.Fatal(text)
	}
	if status, text, _ := bob.stage("h1", state); status == 200 || !strings.Contains(text, "requestState") {
		t.Errorf("the state of another caller: %d %s", status, text)
	}
	if status, text, _ := alice.stage("h1", state); status != 200 || !strings.Contains(text, "staged h1") {
		t.Errorf("the caller's own state: %d %s", status, text)
	}
	resp := alice.do(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
	_, _ = io.Copy(io.Discard, resp.Body) // a recorder does not fail
	id := resp.Header.Get("Mcp-Session-Id")
	for c, want := range map[tenant]int{alice: 200, bob: 404} {
		if status, text := c.raw(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, "Mcp-Session-Id", id); status != want {
			t.Errorf("%s in alice's session: %d %s, want %d", c.name, status, text, want)
		}
	}
}

// Calls, questions and answers of two callers run interleaved. No answer contains anything of the other caller.
func TestTwoTenants(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	alice, bob := newTenants(t)
	var all sync.WaitGroup
	for _, pair := range [][2]tenant{{alice, bob}, {bob, alice}, {alice, bob}, {bob, alice}} {
		all.Go(func() {
			own, other := pair[0], pair[1]
			for i := range rounds {
				mark := fmt.Sprintf("%s%d", own.name, i)
				_, echo := own.post("tools/call", "echo", fmt.Sprintf(`"name":"echo","arguments":{"text":%q}`, mark))
				_, asked, state := own.stage(mark, "")
				_, staged, _ := own.stage(mark, state)
				if text := echo + asked + staged; strings.Contains(text, other.name) || !strings.Contains(echo, mark) || !strings.Contains(staged, "staged "+mark) {
					t.Errorf("%s: %s", mark, text)
					return
				}
			}
		})
	}
	all.Wait()
}
