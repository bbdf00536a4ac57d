package sdk_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gosdk"
)

// Middleware sees the tools of the contract in tools/list. What it hides cannot be called, and is not in the contract
// that the server sends.
func TestMiddlewareHidesTools(t *testing.T) {
	s := fixture.NewServer(&fixture.Fixture{})
	plain := fixture.NewServer(&fixture.Fixture{})
	gosdk.Server(s).AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListToolsResult); ok {
				list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return t.Name == "quote" })
				for _, t := range list.Tools {
					if t.Name == "echo" {
						t.Description = "Changed by middleware."
					}
				}
			}
			return res, err
		}
	})
	open := func(s *sdk.Server) service {
		h, err := s.Handler(t.Context(), sdk.Options{Log: slog.New(slog.DiscardHandler)}, sdk.HTTPOptions{})
		if err != nil {
			t.Fatal(err)
		}
		front := httptest.NewServer(h)
		t.Cleanup(front.Close)
		return service{url: front.URL}
	}
	site, bare := open(s), open(plain)
	post := func(to service, body string) string {
		_, text := to.post(t, body, "Mcp-Protocol-Version", "2025-11-25")
		return string(text)
	}
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"computer.jp/contract":true}}}`
	got, want := post(site, list), post(bare, list)
	if strings.Contains(got, `"name":"quote"`) || !strings.Contains(got, "Changed by middleware.") {
		t.Errorf("the list: %.2000s", got)
	}
	if n, m := strings.Count(got, `"inputSchema"`), strings.Count(want, `"inputSchema"`); n != m-1 {
		t.Errorf("%d tools, want %d", n, m-1)
	}
	const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"%","arguments":{"text":"x"}}}`
	if got := post(site, strings.ReplaceAll(call, "%", "quote")); !strings.Contains(got, `there is no tool \"quote\"`) || strings.Count(got, "quote") > 1 {
		t.Errorf("a call of the hidden tool: %s", got)
	}
	if got := post(site, strings.ReplaceAll(call, "%", "echo")); !strings.Contains(got, `"content"`) {
		t.Errorf("a call of another tool: %s", got)
	}
	if got := post(bare, strings.ReplaceAll(call, "%", "quote")); !strings.Contains(got, `"content"`) {
		t.Errorf("a call without middleware: %s", got)
	}
}
