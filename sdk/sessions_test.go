package sdk_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const opening = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}%s}}`

// session opens a session and returns its id, or "" if the server did not send an id.
func (s service) session(t *testing.T, more string) (id string, status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(fmt.Sprintf(opening, more)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := s.client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	// The server closes a session if its client does not wait for the response.
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.Header.Get("Mcp-Session-Id"), resp.StatusCode
}

func TestOldClientsAreNotAskedWithoutSessions(t *testing.T) {
	s := serve(t, nil, "--http-stateless")
	if id, status := s.session(t, ""); id != "" || status != http.StatusOK {
		t.Errorf("session %q, status %d", id, status)
	}
	client := connectTo(t, &mcp.StreamableClientTransport{Endpoint: s.url}, "2025-11-25", nil)
	res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "stage", Arguments: map[string]any{"hunks": []string{"a"}}})
	if err != nil || endingOf(t, res, 0).code != "input_unavailable" {
		t.Errorf("result %+v, %v", res, err)
	}
}

func TestRejectedSessions(t *testing.T) {
	s := serve(t, nil)
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"names","arguments":{}}}`
	if status, body := s.post(t, call, "MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", "another's"); status != http.StatusNotFound {
		t.Errorf("an unknown session: status %d: %s", status, body)
	}
	if status, body := s.post(t, call, "MCP-Protocol-Version", "2025-11-25"); status != http.StatusOK || !strings.Contains(string(body), "Ada") {
		t.Errorf("a call without a session: status %d: %s", status, body)
	}
	if id, status := s.session(t, `,"_meta":{"x":"`+strings.Repeat("x", 64<<10)+`"}`); id != "" || status != http.StatusOK {
		t.Errorf("a long request opens a session: %q, status %d", id, status)
	}
	if status, _ := s.send(t, http.MethodGet, ""); status != http.StatusMethodNotAllowed {
		t.Errorf("GET without a session: status %d", status)
	}
	if status, _ := s.send(t, http.MethodDelete, "another's"); status != http.StatusNotFound {
		t.Errorf("DELETE of an unknown session: status %d", status)
	}
}

// send sends a request without a body.
func (s service) send(t *testing.T, method, session string, header ...string) (int, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode, resp.Header
}

// Clients that open sessions and never close them do not block others: if there are too many sessions, the
// session that has been idle the longest is dropped.
func TestTooManySessions(t *testing.T) {
	s := serve(t, nil)
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"names","arguments":{}}}`
	used, _ := s.session(t, "")
	forgotten, _ := s.session(t, "")
	status := func(id string) int {
		status, _ := s.post(t, call, "MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", id)
		return status
	}
	for range 10 {
		if got := status(used); got != http.StatusOK {
			t.Fatalf("the session in use: status %d", got)
		}
		for range 1000 {
			if id, status := s.session(t, ""); id == "" {
				t.Fatalf("no session: status %d", status)
			}
		}
	}
	if got := status(used); got != http.StatusOK {
		t.Errorf("the session in use: status %d", got)
	}
	if got := status(forgotten); got != http.StatusNotFound {
		t.Errorf("the idlest session: status %d", got)
	}
}

func TestSessionOpenedTwiceOverHTTP(t *testing.T) {
	s := serve(t, nil)
	id, _ := s.session(t, "")
	_, body := s.post(t, fmt.Sprintf(opening, ""), "MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", id)
	if !strings.Contains(string(body), `"code":-32600`) {
		t.Errorf("answer %s", body)
	}
}
