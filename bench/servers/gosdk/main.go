// Command gosdk serves the tool with go-sdk: typed, as its documentation recommends, or raw, with predefined
// schemas and with arguments that encoding/json decodes without checks.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/bench/internal/probe"
	"github.com/jptool/jptool/bench/internal/search"
	"github.com/jptool/jptool/bench/internal/serve"
)

func main() {
	tools := flag.Int("tools", 1, "number of tools")
	raw := flag.Bool("raw", false, "serve raw tools")
	addr := flag.String("http", "", "serve over HTTP at this `address` instead of stdio")
	stateless := flag.Bool("stateless", false, "serve HTTP without sessions, as 2026-07-28 requires")
	waits := flag.Bool("wait", false, "also serve a tool that waits")
	flag.Parse()
	stop := probe.Start()
	s, err := makeServer(*tools, *raw)
	if err == nil {
		if *waits {
			addWait(s)
		}
		err = run(s, *addr, *stateless)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves over stdio, or over HTTP if addr is set.
func run(s *mcp.Server, addr string, stateless bool) error {
	if addr == "" {
		return s.Run(context.Background(), &mcp.StdioTransport{})
	}
	return serve.HTTP(addr, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: stateless}))
}

func makeServer(tools int, raw bool) (*mcp.Server, error) {
	s := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1"}, nil)
	in, out, err := search.Schemas()
	if err != nil {
		return nil, err
	}
	for i := range tools {
		if raw {
			addRaw(s, search.Name(i+1), in, out)
		} else if err := addTyped(s, search.Name(i+1)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func addRaw(s *mcp.Server, name string, in, out json.RawMessage) {
	t := &mcp.Tool{Name: name, Description: search.Description, InputSchema: in, OutputSchema: out}
	s.AddTool(t, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in search.In
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return nil, err
		}
		out, err := json.Marshal(search.Run(in))
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: string(out)}},
			StructuredContent: json.RawMessage(out),
		}, nil
	})
}

func addTyped(s *mcp.Server, name string) error {
	in, err := jsonschema.For[search.In](nil)
	if err != nil {
		return err
	}
	p := in.Properties
	p["query"].MinLength = new(1)
	p["kind"].Enum = []any{"note", "task", "link"}
	p["limit"].Minimum, p["limit"].Maximum = new(1.0), new(100.0)
	p["offset"].Minimum, p["offset"].Maximum = new(0.0), new(10000.0)
	p["tags"].Types, p["tags"].Type = nil, "array"
	out, err := jsonschema.For[search.Out](nil)
	if err != nil {
		return err
	}
	out.Properties["kind"].Enum = p["kind"].Enum
	out.Properties["hits"].Types, out.Properties["hits"].Type = nil, "array"
	t := &mcp.Tool{Name: name, Description: search.Description, InputSchema: in, OutputSchema: out}
	mcp.AddTool(s, t, func(_ context.Context, _ *mcp.CallToolRequest, in search.In) (*mcp.CallToolResult, search.Out, error) {
		return nil, search.Run(in), nil
	})
	return nil
}

func addWait(s *mcp.Server) {
	t := &mcp.Tool{Name: "wait", Description: "Waits until its call ends.", InputSchema: json.RawMessage(`{"type":"object"}`)}
	s.AddTool(t, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		err := serve.Wait(ctx)
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
	})
}
