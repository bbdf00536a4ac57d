package sdk_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/content"
)

// A peer is a server that receives one line at a time.
type peer struct {
	in  io.Writer
	out *bufio.Scanner
}

// ask sends lines and returns the response to the last.
func (p *peer) ask(t *testing.T, lines []string) map[string]json.RawMessage {
	t.Helper()
	go io.WriteString(p.in, strings.Join(lines, "\n")+"\n") // in a goroutine, because the peer responds before it has read everything
	var last map[string]json.RawMessage
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatal(err)
	}
	for p.out.Scan() {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(p.out.Bytes(), &m); err != nil {
			t.Fatalf("%s: %v", p.out.Bytes(), err)
		}
		if m["method"] == nil && bytes.Equal(m["id"], last["id"]) {
			return m
		}
	}
	t.Fatalf("the server ended without an answer to %s", lines)
	return nil
}

// newJptoolPeer returns a peer for a jptool server.
func newJptoolPeer(t *testing.T, server *sdk.Server) *peer {
	t.Helper()
	in, client := io.Pipe()
	out, own := io.Pipe()
	go server.Serve(t.Context(), struct {
		io.Reader
		io.WriteCloser
	}{in, own}, sdk.Options{})
	t.Cleanup(func() { client.Close() })
	return &peer{client, bufio.NewScanner(out)}
}

// newGoSDKPeer returns a peer for go-sdk's own server with the same tools, whose handlers call the jptool server.
func newGoSDKPeer(t *testing.T, server *sdk.Server) *peer {
	t.Helper()
	m := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "v1"}, nil)
	for _, c := range server.Contract().Tools {
		m.AddTool(&mcp.Tool{Name: c.Name, Description: c.Description, InputSchema: json.RawMessage(c.Input)},
			func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				result, err := server.Call(ctx, c.Name, r.Params.Arguments, sdk.Host{})
				if err != nil {
					return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
				}
				answer := &mcp.CallToolResult{Content: []mcp.Content{}}
				for _, b := range result.Blocks {
					if text, ok := b.(content.Text); ok {
						answer.Content = append(answer.Content, &mcp.TextContent{Text: text.Text})
					}
				}
				if result.Structured != "" {
					answer.StructuredContent = json.RawMessage(result.Structured)
				}
				return answer, nil
			})
	}
	in, client := io.Pipe()
	out, own := io.Pipe()
	go m.Run(t.Context(), &mcp.IOTransport{Reader: in, Writer: own})
	t.Cleanup(func() { client.Close() })
	return &peer{client, bufio.NewScanner(out)}
}

// specifiedParts returns the parts of a response that the specification defines: the code of an error, and certain
// members of a result.
func specifiedParts(t *testing.T, response map[string]json.RawMessage) string {
	t.Helper()
	var failure struct{ Code int }
	if response["error"] != nil {
		if err := json.Unmarshal(response["error"], &failure); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s error %d", response["id"], failure.Code)
	}
	var result struct {
		ProtocolVersion   string
		ResultType        string
		IsError           bool
		StructuredContent json.RawMessage
		Tools             []struct {
			Name        string
			InputSchema json.RawMessage
		}
		Content []struct{ Type, Text string }
	}
	if err := json.Unmarshal(response["result"], &result); err != nil {
		t.Fatalf("%s: %v", response["result"], err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s result %s %s isError=%t", response["id"], result.ProtocolVersion, result.ResultType, result.IsError)
	slices.SortFunc(result.Tools, func(a, b struct {
		Name        string
		InputSchema json.RawMessage
	}) int {
		return strings.Compare(a.Name, b.Name)
	})
	for _, tool := range result.Tools {
		fmt.Fprintf(&b, " %s", tool.Name)
	}
	if !result.IsError { // the text of errors is not specified
		for _, c := range result.Content {
			fmt.Fprintf(&b, " %s %q", c.Type, c.Text)
		}
		var structured any
		if json.Unmarshal(result.StructuredContent, &structured) == nil {
			fmt.Fprintf(&b, " %v", structured)
		}
	}
	return b.String()
}

// Where the specification is unambiguous, the engine answers as go-sdk's own server does.
func TestOracle(t *testing.T) {
	const opened = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	initialize := func(version string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, version)
	}
	call := func(id, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":%s}`, id, params)
	}
	session := []string{initialize("2025-11-25"), opened}
	for name, lines := range map[string][]string{
		"initialize 2024-11-05":        {initialize("2024-11-05")},
		"initialize 2025-03-26":        {initialize("2025-03-26")},
		"initialize 2025-06-18":        {initialize("2025-06-18")},
		"initialize 2025-11-25":        {initialize("2025-11-25")},
		"initialize, unknown version":  {initialize("1999-01-01")},
		"ping":                         append(session, `{"jsonrpc":"2.0","id":1,"method":"ping"}`),
		"ping, id of text":             append(session, `{"jsonrpc":"2.0","id":"a\"b","method":"ping"}`),
		"ping before initialize":       {`{"jsonrpc":"2.0","id":1,"method":"ping"}`},
		"list":                         append(session, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`),
		"list, without a session":      {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + modernMeta + `}}`},
		"call":                         append(session, call("1", `{"name":"echo","arguments":{"text":"hi"}}`)),
		"call, without a session":      {call("1", `{"name":"echo","arguments":{"text":"hi"},"_meta":`+modernMeta+`}`)},
		"call, structured":             append(session, call("1", `{"name":"names","arguments":{}}`)),
		"call that fails":              append(session, call("1", `{"name":"fail","arguments":{}}`)),
		"call, wrong arguments":        append(session, call("1", `{"name":"slow","arguments":{"steps":"x"}}`)),
		"call, unknown tool":           append(session, call("1", `{"name":"no_such_tool","arguments":{}}`)),
		"call, params of another type": append(session, call("1", `7`)),
		"unknown method":               append(session, `{"jsonrpc":"2.0","id":1,"method":"no/such"}`),
		"level":                        append(session, `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}`),
		"discover":                     {`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":` + modernMeta + `}}`},
		"a version that is not spoken": {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`},
		"no capabilities":              {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`},
		"ping of 2026-07-28":           {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":` + modernMeta + `}}`},
	} {
		server := fixture.NewServer(&fixture.Fixture{})
		got := specifiedParts(t, newJptoolPeer(t, server).ask(t, lines))
		if want := specifiedParts(t, newGoSDKPeer(t, server).ask(t, lines)); got != want {
			t.Errorf("%s:\n%s\ngo-sdk: %s", name, got, want)
		}
	}
}
