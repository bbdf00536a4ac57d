package sdk_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/internal/streamable"
)

// Header fields must match the message (MCP 2026-07-28, Streamable HTTP, Server Validation).
func TestHeadersMatchTheMessage(t *testing.T) {
	e, err := newTestServer().engine()
	if err != nil {
		t.Fatal(err)
	}
	h := streamable.New(t.Context(), e, streamable.Options{})
	const version, method, name, mismatch = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", -32020
	call := callOf(1, "echo", `{"text":"x"},"_meta":`+modernMeta)
	note := `{"jsonrpc":"2.0","method":"notifications/dance"}`
	for _, tc := range []struct {
		name, body string
		change     map[string]string // "-" removes a header
		status     int
		code       int // 0 means a result or no message
	}{
		{"all of them", call, nil, 200, 0},
		{"no version", call, map[string]string{version: "-"}, 400, mismatch},
		{"another version", call, map[string]string{version: "2025-11-25"}, 400, mismatch},
		{"a version that there is not", call, map[string]string{version: "1999-01-01"}, 400, -32022},
		{"no method", call, map[string]string{method: "-"}, 400, mismatch},
		{"another method", call, map[string]string{method: "tools/list"}, 400, mismatch},
		{"a method in capitals", call, map[string]string{method: "Tools/Call"}, 400, mismatch},
		{"no name", call, map[string]string{name: "-"}, 400, mismatch},
		{"an empty name", call, map[string]string{name: ""}, 400, mismatch},
		{"another name", call, map[string]string{name: "names"}, 400, mismatch},
		{"a name in Base64", call, map[string]string{name: "=?base64?ZWNobw==?="}, 200, 0},
		{"another name in Base64", call, map[string]string{name: "=?base64?bmFtZXM=?="}, 400, mismatch},
		{"invalid Base64", call, map[string]string{name: "=?base64?!?="}, 400, mismatch},
		{"a notification", note, map[string]string{method: "notifications/dance", name: "-"}, 202, 0},
		{"a notification without its method", note, map[string]string{method: "-", name: "-"}, 202, 0},
		{"a notification of another method", note, map[string]string{method: "notifications/sing", name: "-"}, 400, mismatch},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", strings.NewReader(tc.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(version, "2026-07-28")
		r.Header.Set(method, "tools/call")
		r.Header.Set(name, "echo")
		for field, value := range tc.change {
			if r.Header.Set(field, value); value == "-" {
				r.Header.Del(field)
			}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var m struct{ Error struct{ Code int } }
		if text := w.Body.Bytes(); len(text) > 0 && json.Unmarshal(text, &m) != nil || w.Code != tc.status || m.Error.Code != tc.code {
			t.Errorf("%s: %d %s, want %d and code %d", tc.name, w.Code, w.Body, tc.status, tc.code)
		}
	}
}
