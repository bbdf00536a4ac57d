package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// A program reads and gets in its own process as a client does.
func TestOffersInThisProcess(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.txt", []byte("on disk"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := notebook(0)
	yes := sdk.Host{Ask: func(context.Context, elicit.Request) (elicit.Response[json.RawMessage], error) {
		return elicit.Accepted(json.RawMessage("true")), nil
	}}
	denied := sdk.Host{Access: &access.Policy{FS: []access.FSRule{{Path: "."}}}}
	for _, tc := range []struct {
		uri, want string
		code      fault.Code
		h         sdk.Host
	}{
		{uri: "note://a", want: "# a"}, {uri: "note://locked", want: "# locked", h: yes},
		{uri: "note://locked", code: fault.InputUnavailable}, {uri: "docs://readme.md", want: "# Docs"},
		{uri: "disk://files/a.txt", want: "on disk"}, {uri: "disk://files/b.txt", code: fault.NotFound},
		{uri: "disk://files/../x", code: fault.NotFound}, {uri: "x://y", code: fault.NotFound},
		{uri: strings.Repeat("x", 9000), code: fault.InvalidInput}, {uri: "book://a/pages/b", code: fault.InvalidInput},
		{uri: "disk://files/a.txt", code: fault.PermissionDenied, h: denied},
	} {
		parts, err := s.Read(t.Context(), tc.uri, tc.h)
		if fault.CodeOf(err) != tc.code || tc.code == "" && (len(parts) != 1 || parts[0].Text != tc.want || parts[0].URI != tc.uri) {
			t.Errorf("%.60s: %v, %v; want %q, code %q", tc.uri, parts, err, tc.want, tc.code)
		}
	}
	messages, err := s.Prompt(t.Context(), "summarize", json.RawMessage(`{"id":"a","words":"3"}`), sdk.Host{})
	if err != nil || len(messages) != 4 {
		t.Errorf("%v, %v", messages, err)
	}
	if _, err := s.Prompt(t.Context(), "summarise", nil, sdk.Host{}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("an unknown prompt: %v", err)
	}
	if _, err := s.Call(t.Context(), "note", nil, sdk.Host{}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a resource is called like a tool: %v", err)
	}
}

// A JP host reads resources as any client does, and is asked nothing.
func TestOffersOfAJPHost(t *testing.T) {
	ask := overStream(t, notebook(0), "2025-11-25", sdk.Options{JP: "outcome"})
	for params, want := range map[string]string{
		`"uri":"note://a"`:      `"contents":[{"uri":"note://a","mimeType":"text/markdown","text":"# a"}]`,
		`"uri":"note://locked"`: `"code":"input_unavailable"`,
		`"uri":"x://y"`:         `"code":-32002`,
	} {
		if got := ask(t, "resources/read", params); !strings.Contains(got, want) {
			t.Errorf("{%s}: %s", params, got)
		}
	}
	if got := ask(t, "tools/list", ""); strings.Contains(got, "summarize") || strings.Contains(got, `"note"`) {
		t.Errorf("resources are tools: %s", got)
	}
}
