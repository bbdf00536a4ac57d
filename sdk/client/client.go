// Package client calls the tools of a server by Go types.
//
// It is what code that jptoolgen client has generated stands on, and works with any MCP
// server. Questions reach an [Answerer] by the name that the contract gives them, on
// every protocol version.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Client is a session with a server. It is safe for use by several goroutines.
type Client struct {
	session  *mcp.ClientSession
	envelope bool
}

// Options configure a client.
type Options struct {
	// Name and Version are how it introduces itself; "" is jptool and 0.
	Name, Version string
	// Answer answers what tools ask. Without it the client says that nobody can be
	// asked, and tools use their defaults or fail with input_unavailable.
	Answer Answerer
	// Envelope says that the server wraps its results as {success, data, error}; results are then the data.
	Envelope bool
}

// Connect opens a session with the server at the other end of t.
func Connect(ctx context.Context, t mcp.Transport, o Options) (*Client, error) {
	if o.Name == "" {
		o.Name, o.Version = "jptool", "0"
	}
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	if o.Answer != nil {
		options.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return elicit(ctx, o.Answer, req.Params)
		}
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: o.Name, Version: o.Version}, options).Connect(ctx, t, nil)
	if err != nil {
		return nil, fmt.Errorf("connecting to the server: %w", err)
	}
	return &Client{session, o.Envelope}, nil
}

// Command is a server that is started as a process and ended by [Client.Close]. The
// program is run as it is named, without a shell.
func Command(ctx context.Context, program string, args ...string) mcp.Transport {
	return &mcp.CommandTransport{Command: exec.CommandContext(ctx, program, args...), TerminateDuration: 2 * time.Second}
}

// Session is the MCP session underneath, for what is not a tool.
func (c *Client) Session() *mcp.ClientSession { return c.session }

// Close ends the session.
func (c *Client) Close() error { return c.session.Close() }

// Call calls a tool with in, a value that JSON makes an object, or nil for no arguments.
// The structured content of the result goes into out, which is a pointer, or the text if
// out is a *string; nil drops it.
//
// A tool that fails gives an [*Error]. What fails before, and a result that does not fit
// out, are other errors.
func (c *Client) Call(ctx context.Context, tool string, in, out any) error {
	if in == nil {
		in = struct{}{}
	}
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		return fmt.Errorf("calling %s: %w", tool, err)
	}
	if result.IsError {
		return failure(tool, result)
	}
	switch out := out.(type) {
	case nil:
		return nil
	case *string:
		*out = text(result)
		return nil
	default:
		if result.StructuredContent == nil {
			return fmt.Errorf("calling %s: the result has no structured content", tool)
		}
		content := result.StructuredContent
		if members, ok := content.(map[string]any); ok && c.envelope {
			content = members["data"]
		}
		data, err := json.Marshal(content)
		if err == nil {
			err = json.Unmarshal(data, out)
		}
		if err != nil {
			return fmt.Errorf("calling %s: the result does not fit: %w", tool, err)
		}
		return nil
	}
}

// text is all text of a result, a line between blocks.
func text(result *mcp.CallToolResult) string {
	var parts []string
	for _, block := range result.Content {
		switch block := block.(type) {
		case *mcp.TextContent:
			if block.Text != "" {
				parts = append(parts, block.Text)
			}
		case *mcp.EmbeddedResource:
			if block.Resource != nil && block.Resource.Text != "" {
				parts = append(parts, block.Resource.Text)
			}
		}
	}
	return strings.Join(parts, "\n")
}

// ErrDeclined and ErrCanceled are what an [Answerer] returns for a user who says no to
// being asked, or turns away.
var (
	ErrDeclined = errors.New("the question was declined")
	ErrCanceled = errors.New("the question was canceled")
)
