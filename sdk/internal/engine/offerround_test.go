package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/tool"
)

// Interceptors run around reads, prompts, lists and completions, and can refuse them.
func TestRoundsOfOffers(t *testing.T) {
	t.Chdir(t.TempDir())
	var mu sync.Mutex
	var rounds []string
	all := doors(t, func() *sdk.Server {
		s := notebook(5)
		s.Intercept(func(ctx context.Context, r *tool.Round, next func(context.Context) error) error {
			mu.Lock()
			rounds = append(rounds, strings.TrimSpace(fmt.Sprintf("%s %s %s%s %s", r.Kind, r.Name, r.Tool, r.URI, r.Action)))
			mu.Unlock()
			if r.Contract == nil || r.Contract.Name != r.Name {
				t.Errorf("the contract of %s is %v", r.Name, r.Contract)
			}
			if r.URI == "note://forbidden" {
				return fault.New(fault.PermissionDenied, "not for you")
			}
			return next(ctx)
		})
		return s
	})
	for name, ask := range all {
		rounds = nil
		ask(t, "resources/read", `"uri":"notes://about"`)
		ask(t, "prompts/get", `"name":"summarize","arguments":{"id":"a"}`)
		ask(t, "completion/complete", `"ref":{"type":"ref/resource","uri":"note://{id}"},"argument":{"name":"id","value":"a"}`)
		pages(t, ask, "resources/list")
		if got := ask(t, "resources/read", `"uri":"note://forbidden"`); !strings.Contains(got, `"code":-32603,"message":"not for you","data":{"uri":"note://forbidden","code":"permission_denied"`) {
			t.Errorf("%s: %s", name, got)
		}
		ask(t, "resources/read", `"uri":"other://x"`)
		slices.Sort(rounds)
		want := []string{
			"prompt summarize", "resource about notes://about", "resource disk  list", "resource docs  list", "resource docs  list",
			"resource docs  list", "resource note  complete", "resource note  list", "resource note note://forbidden",
		}
		if !slices.Equal(rounds, want) {
			t.Errorf("%s: rounds %q", name, rounds)
		}
	}
}

// What a program adds with go-sdk is in the same lists, once, and the contract takes precedence. Middleware sees both.
func TestOffersOfGoSDK(t *testing.T) {
	t.Chdir(t.TempDir())
	var mu sync.Mutex
	var seen []string
	all := doors(t, func() *sdk.Server {
		s := notebook(5)
		m := gosdk.Server(s)
		read := func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: "added"}}}, nil
		}
		get := func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Description: "added"}, nil
		}
		m.AddResource(&mcp.Resource{URI: "added://one", Name: "one"}, read)
		m.AddResource(&mcp.Resource{URI: "notes://about", Name: "about"}, read)
		m.AddResource(&mcp.Resource{URI: "note://special", Name: "special"}, read)
		m.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "more://{id}", Name: "more"}, read)
		m.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "note://{id}", Name: "other"}, read)
		m.AddPrompt(&mcp.Prompt{Name: "greet"}, get)
		m.AddPrompt(&mcp.Prompt{Name: "summarize", Description: "theirs"}, get)
		m.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				mu.Lock()
				seen = append(seen, method)
				mu.Unlock()
				return next(ctx, method, req)
			}
		})
		return s
	})
	for name, ask := range all {
		seen = nil
		keys, _ := pages(t, ask, "resources/list")
		sorted := slices.Sorted(slices.Values(keys))
		if len(keys) != 3+5+250+1 || len(slices.Compact(sorted)) != len(keys) || keys[len(keys)-1] != "added://one" {
			t.Errorf("%s: %d resources, the last is %s", name, len(keys), keys[len(keys)-1])
		}
		for _, tc := range []struct {
			method, params string
			has            []string
			lacks          string
		}{
			{"resources/templates/list", ``, []string{`"uriTemplate":"more://{id}"`, `"uriTemplate":"note://{id}","name":"note"`}, `"name":"other"`},
			{"prompts/list", ``, []string{`"name":"greet"`, `"name":"summarize"`}, `theirs`},
			{"resources/read", `"uri":"added://one"`, []string{`"text":"added"`}, ``},
			{"resources/read", `"uri":"more://x"`, []string{`"text":"added"`}, ``},
			{"resources/read", `"uri":"notes://about"`, []string{`"text":"A notebook."`}, `added`},
			{"resources/read", `"uri":"note://special"`, []string{`"text":"# special"`}, `added`},
			{"resources/read", `"uri":"none://x"`, []string{`"error"`}, ``},
			{"prompts/get", `"name":"greet"`, []string{`"description":"added"`}, ``},
			{"prompts/get", `"name":"summarize","arguments":{"id":"a","words":"3"}`, []string{`short 3 false`}, `added`},
			{"completion/complete", `"ref":{"type":"ref/prompt","name":"summarize"},"argument":{"name":"style","value":"s"}`, []string{`"values":["short"]`}, ``},
		} {
			got := ask(t, tc.method, tc.params)
			for _, want := range tc.has {
				if !strings.Contains(got, want) {
					t.Errorf("%s: %s {%s}: %s; want %s", name, tc.method, tc.params, got, want)
				}
			}
			if tc.lacks != "" && strings.Contains(got, tc.lacks) {
				t.Errorf("%s: %s {%s}: %s has %s", name, tc.method, tc.params, got, tc.lacks)
			}
			if !slices.Contains(seen, tc.method) {
				t.Errorf("%s: middleware does not see %s", name, tc.method)
			}
		}
	}
}

// A server has only what it offers.
func TestCapabilities(t *testing.T) {
	for name, ask := range doors(t, func() *sdk.Server { return notebook(0) }) {
		if !strings.HasSuffix(name, "2026-07-28") {
			continue
		}
		got := ask(t, "server/discover", "")
		if want := `"capabilities":{"logging":{},"tools":{},"completions":{},"prompts":{},"resources":{}}`; !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
