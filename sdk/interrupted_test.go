//go:build linux && programs

package sdk_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// System calls that a signal interrupts are restarted.
func TestInterruptedSystemCalls(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	p := startWith(t, func(server *exec.Cmd) *exec.Cmd {
		words := append([]string{"-f", "-o", trace, "-e", "trace=read,write", "-e", "inject=read,write:error=EINTR:when=5+5"}, server.Args...)
		cmd := exec.Command("strace", words...)
		cmd.Env = server.Env
		return cmd
	})
	for i := range 100 {
		text := fmt.Sprint("t", i)
		if r := p.call("echo", `{"text":"`+text+`"}`); r.text() != text {
			t.Fatalf("result %+v", r)
		}
	}
	p.in.Close()
	if err := p.waitForExit(5 * time.Second); err != nil {
		t.Errorf("the process ended with %v", err)
	}
	calls, err := os.ReadFile(trace)
	if n := bytes.Count(calls, []byte("EINTR")); err != nil || n < 10 {
		t.Errorf("%d system calls were interrupted (%v)", n, err)
	}
}
