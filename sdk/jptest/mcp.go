package jptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// The versions of MCP that a kit uses.
const (
	resultsAsk = "2026-07-28"
	serverAsks = "2025-11-25"
)

// overPipes returns the caller of a wire over pipes: go-sdk's client of a version, and the server with or
// without --jp.
func overPipes(version, jp string, run runner) func(*Kit) caller {
	return func(k *Kit) caller {
		return func(ctx context.Context, c *call) error {
			conn, stop := k.serve(ctx, jp)
			defer stop()
			var messages bytes.Buffer
			err := c.session(ctx, version, &mcp.LoggingTransport{
				Transport: &mcp.IOTransport{Reader: conn, Writer: conn}, Writer: locked{&c.mu, &messages},
			}, run)
			c.readNotifications(&messages)
			return err
		}
	}
}

// readNotifications records the progress and the logs in the messages of a session. The client's own handlers
// may run after the result has arrived.
func (c *call) readNotifications(messages *bytes.Buffer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for line := range bytes.Lines(messages.Bytes()) {
		var m struct {
			Method string
			Params struct {
				Progress, Total float64
				Message, Level  string
				Data            map[string]any
			}
		}
		if text, ok := bytes.CutPrefix(line, []byte("read: ")); !ok || json.Unmarshal(text, &m) != nil {
			continue
		}
		switch p := m.Params; m.Method {
		case "notifications/progress":
			c.out.Progress = append(c.out.Progress, Progress{p.Progress, p.Total, p.Message})
		case "notifications/message":
			c.out.Logs = append(c.out.Logs, logOf(p.Level, p.Data))
		}
	}
}

// overHTTP returns the caller of a wire over HTTP: go-sdk's client of a version.
func overHTTP(version string) func(*Kit) caller {
	return func(k *Kit) caller {
		ctx, cancel := context.WithCancel(k.ctx)
		handler, err := k.server.Handler(ctx, sdk.Options{TrustHTTP: true, ErrorText: sdk.ShowErrorText}, sdk.HTTPOptions{})
		if err != nil {
			cancel()
			k.t.Fatalf("serving HTTP: %v", err)
		}
		s := httptest.NewUnstartedServer(handler)
		s.Config.BaseContext = func(net.Listener) context.Context { return ctx }
		s.Start()
		k.t.Cleanup(func() {
			cancel()
			s.Close()
		})
		return func(ctx context.Context, c *call) error {
			return c.session(ctx, version, &mcp.StreamableClientTransport{
				Endpoint: s.URL, HTTPClient: s.Client(), DisableStandaloneSSE: true,
			}, (*call).callMCP)
		}
	}
}

// A runner makes a call in a session.
type runner func(*call, context.Context, *mcp.ClientSession, *mcp.CallToolParams) error

// session makes a call in a new session. Its middleware answers questions from the script: go-sdk's own handler
// would refuse invalid answers, but tests need to send them to the tool.
func (c *call) session(ctx context.Context, version string, transport mcp.Transport, run runner) (err error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "jptest", Version: "1"}, &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.ElicitParams); ok {
				return c.elicit(p)
			}
			return next(ctx, method, req)
		}
	})
	s, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return fmt.Errorf("connecting to the server: %w", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	p := &mcp.CallToolParams{Name: c.out.Tool, Meta: c.meta(c.kit.answers[c.out.Tool])}
	if string(c.args) != "null" {
		p.Arguments = c.args
	}
	err = run(c, ctx, s, p)
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok && refused.Code == jsonrpc.CodeInvalidParams {
		c.fail(fault.NotFound, strings.TrimPrefix(refused.Message, "invalid params: "))
		return nil
	}
	return err
}

// meta returns the _meta of a call.
func (c *call) meta(answers map[string]json.RawMessage) mcp.Meta {
	said := map[string]any{"answers": answers}
	if options := c.kit.toolOptions[c.out.Tool]; options != nil {
		said["options"] = options
	}
	meta := mcp.Meta{wire.MetaTool: said}
	if c.kit.options.Root != "" {
		meta[wire.MetaContext] = map[string]any{"root": c.kit.options.Root}
	}
	return meta
}

// callMCP makes a call, and answers the questions in its results.
func (c *call) callMCP(ctx context.Context, s *mcp.ClientSession, p *mcp.CallToolParams) error {
	p.Meta["progressToken"], p.Meta["io.modelcontextprotocol/logLevel"] = 1, "debug"
	if s.InitializeResult().ProtocolVersion == serverAsks {
		//lint:ignore SA1019 clients of the versions before 2026-07-28 set a level
		if err := s.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
			return err
		}
	}
	for {
		c.out.Runs++
		res, err := s.CallTool(ctx, p)
		if err != nil {
			return err
		}
		if len(res.InputRequests) == 0 {
			return c.result(res)
		}
		p.RequestState, p.InputResponses = res.RequestState, mcp.InputResponseMap{}
		for id, request := range res.InputRequests {
			asks, ok := request.(*mcp.ElicitParams)
			if !ok {
				return fmt.Errorf("the server requests a %T", request)
			}
			if p.InputResponses[id], err = c.elicit(asks); err != nil {
				return err
			}
		}
	}
}

// elicit answers a question of MCP by the script.
func (c *call) elicit(p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	about, _ := p.Meta["computer.jp/question"].(map[string]any)
	schema, _ := p.RequestedSchema.(map[string]any)
	fields, _ := schema["properties"].(map[string]any)
	q := questionOf(fields["answer"]) // forms have none
	q.ID, _ = about["id"].(string)
	q.Text = p.Message
	if at := strings.LastIndex(p.Message, "\n\n"); at >= 0 {
		q.Preamble, q.Text = p.Message[:at], p.Message[at+2:]
	}
	r, err := c.answer(q)
	switch {
	case err != nil:
		return nil, err
	case r.action == elicit.Decline:
		return &mcp.ElicitResult{Action: "decline"}, nil
	case r.action == elicit.Cancel:
		return &mcp.ElicitResult{Action: "cancel"}, nil
	}
	var answer map[string]any
	if c.kit.form(c.out.Tool, q.ID) == "" || json.Unmarshal(r.content, &answer) != nil {
		answer = map[string]any{"answer": r.content}
	}
	return &mcp.ElicitResult{Action: "accept", Content: answer}, nil
}

// result sets the outcome of a call from an MCP result.
func (c *call) result(res *mcp.CallToolResult) (err error) {
	read := convert(res.Content)
	if res.IsError {
		said, _ := res.Meta[wire.MetaError].(map[string]any)
		code, _ := said["code"].(string)
		c.out.Transient, _ = said["transient"].(bool)
		c.fail(fault.Code(code), read.Flatten())
		return nil
	}
	c.out.Blocks, c.out.Text = read, read.Flatten()
	structured := res.StructuredContent
	if members, ok := structured.(map[string]any); ok && c.kit.contract.Envelope {
		structured = members["data"]
	}
	if structured != nil {
		c.out.Structured, err = json.Marshal(structured)
	}
	return err
}

// convert converts MCP content, without its annotations.
func convert(list []mcp.Content) (all content.Blocks) {
	for _, b := range list {
		switch b := b.(type) {
		case *mcp.TextContent:
			all = append(all, content.Text{Text: b.Text})
		case *mcp.ImageContent:
			all = append(all, content.Image{Data: b.Data, MIMEType: b.MIMEType})
		case *mcp.AudioContent:
			all = append(all, content.Audio{Data: b.Data, MIMEType: b.MIMEType})
		case *mcp.EmbeddedResource:
			all = append(all, content.Resource{URI: b.Resource.URI, MIMEType: b.Resource.MIMEType, Text: b.Resource.Text, Blob: b.Resource.Blob})
		case *mcp.ResourceLink:
			all = append(all, content.Link{URI: b.URI, Name: b.Name, Title: b.Title, Description: b.Description, MIMEType: b.MIMEType})
		}
	}
	return all
}

// callBlocks makes a call whose results are typed content blocks of JP.
func (c *call) callBlocks(ctx context.Context, s *mcp.ClientSession, p *mcp.CallToolParams) error {
	return c.rounds(func(answers map[string]json.RawMessage) (*Question, error) {
		p.Meta = c.meta(answers)
		res, err := s.CallTool(ctx, p)
		if err != nil {
			return nil, err
		}
		d, problems := wire.ReadBlocks([]byte(convert(res.Content).Flatten()))
		if len(problems) > 0 {
			return nil, problems[0]
		}
		return c.document(d), nil
	})
}
