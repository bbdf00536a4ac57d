package streamable

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

type none = handler.None

// A server serves a handler with net/http to clients whose connections are pipes. It runs in a synctest
// bubble, in which time only passes while all goroutines are blocked.
type server struct {
	t       *testing.T
	h       *Handler
	l       *pipes
	end     context.CancelFunc
	ended   chan error
	running chan string   // receives the name of each waiting tool
	release chan struct{} // closed to let the tools slow and steps return
}

// testInBubble runs a test with a server in a synctest bubble.
func testInBubble(t *testing.T, o engine.Options, h Options, test func(t *testing.T, s *server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &server{
			t: t, l: &pipes{conns: make(chan net.Conn), closed: make(chan struct{})},
			ended: make(chan error, 1), running: make(chan string, 100), release: make(chan struct{}),
		}
		ctx, end := context.WithCancel(t.Context())
		s.end = end
		s.h = New(ctx, s.engine(o), h)
		go func() { s.ended <- s.h.Serve(s.l, "/mcp", s.h, nil) }()
		test(t, s)
		s.releaseAll()
		end()
		if err := <-s.ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
		time.Sleep(time.Minute) // fake time; net/http closes connections a moment later
	})
}

// releaseAll lets the tools slow and steps return.
func (s *server) releaseAll() {
	select {
	case <-s.release:
	default:
		close(s.release)
	}
}

// engine returns the engine of a server whose tools wait in several ways.
func (s *server) engine(o engine.Options) *engine.Engine {
	s.t.Helper()
	var entries []engine.Entry
	add := func(name, schema string, run func(ctx context.Context, c *tool.Call) (string, error)) {
		entries = append(entries, engine.Entry{
			Contract: &manifest.Tool{Name: name, Input: manifest.Schema(schema)},
			Tool: handler.New(name, handler.Codec[none, none, none, string]{Result: handler.Text[string]},
				func(ctx context.Context, c *tool.Call, _, _, _ none) (string, error) { return run(ctx, c) }),
		})
	}
	const object = `{"type":"object"}`
	add("echo", object, func(context.Context, *tool.Call) (string, error) { return "echo", nil })
	add("slow", object, func(context.Context, *tool.Call) (string, error) {
		s.running <- "slow"
		<-s.release
		return "slow", nil
	})
	add("stuck", object, func(ctx context.Context, _ *tool.Call) (string, error) {
		s.running <- "stuck"
		<-ctx.Done()
		s.running <- "stuck was canceled"
		return "", ctx.Err()
	})
	add("steps", object, func(ctx context.Context, c *tool.Call) (string, error) {
		c.Progress(1, 2, "")
		s.running <- "steps"
		select {
		case <-s.release:
			return "steps", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	})
	add("exit", object, func(context.Context, *tool.Call) (string, error) {
		runtime.Goexit()
		return "", nil
	})
	add("big", object, func(context.Context, *tool.Call) (string, error) { return strings.Repeat("x", 1<<20), nil })
	add("weather", `{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"},`+
		`"days":{"type":"integer","x-mcp-header":"Days"}}}`,
		func(context.Context, *tool.Call) (string, error) { return "rain", nil })
	type asking struct{ sure elicit.Confirm }
	entries = append(entries, engine.Entry{
		Contract: &manifest.Tool{Name: "ask", Input: manifest.Schema(object), Questions: []manifest.Question{{ID: "sure"}}},
		Tool: handler.New("ask", handler.Codec[none, asking, none, string]{Result: handler.Text[string], Questions: func(set *question.Set) asking {
			return asking{bind.Confirm(set, question.Spec{ID: "sure"})}
		}}, func(ctx context.Context, _ *tool.Call, _ none, ask asking, _ none) (string, error) {
			defer func() { s.running <- "ask has ended" }()
			_, err := ask.sure.Ask(ctx, "Sure?")
			return "asked", err
		}),
	})
	o.Contract, o.Version = &manifest.Server{Name: "test", Unknown: manifest.Ignore}, "1"
	o.Trust, o.Log = &trust.Policy{Server: "test"}, slog.New(slog.DiscardHandler)
	return engine.New(entries, o)
}

// waitForCall waits until a tool has sent the text what to the channel running.
func (s *server) waitForCall(what string) {
	s.t.Helper()
	if got := <-s.running; got != what {
		s.t.Fatalf("%s, want %s", got, what)
	}
}

// pipes is a listener for in-memory connections.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error {
	select {
	case <-l.closed:
	default:
		close(l.closed)
	}
	return nil
}

func (l *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

// A client is the client's end of a connection.
type client struct {
	t *testing.T
	net.Conn
	in   *bufio.Reader
	resp *http.Response
	body *bufio.Reader
}

// dial connects a client, which disconnects at the end of the test.
func (s *server) dial() *client {
	s.t.Helper()
	own, theirs := net.Pipe()
	select {
	case s.l.conns <- theirs:
	case <-s.l.closed:
		s.t.Fatal("the server takes no connection")
	}
	s.t.Cleanup(func() { own.Close() })
	return &client{t: s.t, Conn: own, in: bufio.NewReader(own)}
}

// send sends a request on a new connection. The caller reads the response.
func (s *server) send(r *http.Request) *client {
	s.t.Helper()
	c := s.dial()
	c.send(r)
	return c
}

func (c *client) send(r *http.Request) {
	go func() { _ = r.Write(c) }() // the server may stop reading early
}

// header reads the status line and the header of the response.
func (c *client) header() *http.Response {
	c.t.Helper()
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Fatalf("no response: %v", err)
	}
	c.resp, c.body = resp, bufio.NewReader(resp.Body)
	return resp
}

// event reads the next event or comment of a stream; it returns "" at the end.
func (c *client) event() string {
	c.t.Helper()
	if c.resp == nil {
		if resp := c.header(); resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != typeStream {
			c.t.Fatalf("%s %v, want a stream", resp.Status, resp.Header)
		}
	}
	text := ""
	for {
		line, err := c.body.ReadString('\n')
		if text += line; line == "\n" || err != nil {
			return strings.TrimSpace(text)
		}
	}
}

// A reply is a complete response.
type reply struct {
	status int
	header http.Header
	body   string
}

func (c *client) reply() reply {
	c.t.Helper()
	resp := c.header()
	body, err := io.ReadAll(c.body)
	if err != nil {
		c.t.Fatalf("%s, and then %v", resp.Status, err)
	}
	return reply{resp.StatusCode, resp.Header, string(body)}
}

// do sends a request on a new connection and returns the response.
func (s *server) do(r *http.Request) reply {
	s.t.Helper()
	c := s.send(r)
	defer c.Close()
	return c.reply()
}

// request returns a request with the headers of a client and the given ones. The value "" removes a header.
func request(method, body string, header ...string) *http.Request {
	r, err := http.NewRequest(method, "http://localhost/mcp", strings.NewReader(body))
	if err != nil {
		panic(err) // the tests use valid methods
	}
	pairs := append([]string{"Content-Type", typeJSON, "Accept", typeJSON + ", " + typeStream}, header...)
	for i := 0; i < len(pairs); i += 2 {
		if r.Header.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			r.Header.Del(pairs[i])
		}
	}
	return r
}

func post(body string, header ...string) *http.Request {
	return request(http.MethodPost, body, header...)
}

const modernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// modern returns a tool call in version 2026-07-28.
func modern(id, tool string, header ...string) *http.Request {
	return post(callOf(id, tool, modernMeta), append([]string{headerVersion, "2026-07-28", headerMethod, "tools/call", headerName, tool}, header...)...)
}

// olderCall returns the message of a call in an older version.
func olderCall(id, tool string) string { return callOf(id, tool, `{"x":1}`) }

// callOf returns the message of a call. Calls to the tool steps request progress.
func callOf(id, tool, meta string) string {
	if tool == "steps" {
		meta = strings.Replace(meta, "{", `{"progressToken":"p",`, 1)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":{},"_meta":%s}}`, id, tool, meta)
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

// open opens a session and returns its id.
func (s *server) open(header ...string) string {
	s.t.Helper()
	r := s.do(post(initialize, header...))
	id := r.header.Get(headerSession)
	if id == "" {
		s.t.Fatalf("no session: %d %s", r.status, r.body)
	}
	return id
}

// sessionHeaders returns the headers of a request in a session.
func sessionHeaders(session string, header ...string) []string {
	return append([]string{headerVersion, "2025-11-25", headerSession, session}, header...)
}
