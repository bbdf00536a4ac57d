// Package client calls the tools of an MCP server, reads its resources and gets its prompts with Go types.
//
// It is the runtime of the code that jptoolgen client generates, and works with any MCP server.
// Questions reach an [Answerer] with the names that the contract gives them.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/fault"
)

// A Client is a session with a server. It is safe for concurrent use.
type Client struct {
	session  *mcp.ClientSession
	envelope bool
	wrong    func() error // why a wrong response ended the session
}

// Options configure a client.
type Options struct {
	// Name and Version identify the client; the defaults are "jptool" and "0".
	Name, Version string
	// Answer answers the questions of tools. If it is nil, the client declares that it cannot ask, and
	// tools use their defaults or fail with input_unavailable.
	Answer Answerer
	// Updated is called when a resource that [Client.Subscribe] names has changed, and ListChanged when the list of resources
	// has changed. The calls may overlap.
	Updated     func(ctx context.Context, uri string)
	ListChanged func(ctx context.Context)
	// Envelope means that the server wraps results as {success, data, error}; Call returns data.
	Envelope bool
}

// Connect opens a session with the server at the other end of t, such as a [Command] or, for a URL, an
// [mcp.StreamableClientTransport] whose HTTPClient adds the credentials.
func Connect(ctx context.Context, t mcp.Transport, o Options) (*Client, error) {
	if o.Name == "" {
		o.Name, o.Version = "jptool", "0"
	}
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	if o.Answer != nil {
		var one sync.Mutex // go-sdk asks the questions of one result at the same time
		options.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			one.Lock()
			defer one.Unlock()
			return elicit(ctx, o.Answer, req.Params)
		}
	}
	o.notify(options)
	c := &Client{envelope: o.Envelope, wrong: func() error { return nil }}
	if own, ok := t.(*command); ok {
		c.wrong = own.wrong
	}
	var err error
	c.session, err = mcp.NewClient(&mcp.Implementation{Name: o.Name, Version: o.Version}, options).Connect(ctx, t, nil)
	if err != nil {
		return nil, fmt.Errorf("connecting to the server: %w", c.cause(err))
	}
	return c, nil
}

// cause returns the wrong response that ended the session, or else err.
func (c *Client) cause(err error) error {
	if wrong := c.wrong(); wrong != nil {
		return wrong
	}
	return err
}

// Close ends the session.
func (c *Client) Close() error { return c.session.Close() }

// Call calls a tool. in is a value that encodes as a JSON object, or nil for no arguments. Integers
// beyond 2^53-1 are sent as strings, because JSON numbers of that size may have been rounded. Call
// decodes the structured content of the result into the pointer out. A *string receives the text. If
// out is nil, the result is discarded.
//
// If the tool fails, the error is an [*Error]. Other errors mean that the call itself failed, or
// that the result does not match out.
func (c *Client) Call(ctx context.Context, tool string, in, out any) error {
	if in == nil {
		in = struct{}{}
	}
	arguments, err := exact(in)
	if err != nil {
		return fmt.Errorf("calling %s: cannot encode the arguments: %w", tool, err)
	}
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return fmt.Errorf("calling %s: %w", tool, c.cause(err))
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
	}
	content := result.StructuredContent
	if content == nil {
		return fmt.Errorf("calling %s: the result has no structured content", tool)
	}
	if members, ok := content.(map[string]any); ok && c.envelope {
		content = members["data"]
	}
	data, err := json.Marshal(content)
	if err == nil {
		err = json.Unmarshal(data, out)
	}
	if err != nil {
		return fmt.Errorf("calling %s: cannot decode the result: %w", tool, err)
	}
	return nil
}

// text returns the text of a result, with one newline between blocks.
func text(result *mcp.CallToolResult) string {
	var parts []string
	for _, block := range result.Content {
		switch block := block.(type) {
		case *mcp.TextContent:
			parts = append(parts, block.Text)
		case *mcp.EmbeddedResource:
			if block.Resource != nil {
				parts = append(parts, block.Resource.Text)
			}
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n")
}

// An [Answerer] returns these errors for a user who declines or dismisses a question.
var (
	ErrDeclined = errors.New("the question was declined")
	ErrCanceled = errors.New("the question was canceled")
)

// An Error is a failure that a tool, a resource or a prompt reported.
type Error struct {
	Tool        string          // the name of the tool or prompt, or the URI of the resource
	Code        fault.Code      // the kind of failure; "" for servers without codes
	Message     string          // the tool's error message
	Details     json.RawMessage // a JSON object, or nil
	Recoverable bool            // a call with other arguments may succeed
	Transient   bool            // the same call may succeed later
}

func (e *Error) Error() string {
	if e.Code == "" {
		return fmt.Sprintf("%s: %s", e.Tool, e.Message)
	}
	return fmt.Sprintf("%s: %s: %s", e.Tool, e.Code, e.Message)
}

// Is reports whether target is an Error with the same code and neither tool nor message, so that
// errors.Is(err, &client.Error{Code: fault.NotFound}) tests for a code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code != "" && t.Code == e.Code && t.Tool == "" && t.Message == ""
}

// metaError is the _meta key of the code of a failed result.
const metaError = "computer.jp/error"

func failure(tool string, result *mcp.CallToolResult) *Error {
	e := &Error{Tool: tool, Message: text(result)}
	var meta struct {
		Code                   fault.Code
		Details                json.RawMessage
		Recoverable, Transient bool
	}
	data, err := json.Marshal(result.Meta[metaError])
	if err != nil || json.Unmarshal(data, &meta) != nil || meta.Code == "" {
		return e
	}
	e.Code, e.Recoverable, e.Transient = meta.Code, meta.Recoverable, meta.Transient
	if string(meta.Details) != "null" {
		e.Details = meta.Details
	}
	e.Message = strings.TrimPrefix(e.Message, string(e.Code)+": ")
	return e
}
