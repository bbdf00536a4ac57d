//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
)

// A session is a bookworm process that serves on pipes.
type session struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func (s sandbox) session(t *testing.T, stderr *os.File) *session {
	t.Helper()
	cmd := s.command(t, "mcp")
	if stderr != nil { // a nil *os.File in an io.Writer would not be nil
		cmd.Stderr = stderr
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // the process may still be running if the test fails
	p := &session{t, cmd, in, bufio.NewScanner(out)}
	p.out.Buffer(nil, 1<<20)
	p.send(`{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.answer()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *session) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// answer returns the id and the text of the next response.
func (p *session) answer() (id, text string) {
	p.t.Helper()
	if !p.out.Scan() {
		p.t.Fatalf("the output has ended: %v", p.out.Err())
	}
	var m struct{ ID string }
	if err := json.Unmarshal(p.out.Bytes(), &m); err != nil {
		p.t.Fatalf("%v: %s", err, p.out.Text())
	}
	return m.ID, p.out.Text()
}

// waitForExit waits at most two seconds for the process to end with status 0.
func (p *session) waitForExit() {
	p.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			p.t.Errorf("the process ended with %v", err)
		}
	case <-time.After(2 * time.Second):
		p.t.Error("the process has not ended within two seconds")
	}
}

// After a signal, the server completes its calls in flight, including calls that do not end by
// themselves, and then ends.
func TestSignalsEndTheServer(t *testing.T) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // under nohup, child processes would otherwise ignore SIGHUP
	defer signal.Stop(hangups)
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM, os.Interrupt} {
		t.Run(sig.String(), func(t *testing.T) {
			s := newSandbox(t)
			waits, goOn := make(chan struct{}, 2), make(chan struct{})
			s.Break("GET /api/v1/crates", -1, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				waits <- struct{}{}
				if r.URL.Query().Get("q") == "never" {
					cratestest.Silent(w, r, next)
				}
				<-goOn
				next.ServeHTTP(w, r)
			})
			p := s.session(t, nil)
			for _, query := range []string{"slow", "never"} {
				p.send(`{"jsonrpc":"2.0","id":"` + query + `","method":"tools/call","params":{"name":"crates_search","arguments":{"query":"` + query + `"}}}`)
				<-waits
			}
			if err := p.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			close(goOn)
			if id, text := p.answer(); id != "slow" || strings.Contains(text, `"isError":true`) {
				t.Errorf("the call that ends by itself is answered %s", text)
			}
			if id, text := p.answer(); id != "never" || !strings.Contains(text, `"code":"canceled"`) {
				t.Errorf("the call that does not end is answered %s", text)
			}
			p.waitForExit()
		})
	}
}

// The server keeps running when standard error is closed, even if it logs an error.
func TestClosedStandardError(t *testing.T) {
	s := newSandbox(t)
	s.Break("GET /api/v1/crates", 1, cratestest.Status(500)) // the server logs this error and tries again
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p := s.session(t, w)
	p.send(`{"jsonrpc":"2.0","id":"tea","method":"tools/call","params":{"name":"crates_search","arguments":{"query":"tea"}}}`)
	if id, text := p.answer(); id != "tea" || strings.Contains(text, `"isError":true`) {
		t.Errorf("the answer is %s", text)
	}
	if err := p.in.Close(); err != nil {
		t.Fatal(err)
	}
	p.waitForExit()
}
