//go:build unix

package sdk_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/fault"
)

// A signal ends the process gracefully: a running call is answered.
func TestSignalsEndTheProcess(t *testing.T) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // under nohup, child processes would otherwise ignore SIGHUP
	defer signal.Stop(hangups)
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			p := start(t)
			p.send(callOf(1, "wait", `{}`))
			p.send(callOf(2, "hang", `{"until_end":true}`))
			if r := p.call("echo", `{"text":"up"}`); r.text() != "up" {
				t.Fatalf("result %+v", r)
			}
			p.signal(signal)
			if r := p.recv(); string(r.ID) != "2" || r.Result.text() != "done" {
				t.Errorf("the call that ends by itself is answered %s", r.raw)
			}
			if r := p.recv(); string(r.ID) != "1" || r.Result.Meta["computer.jp/error"].Code != "canceled" {
				t.Errorf("the call that does not is answered %s", r.raw)
			}
			if err := p.waitForExit(2 * time.Second); err != nil {
				t.Errorf("the process ended with %v", err)
			}
		})
	}
}

// A server without calls in flight ends with status 0.
func TestSignalEndsAnIdleProcess(t *testing.T) {
	p := start(t)
	if r := p.call("echo", `{"text":"up"}`); r.text() != "up" {
		t.Fatalf("result %+v", r)
	}
	p.signal(syscall.SIGTERM)
	if err := p.waitForExit(2 * time.Second); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}

// A signal cancels the calls that a program makes in its own process, including the first one.
func TestSignalCancelsACallInProcess(t *testing.T) {
	cmd := command(t)
	cmd.Env = append(cmd.Env, "JPTOOL_TEST_SERVER=in process")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "started" {
		t.Errorf("the first line is %q", lines.Text())
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if !lines.Scan() || lines.Text() != string(fault.Canceled) {
		t.Errorf("the call ended with %q", lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}

func TestSignalEndsAProcessThatHangs(t *testing.T) {
	p := start(t)
	p.send(callOf(1, "hang", `{}`))
	if r := p.call("echo", `{"text":"up"}`); r.text() != "up" {
		t.Fatalf("result %+v", r)
	}
	p.signal(syscall.SIGTERM)
	if err := p.waitForExit(3 * time.Second); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}

// Over HTTP, running calls are also answered, including calls to handlers that do not end.
func TestSignalsEndAProcessOverHTTP(t *testing.T) {
	s := serve(t, nil)
	session, _ := s.session(t, "")
	answers := []<-chan string{s.beginCall(t, 1, "wait", session), s.beginCall(t, 2, "hang", session)}
	began := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for _, answer := range answers {
		if got := <-answer; !strings.Contains(got, `"code":"canceled"`) {
			t.Errorf("a call is answered %s", got)
		}
	}
	if err := s.cmd.Wait(); err != nil || time.Since(began) > 3*time.Second {
		t.Errorf("the process ended with %v after %v", err, time.Since(began))
	}
}

// inUse is part of the error for a request whose id is used by another request.
const inUse = "still running"

// beginCall calls a tool in a session, and returns when the call is running. The channel receives the
// answer, or "" if the call ends without an answer.
func (s service) beginCall(t *testing.T, id int, tool, session string) (answer <-chan string) {
	t.Helper()
	answered := make(chan string, 1)
	go func() {
		defer close(answered)
		for body := inUse; strings.Contains(body, inUse); { // the ping below may be using the id
			req, err := http.NewRequest(http.MethodPost, s.url, strings.NewReader(callOf(id, tool, `{}`)))
			if err != nil {
				return
			}
			req.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Protocol-Version": {"2025-11-25"}, "Mcp-Session-Id": {session}}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				return
			}
			data, _ := io.ReadAll(resp.Body) // the server may be killed
			_ = resp.Body.Close()
			body = string(data)
			if !strings.Contains(body, inUse) {
				answered <- body
			}
		}
	}()
	// Its id is in use as soon as the server has received the call.
	for running := false; !running; {
		_, body := s.post(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id), "MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", session)
		running = strings.Contains(string(body), inUse)
	}
	return answered
}

func TestSecondSignalKills(t *testing.T) {
	t.Run("stdio", func(t *testing.T) {
		p := start(t)
		p.send(callOf(1, "hang", `{}`))
		p.send(callOf(2, "hang", `{"until_end":true}`))
		if r := p.call("echo", `{"text":"up"}`); r.text() != "up" {
			t.Fatalf("result %+v", r)
		}
		p.signal(os.Interrupt)
		if r := p.recv(); r.Result.text() != "done" {
			t.Fatalf("answer %s", r.raw)
		}
		killWithSecondSignal(t, p.cmd, p.wait)
	})
	t.Run("HTTP", func(t *testing.T) {
		s := serve(t, nil)
		session, _ := s.session(t, "")
		s.beginCall(t, 1, "hang", session)
		killWithSecondSignal(t, s.cmd, s.cmd.Wait)
	})
}

// killWithSecondSignal sends signals to a command that is shutting down, and checks that a signal ends
// the command.
func killWithSecondSignal(t *testing.T, cmd *exec.Cmd, wait func() error) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		_ = wait() // the error, which is due to the signal, is checked below
		close(ended)
	}()
	// A signal that arrives while the first one is being handled has no effect of its own, so the signal
	// is repeated. Many signals at the same time would interfere with the shutdown of Go's runtime.
	again := time.Tick(10 * time.Millisecond)
	for running := true; running; {
		_ = cmd.Process.Signal(os.Interrupt) // fails if the process has already ended
		select {
		case <-again:
		case <-ended:
			running = false
		}
	}
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("the process ended with %v", cmd.ProcessState)
	}
}

// A server started with nohup continues when its terminal closes.
func TestIgnoredHangupStaysIgnored(t *testing.T) {
	under := func(server *exec.Cmd) *exec.Cmd {
		words := append([]string{"-c", `trap "" HUP; exec "$@"`, "sh"}, server.Args...)
		cmd := exec.Command("sh", words...)
		cmd.Env = server.Env
		return cmd
	}
	p := startWith(t, under)
	p.signal(syscall.SIGHUP)
	if r := p.call("echo", `{"text":"still here"}`); r.text() != "still here" {
		t.Errorf("result %+v", r)
	}
	if log := p.log(); strings.Contains(log, "level=ERROR") {
		t.Error(log)
	}
	s, _ := serveUnread(t, under(command(t, "--http", "127.0.0.1:0")))
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if r := s.call(t, "echo", `{"text":"still here"}`); r.Result.text() != "still here" {
		t.Errorf("over HTTP: %+v", r)
	}
}

func (p *process) signal(signal os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
}
