package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// role is the environment variable that makes the test binary run as bookworm.
const role = "BOOKWORM_TEST_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(role) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"bookworm": main})
}

// sandbox is a server with crates, and the environment of programs that use only this server.
type sandbox struct {
	*cratestest.Server
	env []string
}

func newSandbox(tb testing.TB, crates ...cratestest.Crate) sandbox {
	tb.Helper()
	if crates == nil {
		crates = []cratestest.Crate{cratestest.Sample("1.2.0", "1.1.0")}
	}
	s := sandbox{Server: cratestest.New(crates...)}
	tb.Cleanup(s.Close)
	s.env = []string{
		role + "=1", "BOOKWORM_CRATES_IO_URL=" + s.URL, "BOOKWORM_DOCS_RS_URL=" + s.URL, "BOOKWORM_CACHE_DIR=" + tb.TempDir(),
		"HOME=" + tb.TempDir(), "WRM_LOG=warn", "WRM_LOG_FILE=", "GORACE=atexit_sleep_ms=0", // the race detector would delay the exit of a process by a second
	}
	return s
}

func (s sandbox) cache() string {
	for _, v := range s.env {
		if dir, ok := strings.CutPrefix(v, "BOOKWORM_CACHE_DIR="); ok {
			return dir
		}
	}
	return ""
}

// command returns a bookworm command.
func (s sandbox) command(tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = slices.Concat(os.Environ(), s.env)
	return cmd
}

// start runs a command as a server and returns its host.
func start(tb testing.TB, o jphost.Options, cmd *exec.Cmd) *jphost.Host {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var log bytes.Buffer // read after the server has ended
	o.Stderr = &log
	h, err := jphost.Start(ctx, cmd, o)
	if err != nil {
		tb.Fatalf("starting the server: %v\n%s", err, log.String())
	}
	tb.Cleanup(func() {
		if err := h.Close(); err != nil {
			tb.Errorf("the server ended with %v\n%s", err, log.String())
		}
	})
	return h
}

const teapot = `{"crate_name":"tea-time","query":"Teapot"}`

// oneshot returns the command that runs a tool once, as JP runs a local tool.
func (s sandbox) oneshot(tb testing.TB, tool, arguments string, options ...string) *exec.Cmd {
	tb.Helper()
	document := fmt.Sprintf(`{"name":%q,"arguments":%s,"answers":{},"options":{%s}}`, tool, arguments, strings.Join(options, ","))
	return s.command(tb, "mcp", "call", tool, document, `{"action":"run","root":"/"}`)
}

// outcome parses the output of a one-shot call.
func outcome(tb testing.TB, data []byte) (kind, text string) {
	tb.Helper()
	var o struct{ Type, Content, Message string }
	if err := json.Unmarshal(data, &o); err != nil {
		tb.Fatalf("%v: %.300s", err, data)
	}
	return o.Type, o.Content + o.Message
}

// Two processes with 25 calls each share one download and return the same answer.
func TestOneDownloadForProcesses(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	hosts := []*jphost.Host{start(t, jphost.Options{}, s.command(t, "mcp", "--jp")), start(t, jphost.Options{}, s.command(t, "mcp", "--jp"))}
	texts := make(chan string, 50)
	var wg sync.WaitGroup
	for _, h := range hosts {
		for range cap(texts) / len(hosts) {
			wg.Go(func() {
				reply, err := h.Call(context.Background(), "crate_search_items", json.RawMessage(teapot), nil)
				if err != nil {
					t.Error(err)
				}
				texts <- reply.Text
			})
		}
	}
	wg.Wait()
	close(texts)
	first := <-texts
	for text := range texts {
		if text != first || !strings.Contains(text, "tea_time::Teapot") {
			t.Errorf("an answer is\n%.300s\nwant\n%.300s", text, first)
		}
	}
	if n := s.Count("GET", "/download"); n != 1 {
		t.Errorf("%d downloads", n)
	}
}

// Standard output contains only the protocol, even with maximum logging.
func TestStandardOutput(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.env = append(s.env, "WRM_LOG=trace")
	s.Break("GET ", 1, cratestest.Status(500))
	cmd := s.command(t, "mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"crate_search_items","arguments":`+teapot+`}}
`); err != nil {
		t.Fatal(err)
	}
	var out []byte
	for lines := bufio.NewScanner(answers); lines.Scan(); {
		if !json.Valid(lines.Bytes()) {
			t.Errorf("a line is %s", lines.Bytes())
		}
		if out = append(out, lines.Bytes()...); bytes.Contains(lines.Bytes(), []byte(`"id":2`)) {
			_ = in.Close() // the end of the input cancels a call that waits to try again
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	if !bytes.Contains(out, []byte("tea_time::Teapot")) || !strings.Contains(log.String(), "request failed, trying again") {
		t.Errorf("%s\n%s", out, log.String())
	}
}
