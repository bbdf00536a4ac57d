package sdk_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/conformance"
	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/library"
	"github.com/jptool/jptool/internal/fixture/studio"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/tool"
)

// TestMain makes the test binary act as the server, so that tests use it as a process with real pipes.
func TestMain(m *testing.M) {
	switch os.Getenv("JPTOOL_TEST_SERVER") {
	case "":
		os.Exit(m.Run())
	case "conformance":
		sdk.Main(conformance.New())
	}
	if os.Getenv("JPTOOL_TEST_SERVER") == "in process" {
		sdk.MainFunc(callInProcess)
	}
	if os.Getenv("JPTOOL_TEST_SERVER") == "beside" {
		sdk.Main(beside())
	}
	if os.Getenv("JPTOOL_TEST_SERVER") == "library" {
		sdk.Main(library.NewServer(library.New()))
	}
	if os.Getenv("JPTOOL_TEST_SERVER") == "studio" {
		sdk.Main(studio.NewServer(&studio.Studio{}))
	}
	f := &fixture.Fixture{}
	server := fixture.NewServer(f)
	hide := server.Flags().String("hide", "", "`tool` that is not served")
	ledger := server.Flags().String("ledger", "", "`file` to write what interceptors see")
	deny := server.Flags().String("deny", "", "`tool` that an interceptor refuses")
	server.OnStart(func(ctx context.Context) error {
		if *ledger != "" {
			file, err := os.OpenFile(*ledger, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			server.Intercept(recording(file, *deny))
		}
		f.Ending = ctx.Done()
		fmt.Println("started") // this line must not appear between the messages of the protocol
		if *hide == "broken" {
			return fmt.Errorf("nothing to hide")
		}
		server.Without(*hide)
		return nil
	})
	sdk.Main(server)
}

// beside returns a server to whose tools the program adds one through go-sdk, which adds another when it is called.
func beside() *sdk.Server {
	server := fixture.NewServer(&fixture.Fixture{})
	gosdk.Options(server).Capabilities.Tools.ListChanged = true
	added := gosdk.Server(server)
	add := func(name string) {
		added.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return new(mcp.CallToolResult), nil
			})
	}
	added.AddTool(&mcp.Tool{Name: "add_tool", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			add("added_tool")
			return new(mcp.CallToolResult), nil
		})
	return server
}

// callInProcess calls a tool that waits for the end of its context, and prints when the call starts and how it ends.
func callInProcess(ctx context.Context) int {
	server := fixture.NewServer(&fixture.Fixture{})
	server.Intercept(func(ctx context.Context, _ *tool.Round, next func(context.Context) error) error {
		fmt.Println("started")
		return next(ctx)
	})
	_, err := server.Call(ctx, "wait", json.RawMessage(`{}`), sdk.Host{})
	fmt.Println(fault.CodeOf(err))
	return sdk.ExitOK
}

// command returns the command of the server.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	// The race detector would delay the end of a process by a second.
	cmd.Env = append(os.Environ(), "JPTOOL_TEST_SERVER=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// A process is a server whose pipes are connected to the test.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	stderr lockedBuffer
	wait   func() error
}

// lockedBuffer records the output of a process.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start runs the server and performs the handshake.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	return startAs(t, "2025-11-25", args...)
}

// startAs is like start, but uses another MCP version.
func startAs(t *testing.T, version string, args ...string) *process {
	t.Helper()
	return launch(t, args...).openSession(version)
}

// openSession opens the session.
func (p *process) openSession(version string) *process {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, version))
	p.recv()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

// launch runs the server without a handshake.
func launch(t *testing.T, args ...string) *process {
	t.Helper()
	return launchCommand(t, command(t, args...))
}

// launchCommand runs a command. It does not replace streams that are set.
func launchCommand(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd}
	if p.cmd.Stderr == nil {
		p.cmd.Stderr = &p.stderr
	}
	var in io.WriteCloser
	var out io.Reader = strings.NewReader("")
	var err error
	if p.cmd.Stdin == nil {
		if in, err = p.cmd.StdinPipe(); err != nil {
			t.Fatal(err)
		}
	}
	if p.cmd.Stdout == nil {
		if out, err = p.cmd.StdoutPipe(); err != nil {
			t.Fatal(err)
		}
	}
	p.connect(in, out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.wait = sync.OnceValue(p.cmd.Wait)
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.wait()
	})
	return p
}

// connect connects the test to the server's streams.
func (p *process) connect(in io.WriteCloser, out io.Reader) {
	p.in, p.out = in, bufio.NewScanner(out)
	p.out.Buffer(nil, 64<<20)
}

func (p *process) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatalf("sending: %v\n%s", err, p.stderr.String())
	}
}

// A response is one line from the server.
type response struct {
	ID     json.RawMessage `json:"id"`
	Result result          `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	raw string
}

type result struct {
	Content []struct {
		Type, Text string
	} `json:"content"`
	IsError    bool            `json:"isError"`
	Structured json.RawMessage `json:"structuredContent"`
	Meta       map[string]struct {
		Code        string          `json:"code"`
		Recoverable bool            `json:"recoverable"`
		Transient   bool            `json:"transient"`
		Details     json.RawMessage `json:"details"`
	} `json:"_meta"`
	Tools []struct {
		Name, Title, Description string
		InputSchema              json.RawMessage `json:"inputSchema"`
		OutputSchema             json.RawMessage `json:"outputSchema"`
	} `json:"tools"`
}

// recv returns the next line. The test fails if it is not a message: standard output is only for the protocol.
func (p *process) recv() response {
	p.t.Helper()
	if !p.out.Scan() {
		p.t.Fatalf("the server is gone: %v\n%s", p.out.Err(), p.stderr.String())
	}
	var r response
	if err := json.Unmarshal(p.out.Bytes(), &r); err != nil {
		p.t.Fatalf("standard output holds %q: %v", p.out.Text(), err)
	}
	r.raw = p.out.Text()
	return r
}

// call calls a tool and returns its result. A protocol error fails the test.
func (p *process) call(tool, arguments string) result {
	p.t.Helper()
	return p.callWith(tool, arguments, "")
}

// callOf returns the line of a call.
func callOf(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

func (p *process) callWith(tool, arguments, meta string) result {
	p.t.Helper()
	if meta != "" {
		meta = `,"_meta":` + meta
	}
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, tool, arguments, meta))
	r := p.recv()
	if r.Error != nil {
		p.t.Fatalf("%s %s is a protocol error: %s", tool, arguments, r.raw)
	}
	return r.Result
}

func (r result) text() string {
	var parts []string
	for _, c := range r.Content {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, "|")
}

// log ends the process and returns its standard error.
func (p *process) log() string {
	p.t.Helper()
	p.in.Close()
	if err := p.waitForExit(5 * time.Second); err != nil {
		p.t.Errorf("the process ended with %v", err)
	}
	return p.stderr.String()
}

// waitForExit fails the test unless the process exits by itself within the given time, and returns its exit error.
func (p *process) waitForExit(within time.Duration) error {
	p.t.Helper()
	done := make(chan error, 1)
	go func() {
		for p.out.Scan() { // Wait requires that the output has been read to its end
		}
		done <- p.wait()
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(within):
		p.t.Fatalf("the process is still there after %s", within)
		return nil
	}
}
