// Command mcpgo serves the tool with mcp-go, with validation on or off.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/jptool/jptool/bench/internal/probe"
	"github.com/jptool/jptool/bench/internal/search"
	"github.com/jptool/jptool/bench/internal/serve"
)

func main() {
	tools := flag.Int("tools", 1, "number of tools")
	validate := flag.Bool("validate", false, "check arguments and results")
	addr := flag.String("http", "", "serve over HTTP at this `address` instead of stdio")
	waits := flag.Bool("wait", false, "also serve a tool that waits")
	flag.Parse()
	stop := probe.Start()
	s, err := makeServer(*tools, *validate)
	if err == nil {
		if *waits {
			addWait(s)
		}
		err = run(s, *addr)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves over stdio, or over HTTP if addr is set.
func run(s *server.MCPServer, addr string) error {
	if addr == "" {
		return server.ServeStdio(s)
	}
	return serve.HTTP(addr, server.NewStreamableHTTPServer(s))
}

func makeServer(tools int, validate bool) (*server.MCPServer, error) {
	in, out, err := search.Schemas()
	if err != nil {
		return nil, err
	}
	var options []server.ServerOption
	if validate {
		options = append(options, server.WithInputSchemaValidation(), server.WithOutputSchemaValidation())
	}
	s := server.NewMCPServer("mcpgo", "1", options...)
	handler := mcp.NewStructuredToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in search.In) (search.Out, error) {
		return search.Run(in), nil
	})
	for i := range tools {
		t := mcp.NewToolWithRawSchema(search.Name(i+1), search.Description, in)
		t.RawOutputSchema = out
		s.AddTool(t, handler)
	}
	return s, nil
}

func addWait(s *server.MCPServer) {
	t := mcp.NewToolWithRawSchema("wait", "Waits until its call ends.", json.RawMessage(`{"type":"object"}`))
	s.AddTool(t, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError(serve.Wait(ctx).Error()), nil
	})
}
