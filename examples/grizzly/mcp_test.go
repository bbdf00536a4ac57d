package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

// generations are the supported versions of MCP, newest first.
var generations = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// connect starts the server and connects go-sdk's client to it.
func connect(t *testing.T, version string, o *mcp.ClientOptions, cmd *exec.Cmd) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Errorf("the session speaks %s, want %s", got, version)
	}
	return session
}

func callMCP(t *testing.T, s *mcp.ClientSession, tool string, arguments map[string]any, meta mcp.Meta) (text string, isError bool) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments, Meta: meta})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, block := range result.Content {
		text += block.(*mcp.TextContent).Text
	}
	return text, result.IsError
}

func TestEveryGenerationOfMCP(t *testing.T) {
	t.Parallel()
	db := createLibrary(t, beartest.Layout{WAL: true}, wineNote())
	for _, version := range generations {
		t.Run(version, func(t *testing.T) {
			s := connect(t, version, nil, command(t, nil, "--db", db, "--note-create", "--opener", "none"))
			if got := s.InitializeResult().Instructions; got != "Search, read and create Bear notes." {
				t.Errorf("instructions %q", got)
			}
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range tools.Tools {
				names = append(names, tool.Name)
				if readOnly := tool.Name != "note_create"; tool.Annotations.ReadOnlyHint != readOnly || tool.InputSchema == nil || tool.Description == "" {
					t.Errorf("tool %+v", tool)
				}
			}
			if want := []string{"note_create", "note_get", "note_search"}; !slices.Equal(names, want) {
				t.Errorf("tools %q, want %q", names, want)
			}
			for _, c := range []struct {
				tool      string
				arguments map[string]any
				isError   bool
				want      string
			}{
				{"note_search", map[string]any{"queries": []string{"red"}}, false, `<match note-id="WINE"`},
				{"note_get", map[string]any{"ids": []string{"WINE"}, "lines": []int{2}}, false, "<![CDATA[002: The red one.]]>"},
				{"note_get", map[string]any{}, true, "invalid_input: argument ids: "},
				{"note_create", map[string]any{"title": "T"}, true, `input_unavailable: this tool must ask question "confirm-create"`},
			} {
				if text, isError := callMCP(t, s, c.tool, c.arguments, nil); isError != c.isError || !strings.Contains(text, c.want) {
					t.Errorf("%s: error %t, %q; want %t, %q", c.tool, isError, text, c.isError, c.want)
				}
			}
		})
	}
}

// Structured content contains the same data as the text.
func TestStructuredContent(t *testing.T) {
	t.Parallel()
	db := createLibrary(t, beartest.Layout{}, wineNote())
	s := connect(t, generations[0], nil, command(t, nil, "--db", db))
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "note_search", Arguments: map[string]any{"tags": "cellar"}})
	if err != nil {
		t.Fatal(err)
	}
	content, _ := result.StructuredContent.(map[string]any)
	if matches, _ := content["matches"].([]any); len(matches) != 1 || matches[0].(map[string]any)["id"] != "WINE" || content["total"] != 1.0 {
		t.Errorf("the structured content is %v", result.StructuredContent)
	}
}

// A client that cannot ask its user receives the defaults. If a question has no default, the error
// says how to call again.
func TestClientThatCannotAsk(t *testing.T) {
	t.Parallel()
	big := beartest.Note{ID: "BIG", Title: "Big", Text: strings.Repeat("0123456789abcde\n", 1<<20/16+1)}
	db, asked := createLibrary(t, beartest.Layout{}, wineNote(), big), filepath.Join(t.TempDir(), "asked")
	args := []string{"--db", db, "--note-create", "--opener", os.Args[0], "--option", "note_get.max_note_bytes=16777216"}
	for _, version := range generations[:2] {
		s := connect(t, version, nil, command(t, []string{bearNotes + "=" + asked}, args...))
		for _, c := range []struct {
			question, tool string
			arguments      map[string]any
			isError        bool
			want           string
		}{
			{"confirm-large", "note_get", map[string]any{"ids": []string{"BIG"}}, true, "input_declined: the requested notes contain 1.0 MiB of text"},
			{"pick-note", "note_get", map[string]any{"ids": []string{"wine"}}, false,
				`<missing id="wine"/>` + "\n" + `<info>No note has the id "wine". A note with that title exists: Wine [WINE] #cellar`},
			{"duplicate-title", "note_create", map[string]any{"title": "wine"}, true, `conflict: no note was created: a note with the title "Wine" already exists, with the id WINE`},
			{"new-tag, then confirm-create", "note_create", map[string]any{"title": "T", "tags": []string{"Cellar"}}, true,
				`input_unavailable: this tool must ask question "confirm-create" (Create the note "T" with the tag "Cellar"?), but this client cannot ask. The answer must be true or false.`},
		} {
			if text, isError := callMCP(t, s, c.tool, c.arguments, nil); isError != c.isError || !strings.HasPrefix(text, c.want) {
				t.Errorf("%s: error %t, %.300q; want %t, %q", c.question, isError, text, c.isError, c.want)
			}
		}
		wantAsked(t, asked, "")
	}
	s := connect(t, generations[0], nil, command(t, []string{bearNotes + "=" + asked}, args...))
	again := mcp.Meta{"computer.jp/tool": map[string]any{"answers": map[string]any{"confirm-create": true}}}
	if text, isError := callMCP(t, s, "note_create", map[string]any{"title": "T"}, again); isError {
		t.Errorf("called again with the answer: %s", text)
	}
	wantAsked(t, asked, "bear://x-callback-url/create?text=%23%20T%0A%0A%0A&open_note=no&show_window=no")
}

// A client with the elicitation capability receives questions as MCP elicitations.
func TestElicitation(t *testing.T) {
	t.Parallel()
	for _, version := range generations[:3] {
		for action, want := range map[string]string{"accept": `Bear was asked to create the note "T", but`, "decline": "input_declined: ", "cancel": "input_declined: "} {
			t.Run(version+" "+action, func(t *testing.T) {
				t.Parallel()
				db, asked := createLibrary(t, beartest.Layout{}, wineNote()), filepath.Join(t.TempDir(), "asked")
				var messages []string
				o := &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					messages = append(messages, req.Params.Message)
					return &mcp.ElicitResult{Action: action, Content: map[string]any{"answer": true}}, nil
				}}
				s := connect(t, version, o, command(t, []string{bearNotes + "=" + asked}, "--db", db, "--note-create", "--opener", os.Args[0]))
				text, isError := callMCP(t, s, "note_create", map[string]any{"title": "T", "content": "x"}, nil)
				if !strings.HasPrefix(text, want) || isError != (action != "accept") {
					t.Errorf("error %t, %q; want %q", isError, text, want)
				}
				if len(messages) != 1 || !strings.Contains(messages[0], `Create the note "T"?`) {
					t.Errorf("the user was asked %q", messages)
				}
				if action != "accept" {
					wantAsked(t, asked, "")
					return
				}
				wantAsked(t, asked, "bear://x-callback-url/create?text=%23%20T%0A%0A%0Ax&open_note=no&show_window=no")
			})
		}
	}
}
