package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
)

const arguments = `{"crate_name":"tea_time","crate_version":"1.3.0","query":"Teapot"}`

// flags make the server ask about every download.
var flags = []string{"mcp", "--option", "crate_search_items.confirm_above_bytes=1000"}

// If the client cannot ask, the defaults are used and the answer mentions them.
func TestClientThatCannotAsk(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2026-07-28", "2025-11-25", "2024-11-05"} {
		crate := cratestest.Sample("1.3.0", "1.2.0")
		crate.Versions[0].Docs = nil
		box := newSandbox(t, crate)
		text, code := result(t, connect(t, version, &mcp.CommandTransport{Command: box.command(t, flags...)}))
		if code != "" || !strings.Contains(text, "The crate is called tea-time.") || !strings.Contains(text, "tea-time 1.3.0 has no documentation on docs.rs.\nThis is version 1.2.0.") || !strings.Contains(text, "tea_time::Teapot") {
			t.Errorf("%s: %q %.300s", version, code, text)
		}
		if n := box.Count("GET", "/crate/tea-time/1.2.0/download"); n != 1 {
			t.Errorf("%s: %d downloads", version, n)
		}
	}
}

func connect(t *testing.T, version string, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Logf("the session ended with %v", err)
		}
	})
	return session
}

// result calls the tool and joins the texts of the blocks.
func result(t *testing.T, session *mcp.ClientSession) (text, code string) {
	t.Helper()
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "crate_search_items", Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range r.Content {
		switch b := block.(type) {
		case *mcp.TextContent:
			text += b.Text
		case *mcp.EmbeddedResource:
			text += b.Resource.Text
		}
	}
	if r.IsError {
		code, _, _ = strings.Cut(text, ":")
	}
	return text, code
}
