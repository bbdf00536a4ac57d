//go:build unix

package sdk_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal ends the process in good order: a call that runs is answered.
func TestSignalsEndTheProcess(t *testing.T) {
	heeded := make(chan os.Signal, 1)
	signal.Notify(heeded, syscall.SIGHUP) // under nohup, the processes of the test would ignore it
	defer signal.Stop(heeded)
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
			if err := p.ends(2 * time.Second); err != nil {
				t.Errorf("the process ended with %v", err)
			}
		})
	}
}

func TestSignalEndsAProcessThatHangs(t *testing.T) {
	p := start(t)
	p.send(callOf(1, "hang", `{}`))
	if r := p.call("echo", `{"text":"up"}`); r.text() != "up" {
		t.Fatalf("result %+v", r)
	}
	p.signal(syscall.SIGTERM)
	if err := p.ends(3 * time.Second); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}

// Over HTTP calls are answered too, also those of handlers that do not end.
func TestSignalsEndAProcessOverHTTP(t *testing.T) {
	s := serve(t, nil)
	session, _ := s.session(t, "")
	in := []string{"MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", session}
	tools := []string{"wait", "hang"}
	answers := make(chan string, len(tools))
	for i, tool := range tools {
		go func() {
			_, body := s.post(t, callOf(i, tool, `{}`), in...)
			answers <- string(body)
		}()
	}
	for i := range tools {
		// Each id is in use as soon as the server has the call.
		for running := false; !running; {
			_, body := s.post(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i), in...)
			running = strings.Contains(string(body), "still running")
		}
	}
	began := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for range tools {
		if got := <-answers; !strings.Contains(got, `"code":"canceled"`) {
			t.Errorf("a call is answered %s", got)
		}
	}
	if err := s.cmd.Wait(); err != nil || time.Since(began) > 3*time.Second {
		t.Errorf("the process ended with %v after %v", err, time.Since(began))
	}
}

func TestSecondSignalKills(t *testing.T) {
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
	ended := make(chan struct{})
	go func() {
		_ = p.wait() // tells that it was killed, which is asked for below
		close(ended)
	}()
	// A signal that comes while the server lets go of the first is one with it. Many at
	// once would meet Go's runtime in the middle of ending.
	again := time.Tick(10 * time.Millisecond)
	for running := true; running; {
		_ = p.cmd.Process.Signal(os.Interrupt) // which fails once it has ended
		select {
		case <-again:
		case <-ended:
			running = false
		}
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("the process ended with %v", p.cmd.ProcessState)
	}
}

// A server started by nohup stays when its terminal goes.
func TestIgnoredHangupStaysIgnored(t *testing.T) {
	p := started(t, func(server *exec.Cmd) *exec.Cmd {
		words := append([]string{"-c", `trap "" HUP; exec "$@"`, "sh"}, server.Args...)
		cmd := exec.Command("sh", words...)
		cmd.Env = server.Env
		return cmd
	})
	p.signal(syscall.SIGHUP)
	if r := p.call("echo", `{"text":"still here"}`); r.text() != "still here" {
		t.Errorf("result %+v", r)
	}
	if log := p.log(); strings.Contains(log, "level=ERROR") {
		t.Error(log)
	}
}

func (p *process) signal(signal os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
}
