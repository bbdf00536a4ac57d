package sdk_test

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
)

// Calls over HTTP that are in flight when the server shuts down are answered.
func TestEndOverHTTP(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	f := &fixture.Fixture{Started: make(chan string), Ending: ctx.Done()}
	r, w := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- fixture.NewServer(f).Run(ctx, []string{"--http", "127.0.0.1:0"}, &sdk.Streams{In: io.NopCloser(strings.NewReader("")), Out: w, Err: w})
		w.Close()
	}()
	log := bufio.NewReader(r)
	line, err := log.ReadString('\n')
	m := listening.FindStringSubmatch(line)
	if err != nil || m == nil {
		t.Fatalf("the server does not serve: %s (%v)", line, err)
	}
	go io.Copy(io.Discard, log)
	go func() {
		<-f.Started
		end()
	}()
	s := service{url: m[1]}
	_, body := s.post(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang","arguments":{"until_end":true},"_meta":`+modernMeta+`}}`,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "hang")
	if !strings.Contains(string(body), `"text":"done"`) {
		t.Errorf("the call is answered %s", body)
	}
	if got := <-status; got != sdk.ExitOK {
		t.Errorf("status %d", got)
	}
}
