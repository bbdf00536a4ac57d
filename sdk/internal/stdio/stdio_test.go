package stdio_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/internal/stdio"
)

// A client is the other end of a server over this transport, line by line.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	lines *bufio.Scanner
	ended chan error
}

// start runs a server with the tools echo, which answers with the raw _meta it
// saw, slow, which answers once the channel release is closed, and stuck, which
// answers when its context ends.
func start(t *testing.T, tr *stdio.Transport, release chan struct{}) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	tr.In, tr.Out, tr.Log = inR, outW, slog.New(slog.DiscardHandler)
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	add := func(name string, h func(context.Context, *mcp.CallToolRequest) string) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: h(ctx, req)}}}, nil
			})
	}
	add("echo", func(_ context.Context, req *mcp.CallToolRequest) string { return string(stdio.RawMeta(req.Extra)) })
	add("slow", func(context.Context, *mcp.CallToolRequest) string { <-release; return "slow" })
	add("stuck", func(ctx context.Context, _ *mcp.CallToolRequest) string { <-ctx.Done(); return "stuck" })
	session, err := s.Connect(t.Context(), tr, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, in: inW, lines: bufio.NewScanner(outR), ended: make(chan error, 1)}
	c.lines.Buffer(nil, 64<<20)
	go func() { c.ended <- session.Wait() }()
	t.Cleanup(func() { inW.Close(); outR.Close() })
	c.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	if got := c.recv(); !strings.Contains(got, `"id":"init"`) {
		t.Fatalf("initialize: %s", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *client) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, text+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) recv() string {
	c.t.Helper()
	if !c.lines.Scan() {
		c.t.Fatalf("no line: %v", c.lines.Err())
	}
	return c.lines.Text()
}

func call(id, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, id, tool)
}

func TestLinesThatAreNoMessage(t *testing.T) {
	c := start(t, &stdio.Transport{MaxLine: 1 << 16}, nil)
	for _, tc := range []struct{ name, line, want string }{
		{"text", "hello", `"id":null,"error":{"code":-32700`},
		{"cut off", `{"jsonrpc":"2.0","id":1,"meth`, `"id":null,"error":{"code":-32700`},
		{"two objects", call("1", "echo") + call("2", "echo"), `"id":null,"error":{"code":-32700`},
		{"not UTF-8", `{"jsonrpc":"2.0","id":1,"method":"` + "\xff" + `"}`, `"id":null,"error":{"code":-32700`},
		{"deep", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), `"id":null,"error":{"code":-32700`},
		{"number", "7", `"id":null,"error":{"code":-32600`},
		{"batch", "[" + call("1", "echo") + "]", `"id":null,"error":{"code":-32600`},
		{"empty object", "{}", `"id":null,"error":{"code":-32600`},
		{"too long", `{"a":"` + strings.Repeat("x", 1<<17) + `"}`, `"id":null,"error":{"code":-32600`},
		{"null id", call("null", "echo"), `"id":null,"error":{"code":-32600`},
		{"object id", call(`{"a":1}`, "echo"), `"id":null,"error":{"code":-32600`},
		{"old version", `{"jsonrpc":"1.0","id":3,"method":"ping"}`, `"id":3,"error":{"code":-32600`},
		{"name in capitals", `{"jsonrpc":"2.0","id":4,"METHOD":"ping"}`, `"id":4,"error":{"code":-32600`},
		{"method twice", `{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/list"}`, `"id":5,"error":{"code":-32600`},
		{"tool twice", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","name":"slow"}}`, `"id":8,"error":{"code":-32600`},
		{"method a number", `{"jsonrpc":"2.0","id":6,"method":6}`, `"id":6,"error":{"code":-32600`},
		{"_meta twice", `{"jsonrpc":"2.0","id":9,"method":"ping","params":{"_meta":{"progressToken":1,"progressToken":2}}}`, `"id":9,"error":{"code":-32600`},
		{"an answer twice", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo","inputResponses":{"a":{"action":"accept","action":"decline"}}}}`, `"id":9,"error":{"code":-32600`},
		{"a capability twice", `{"jsonrpc":"2.0","id":9,"method":"initialize","params":{"capabilities":{"roots":{},"roots":{}}}}`, `"id":9,"error":{"code":-32600`},
		{"_meta a list", `{"jsonrpc":"2.0","id":9,"method":"ping","params":{"_meta":[]}}`, `"id":9,"error":{"code":-32602`},
		{"params a list", `{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}`, `"id":7,"error":{"code":-32602`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c.send(tc.line)
			if got := c.recv(); !strings.Contains(got, tc.want) || !json.Valid([]byte(got)) || len(got) > 500 {
				t.Errorf("answer %.300s, want %s", got, tc.want)
			}
			c.send(call(`"alive"`, "echo"))
			if got := c.recv(); !strings.Contains(got, `"id":"alive","result"`) {
				t.Errorf("the session is damaged: %s", got)
			}
		})
	}
}

func TestByteOrderMark(t *testing.T) {
	in, out := io.Pipe()
	tr := &stdio.Transport{In: io.NopCloser(strings.NewReader("\xef\xbb\xbf" + ping + "\n")), Out: out, Log: slog.New(slog.DiscardHandler)}
	session, err := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), tr, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil || !strings.Contains(answer, `"id":"p","result"`) {
		t.Errorf("answer %s (%v)", answer, err)
	}
}

func TestLinesThatWantNoAnswer(t *testing.T) {
	c := start(t, &stdio.Transport{}, nil)
	for _, quiet := range []string{
		"", "  \t", "\r",
		`{"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}}`,
		`{"jsonrpc":"2.0","id":99,"result":{}}`,
		`{"jsonrpc":"2.0","id":{},"result":{}}`, `{"jsonrpc":"2.0","id":1,"result":{},"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/unheard_of"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`, `{"jsonrpc":"2.0","method":"tools/call","params":7}`,
		`{"jsonrpc":"2.0","method":"server/discover"}`, `{"jsonrpc":"2.0","method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}`,
	} {
		c.send(quiet)
	}
	c.send("\t" + call("1", "echo") + " \r")
	if got := c.recv(); !strings.Contains(got, `"id":1,"result"`) {
		t.Errorf("first line after quiet ones: %s", got)
	}
}

func TestIDsComeBackAsSent(t *testing.T) {
	c := start(t, &stdio.Transport{}, nil)
	for _, id := range []string{`0`, `-1`, `1.0`, `25e-0`, `1.50e1`, `1e3`, `9007199254740993`, `9223372036854775808`, `1e400`, `""`, `"a b"`, `"\u00e9\n"`, `"` + strings.Repeat("x", 10000) + `"`} {
		c.send(call(id, "echo"))
		if got := c.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":`+id+`,"result":`) {
			t.Errorf("id %.40s came back as %.80s", id, got)
		}
	}
}

func TestDuplicateIDInFlight(t *testing.T) {
	release := make(chan struct{})
	c := start(t, &stdio.Transport{}, release)
	c.send(call("7", "slow"))
	c.send(call("7", "echo"))
	if got := c.recv(); !strings.Contains(got, `"error":{"code":-32600`) {
		t.Errorf("a second call of the id: %s", got)
	}
	close(release)
	if got := c.recv(); !strings.Contains(got, `"id":7,"result"`) {
		t.Errorf("the first call: %s", got)
	}
	c.send(call("7", "echo"))
	if got := c.recv(); !strings.Contains(got, `"id":7,"result"`) {
		t.Errorf("the id once it is free: %s", got)
	}
}

func TestCanceledCallIsNotAnswered(t *testing.T) {
	c := start(t, &stdio.Transport{}, nil)
	for _, id := range []string{`"s1"`, `12`} {
		c.send(call(id, "stuck"))
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"enough"}}`)
	}
	c.send(call("2", "echo"))
	if got := c.recv(); !strings.Contains(got, `"id":2,"result"`) {
		t.Errorf("after the cancellations: %s", got)
	}
}

func TestRawMeta(t *testing.T) {
	c := start(t, &stdio.Transport{}, nil)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","_meta":{"computer.jp/tool":{"options":{"n":9007199254740993}}}}}`)
	if got := c.recv(); !strings.Contains(got, `9007199254740993`) {
		t.Errorf("the number is rounded: %s", got)
	}
}

func TestEndOfInput(t *testing.T) {
	t.Run("owed answers are delivered", func(t *testing.T) {
		release := make(chan struct{})
		c := start(t, &stdio.Transport{Drain: time.Minute}, release)
		c.send(call("1", "slow"))
		c.in.Close()
		close(release)
		if got := c.recv(); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("answer: %s", got)
		}
		if err := <-c.ended; err != nil {
			t.Errorf("the session ended with %v", err)
		}
	})
	t.Run("but not waited for longer than the drain", func(t *testing.T) {
		c := start(t, &stdio.Transport{Drain: time.Millisecond}, nil)
		c.send(call("1", "stuck"))
		c.in.Close()
		for c.lines.Scan() { // what a canceled call still says
			break
		}
		if err := <-c.ended; err != nil {
			t.Errorf("the session ended with %v", err)
		}
	})
	t.Run("a last line without a newline counts", func(t *testing.T) {
		c := start(t, &stdio.Transport{}, nil)
		if _, err := io.WriteString(c.in, call("1", "echo")); err != nil {
			t.Fatal(err)
		}
		c.in.Close()
		if got := c.recv(); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("answer: %s", got)
		}
	})
}
