package stdio_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/stdio"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A client is the client's end of a connection, read line by line.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	lines *bufio.Scanner
	ended chan error
}

type none = handler.None

// newEngine returns the engine of a server with three tools: echo, slow, which returns when the release channel
// is closed, and stuck, which returns when its context is done.
func newEngine(t *testing.T, o engine.Options, release chan struct{}) *engine.Engine {
	t.Helper()
	var entries []engine.Entry
	add := func(name string, run func(context.Context)) {
		contract := &manifest.Tool{Name: name, Input: manifest.Schema(`{"type":"object"}`)}
		entries = append(entries, engine.Entry{Contract: contract, Tool: handler.New(name,
			handler.Codec[none, none, none, string]{Result: handler.Text[string]},
			func(ctx context.Context, _ *tool.Call, _, _, _ none) (string, error) {
				run(ctx)
				return name, nil
			})})
	}
	add("echo", func(context.Context) {})
	add("slow", func(context.Context) { <-release })
	add("stuck", func(ctx context.Context) { <-ctx.Done() })
	o.Contract, o.Version = &manifest.Server{Name: "test", Unknown: manifest.Ignore}, "1"
	o.Trust, o.Log = &trust.Policy{Server: "test"}, cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return engine.New(entries, o)
}

// start serves a client with an open session.
func start(t *testing.T, o engine.Options, drain time.Duration, release chan struct{}) *client {
	t.Helper()
	return startUntil(t.Context(), t, o, drain, release)
}

func startUntil(ctx context.Context, t *testing.T, o engine.Options, drain time.Duration, release chan struct{}) *client {
	t.Helper()
	e := newEngine(t, o, release)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, lines: bufio.NewScanner(outR), ended: make(chan error, 1)}
	c.lines.Buffer(nil, 64<<20)
	go func() {
		c.ended <- stdio.Serve(ctx, e, inR, outW, cmp.Or(drain, engine.DrainTime), func() {})
	}()
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

func TestInvalidLines(t *testing.T) {
	c := start(t, engine.Options{MaxMessage: 1 << 16}, 0, nil)
	for _, tc := range []struct{ name, line, want string }{
		{"text", "hello", `"id":null,"error":{"code":-32700`},
		{"cut off", `{"jsonrpc":"2.0","id":1,"meth`, `"id":null,"error":{"code":-32700`},
		{"two objects", call("1", "echo") + call("2", "echo"), `"id":null,"error":{"code":-32700`},
		{"not UTF-8", `{"jsonrpc":"2.0","id":1,"method":"` + "\xff" + `"}`, `"id":null,"error":{"code":-32700`},
		{"deep", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), `"id":null,"error":{"code":-32700`},
		{"U+00A0 before it", "\u00a0" + ping, `"id":null,"error":{"code":-32700`},
		{"U+2028 after it", ping + "\u2028", `"id":null,"error":{"code":-32700`},
		{"vertical tab after it", ping + "\v", `"id":null,"error":{"code":-32700`},
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
	ended := make(chan error, 1)
	go func() {
		input := io.NopCloser(strings.NewReader("\xef\xbb\xbf" + ping + "\n" + "\xef\xbb\xbf" + ping + "\n"))
		ended <- stdio.Serve(t.Context(), newEngine(t, engine.Options{}, nil), input, out, engine.DrainTime, func() {})
	}()
	lines := bufio.NewReader(in)
	for range 2 {
		answer, err := lines.ReadString('\n')
		if want := `"id":"p","result"`; err != nil || !strings.Contains(answer, want) {
			t.Errorf("answer %s (%v), want %s", answer, err, want)
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Preparing the process for calls does not delay the answers to requests that arrive together. It begins once the
// client is silent.
func TestPrepare(t *testing.T) {
	for _, tc := range []struct {
		name, sent string
		answers    int
	}{
		{"requests that arrive together", ping + "\n" + ping + "\n", 2},
		{"an incomplete line after a request", ping + "\n" + ping[:9], 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			prepared := make(chan struct{})
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			ended := make(chan error, 1)
			go func() {
				ended <- stdio.Serve(t.Context(), newEngine(t, engine.Options{}, nil), inR, outW, engine.DrainTime, sync.OnceFunc(func() { close(prepared) }))
			}()
			if _, err := io.WriteString(inW, tc.sent); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(outR)
			for i := range tc.answers {
				select {
				case <-prepared:
					t.Error("prepared before the answers")
				default:
				}
				if _, err := lines.ReadString('\n'); err != nil {
					t.Fatalf("answer %d: %v", i, err)
				}
			}
			if strings.HasSuffix(tc.sent, ping[:9]) {
				if _, err := io.WriteString(inW, ping[9:]+"\n"); err != nil {
					t.Fatal(err)
				}
				if _, err := lines.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			<-prepared
			inW.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLinesWithoutResponse(t *testing.T) {
	c := start(t, engine.Options{}, 0, nil)
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

func TestIDsAreReturnedUnchanged(t *testing.T) {
	c := start(t, engine.Options{}, 0, nil)
	for _, id := range []string{`0`, `-1`, `1.0`, `25e-0`, `1.50e1`, `1e3`, `9007199254740993`, `9223372036854775808`, `1e400`, `""`, `"a b"`, `"\u00e9\n"`, `"` + strings.Repeat("x", 10000) + `"`} {
		c.send(call(id, "echo"))
		if got := c.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":`+id+`,"result":`) {
			t.Errorf("id %.40s came back as %.80s", id, got)
		}
	}
}

func TestDuplicateIDInFlight(t *testing.T) {
	release := make(chan struct{})
	c := start(t, engine.Options{}, 0, release)
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

func TestCanceledCallGetsNoResponse(t *testing.T) {
	c := start(t, engine.Options{}, 0, nil)
	for _, id := range []string{`"s1"`, `12`} {
		c.send(call(id, "stuck"))
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"enough"}}`)
	}
	c.send(call("2", "echo"))
	if got := c.recv(); !strings.Contains(got, `"id":2,"result"`) {
		t.Errorf("after the cancellations: %s", got)
	}
}

// Different notations of an id are the same id, in cancellations and in requests that run at the
// same time.
func TestNotationsOfAnID(t *testing.T) {
	c := start(t, engine.Options{}, 0, nil)
	for id, other := range map[string]string{`"a/b"`: `"\u0061\/b"`, `"\""`: `"\u0022"`, `7`: `7.0`, `1e2`: `100`, `-0`: `0`} {
		c.send(call(id, "stuck"))
		c.send(call(other, "echo"))
		if got := c.recv(); !strings.Contains(got, `"id":`+other+`,"error":{"code":-32600`) {
			t.Errorf("%s while %s runs: %s", other, id, got)
		}
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + other + `}}`)
		c.send(call(id, "echo"))
		if got := c.recv(); !strings.Contains(got, `"id":`+id+`,"result"`) {
			t.Errorf("%s after %s was canceled: %s", id, other, got)
		}
	}
	for id, other := range map[string]string{`"7"`: `7`, `9007199254740993`: `9007199254740992`, `1e400`: `2e400`, `"1.0"`: `"1"`} {
		c.send(call(id, "stuck"))
		c.send(call(other, "echo"))
		if got := c.recv(); !strings.Contains(got, `"id":`+other+`,"result"`) {
			t.Errorf("%s while %s runs: %s", other, id, got)
		}
	}
}

func TestEndOfInput(t *testing.T) {
	t.Run("owed answers are delivered", func(t *testing.T) {
		release := make(chan struct{})
		c := start(t, engine.Options{}, time.Minute, release)
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
		c := start(t, engine.Options{}, time.Millisecond, nil)
		c.send(call("1", "stuck"))
		c.in.Close()
		for c.lines.Scan() { // output of the canceled call
			break
		}
		if err := <-c.ended; err != nil {
			t.Errorf("the session ended with %v", err)
		}
	})
	t.Run("a last line without a newline counts", func(t *testing.T) {
		c := start(t, engine.Options{}, 0, nil)
		if _, err := io.WriteString(c.in, call("1", "echo")); err != nil {
			t.Fatal(err)
		}
		c.in.Close()
		if got := c.recv(); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("answer: %s", got)
		}
	})
}

// The log contains read errors, but not the closing of the input.
func TestClosedInputIsNotAnError(t *testing.T) {
	for err, logged := range map[error]bool{
		io.EOF: false, io.ErrClosedPipe: false, net.ErrClosed: false, &fs.PathError{Op: "read", Path: "pipe", Err: os.ErrClosed}: false,
		io.ErrUnexpectedEOF: true,
	} {
		var log bytes.Buffer
		c := start(t, engine.Options{Log: slog.New(slog.NewTextHandler(&log, nil))}, 0, nil)
		c.in.CloseWithError(err)
		if ended := <-c.ended; ended != nil {
			t.Errorf("%v: %v", err, ended)
		}
		if got := strings.Contains(log.String(), "reading the input failed"); got != logged {
			t.Errorf("%v: logged %t, want %t: %s", err, got, logged, &log)
		}
	}
}
