package sdk_test

import (
	"context"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// libraryCommand returns the command of the server with resources and prompts.
func libraryCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(t, args...)
	cmd.Env = append(cmd.Env, "JPTOOL_TEST_SERVER=library", "LIBRARY_TOKEN=token of the service")
	return cmd
}

// TestResourcesForGoSDK uses every part of resources and prompts with go-sdk's client, over each transport and in both
// generations of the protocol.
func TestResourcesForGoSDK(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for transport, flags := range map[string][]string{"stdio": nil, "sessions": {}, "stateless": {"--http-stateless"}} {
			if transport == "stateless" && version == "2025-11-25" {
				continue // without a session, this version can neither ask nor subscribe
			}
			t.Run(transport+" "+version, func(t *testing.T) {
				told := make(chan string, 8)
				o := &mcp.ClientOptions{
					ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
						answer := map[string]any{"answer": true}
						if req.Params.Message == "How do you feel?" {
							answer["answer"] = "calm"
						}
						return &mcp.ElicitResult{Action: "accept", Content: answer}, nil
					},
					ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
						told <- "updated " + req.Params.URI
					},
					ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { told <- "list" },
				}
				var connection mcp.Transport = &mcp.CommandTransport{Command: libraryCommand(t)}
				if transport != "stdio" {
					s := serve(t, []string{"JPTOOL_TEST_SERVER=library", "LIBRARY_TOKEN=token of the service"}, flags...)
					connection = &mcp.StreamableClientTransport{Endpoint: s.url}
				}
				// A server without sessions may have replicas, of which only one hears of a change.
				useLibrary(t, connectTo(t, connection, version, o), transport != "stateless", told)
			})
		}
	}
}

// useLibrary uses the library. subscribes says whether the server tells the client about changes.
func useLibrary(t *testing.T, session *mcp.ClientSession, subscribes bool, told chan string) {
	t.Helper()
	if caps := session.InitializeResult().Capabilities; caps.Resources == nil || caps.Resources.Subscribe != subscribes || caps.Prompts == nil || caps.Completions == nil {
		t.Errorf("capabilities %+v", caps)
	}
	var names []string
	for r, err := range session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, r.Name)
	}
	if len(names) != 17 || !slices.Contains(names, "Note 12") || !slices.Contains(names, "index.md") {
		t.Errorf("%d resources on all pages: %q", len(names), names)
	}
	templates := 0
	for _, err := range session.ResourceTemplates(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		templates++
	}
	if templates != 4 {
		t.Errorf("%d templates", templates)
	}
	for uri, want := range map[string]string{
		"library://about": "A library of notes.", "note://3": "# Note 3\n", "note://7": "# Note 7\n", "diary://2": "Dear diary, this is page 2.",
		"manual://index.md": "# Manual\n\nStart here.\n",
	} {
		read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || read.Contents[0].Text != want {
			t.Errorf("%s: %+v, %v", uri, read, err)
		}
	}
	got, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "entry"})
	if err != nil || got.Messages[0].Content.(*mcp.TextContent).Text != "Write a page of a diary. The mood is calm." {
		t.Errorf("prompt: %+v, %v", got, err)
	}
	completed, err := session.Complete(t.Context(), &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "summarize"},
		Argument: mcp.CompleteParamsArgument{Name: "id", Value: "1"},
		Context:  &mcp.CompleteContext{Arguments: map[string]string{"style": "long"}},
	})
	if err != nil || !slices.Equal(completed.Completion.Values, []string{"10", "11", "12"}) {
		t.Errorf("completion: %+v, %v", completed, err)
	}
	if !subscribes {
		return
	}
	if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "note://1"}); err != nil {
		t.Fatalf("subscribing: %v", err)
	}
	edit := func(id string) {
		params := &mcp.CallToolParams{Name: "edit", Arguments: map[string]any{"id": id, "text": "new"}}
		if res, err := session.CallTool(t.Context(), params); err != nil || res.IsError {
			t.Fatalf("edit: %+v, %v", res, err)
		}
	}
	edit("1")
	expect(t, told, "updated note://1")
}

// expect waits for a notification.
func expect(t *testing.T, told chan string, want string) {
	t.Helper()
	select {
	case got := <-told:
		if got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	case <-time.After(time.Minute):
		t.Errorf("never told %q", want)
	}
}
