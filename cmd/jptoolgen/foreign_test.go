package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveForeign runs a server written as in the documentation of go-sdk, without a jptool contract. It serves over
// stdio, over HTTP if its first argument is "http", or over the HTTP transport of version 2024-11-05 if it is "sse".
// Its other arguments are the MCP versions that it supports. Without them, it supports all versions.
func serveForeign() {
	var options mcp.ServerOptions
	if len(os.Args) > 2 {
		options.SupportedProtocolVersions = os.Args[2:]
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "foreign", Version: "1.0.0"}, &options)
	type greeting struct {
		Text string `json:"text"`
	}
	type person struct {
		Name  string `json:"name" jsonschema:"who is greeted"`
		Times int    `json:"times,omitempty"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: "Greets."},
		func(_ context.Context, _ *mcp.CallToolRequest, in person) (*mcp.CallToolResult, greeting, error) {
			return nil, greeting{strings.Repeat("Hello, "+in.Name+". ", max(in.Times, 1))}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "book", Description: "Books a table."},
		func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, greeting, error) {
			answer, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "For how many?", RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"people": map[string]any{"type": "integer"}}, "required": []string{"people"},
			}})
			if err != nil {
				return nil, greeting{}, err
			}
			return nil, greeting{fmt.Sprintf("%s for %v", answer.Action, answer.Content["people"])}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "reserve", Description: "Reserves a table, as version 2026-07-28 asks."}, reserve)
	addForeignResources(server)
	var err error
	if os.Args[1] == "stdio" {
		err = server.Run(context.Background(), &mcp.StdioTransport{})
	} else {
		var l net.Listener
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err == nil {
			fmt.Fprintf(os.Stderr, "listening on port %d\n", l.Addr().(*net.TCPAddr).Port)
			// go-sdk supports version 2026-07-28 over HTTP only without sessions.
			how := &mcp.StreamableHTTPOptions{Stateless: slices.Equal(options.SupportedProtocolVersions, []string{"2026-07-28"})}
			s := http.Server{Handler: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, how), ReadHeaderTimeout: time.Minute}
			if os.Args[1] == "sse" {
				s.Handler = mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil)
			}
			err = s.Serve(l)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// addForeignResources adds resources, prompts, and a tool that returns a picture.
func addForeignResources(server *mcp.Server) {
	read := func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		c := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: "text/plain", Text: "Text of \x1b[31m" + req.Params.URI}
		switch {
		case c.URI == "card://logo":
			c.MIMEType, c.Text, c.Blob = "image/png", "", []byte("a picture\n")
		case c.URI == "card://both":
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c, {URI: "card://logo", MIMEType: "image/png", Blob: []byte("a picture\n")}}}, nil
		case strings.HasPrefix(c.URI, "card://menu") && c.URI != "card://menu":
			return nil, mcp.ResourceNotFoundError(c.URI)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
	}
	for _, name := range []string{"menu", "logo", "both"} {
		server.AddResource(&mcp.Resource{URI: "card://" + name, Name: name, Description: "Has the " + name + ".", MIMEType: "text/plain"}, read)
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "card://{name}", Name: "card", Description: "Has any card."}, read)
	toast := &mcp.Prompt{Name: "toast", Description: "Proposes a toast.", Arguments: []*mcp.PromptArgument{
		{Name: "guest", Description: "Who is honored.", Required: true}, {Name: "tone"},
	}}
	server.AddPrompt(toast, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text := "Propose a " + req.Params.Arguments["tone"] + " toast to \x1b[31m" + req.Params.Arguments["guest"] + "."
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
			{Role: "user", Content: &mcp.TextContent{Text: text}},
			{Role: "assistant", Content: &mcp.ImageContent{MIMEType: "image/png", Data: []byte("a picture\n")}},
		}}, nil
	})
	server.AddTool(&mcp.Tool{Name: "draw", Description: "Draws.", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{
				&mcp.ImageContent{MIMEType: "image/png", Data: []byte("a picture\n")}, &mcp.TextContent{Text: "A picture."},
				&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x://y", MIMEType: "x/y", Blob: []byte("data")}},
			}}, nil
		})
}

// reserve asks two questions if the client supports several rounds, and one question in a session.
func reserve(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	ask := func(id, text string) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{RequestState: req.Params.RequestState + id, InputRequests: mcp.InputRequestMap{id: &mcp.ElicitParams{
			Message: text, RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"answer": map[string]any{"type": "string"}}},
		}}}, nil, nil
	}
	switch answers := req.Params.InputResponses; req.Params.RequestState {
	case "":
		return ask("day", "Which day?")
	case "day":
		if req.Session.InitializeParams().ProtocolVersion == "2026-07-28" {
			return ask("hour", "Which hour?")
		}
		fallthrough
	default:
		var text strings.Builder
		for _, answer := range answers {
			fmt.Fprint(&text, answer.(*mcp.ElicitResult).Content["answer"])
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: req.Params.RequestState + ": " + text.String()}}}, nil, nil
	}
}

// A foreignServer is a server built with another SDK. It is either a program or a URL.
type foreignServer struct {
	program    []string
	address    string
	call, asks []string // arguments of a call without questions, and of a call with questions
	says, told string   // the results of these calls
	shows      string   // text that the description of the server must contain
}

// Servers built with go-sdk are tested with each MCP version alone, and with all versions together.
func TestGoSDKServers(t *testing.T) {
	const sessions, rounds = "2025-11-25", "2026-07-28"
	for _, versions := range [][]string{nil, {sessions}, {rounds}} {
		program := append([]string{"foreign", "stdio"}, versions...)
		address := startOnPort(t, exec.CommandContext(t.Context(), "foreign", append([]string{"http"}, versions...)...))
		for name, a := range map[string]foreignServer{"stdio": {program: program}, "HTTP": {address: address}} {
			a.call, a.says = []string{"greet", "name=Kim", "times=2"}, "Hello, Kim. Hello, Kim."
			a.asks, a.told = []string{"book", "--answer=people=4"}, "accept for 4"
			a.shows = "MCP " + rounds
			switch {
			case versions == nil && name == "HTTP", slices.Equal(versions, []string{sessions}):
				a.shows = "MCP " + sessions
			case slices.Equal(versions, []string{rounds}): // in this version, a tool cannot ask questions in the way that book does
				a.asks, a.told = []string{"reserve", "--answer=day=Monday", "--answer=hour=noon"}, "dayhour: noon"
			}
			t.Run(fmt.Sprint(name, versions), func(t *testing.T) { meet(t, a) })
		}
	}
}

// The server is built with go-sdk and supports only the HTTP transport of MCP 2024-11-05.
func TestServerOverSSE(t *testing.T) {
	meet(t, foreignServer{
		address: startOnPort(t, exec.CommandContext(t.Context(), "foreign", "sse")), shows: "MCP 2025-11-25",
		call: []string{"greet", "name=Kim"}, says: "Hello, Kim.", asks: []string{"book", "--answer=people=4"}, told: "accept for 4",
	})
}

// meet inspects a server, calls it, and stores its contract.
func meet(t *testing.T, a foreignServer) {
	target, through := []string{a.address}, a.address
	if a.program != nil {
		target, through = append([]string{"--"}, a.program...), "-"
	}
	do := func(want string, words ...string) {
		t.Helper()
		if status, out, errs := jptoolgen(t, words...); status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %s%s", words, status, out, errs)
		}
	}
	of := func(words ...string) []string { return append(words, target...) }
	lock := filepath.Join(t.TempDir(), "lock.json")
	do("\n"+a.call[0], of("inspect")...)
	do(a.shows, of("inspect")...)
	do(`"name": "`+a.call[0]+`"`, of("inspect", "--format", "json")...)
	do(a.call[0], of("list")...)
	do("", of("lock", "-o", lock)...)
	do("Nothing has changed.", of("diff", lock)...)
	do("contract sha256:", of("hash")...)
	for want, words := range map[string][]string{a.says: a.call, a.told: a.asks} {
		words = append([]string{"call", through}, words...)
		if a.program != nil {
			words = of(words...)
		}
		do(want, words...)
	}
}

// startOnPort is like startServer, but for a server that prints its port. It returns the URL of the server.
func startOnPort(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	return "http://127.0.0.1:" + startServer(t, regexp.MustCompile(`listening on port (\d+)`), cmd) + "/mcp"
}
