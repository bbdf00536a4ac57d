package jphost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/internal/peer"
)

// With one of these arguments, the test binary acts as the server.
func TestMain(m *testing.M) {
	if behaviour := os.Getenv("HOST_TEST_SERVER"); behaviour != "" {
		os.Exit(runServer(behaviour))
	}
	os.Exit(m.Run())
}

const serverInfo = `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"child","version":"1"}}`

func runServer(behaviour string) int {
	if tool, ok := strings.CutPrefix(behaviour, "local "); ok {
		return runTool(tool)
	}
	fmt.Fprintln(os.Stderr, "child is", behaviour)
	if behaviour == "broken" {
		return 3
	}
	buf := make([]byte, 64<<10)
	for id := 0; ; {
		n, err := os.Stdin.Read(buf)
		if err != nil {
			break
		}
		for line := range bytes.Lines(buf[:n]) {
			switch {
			case bytes.Contains(line, []byte(`"initialize"`)):
				fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", id, serverInfo)
				id++
			case bytes.Contains(line, []byte(`"tools/call"`)):
				fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%d"}]}}`+"\n", id, os.Getpid())
				id++
			}
		}
	}
	switch behaviour {
	case "deaf":
		select {}
	case "sulky":
		return 4
	}
	return 0
}

func command(behaviour string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "HOST_TEST_SERVER="+behaviour)
	return cmd
}

func TestStart(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tests := []struct{ behaviour, exit string }{
		{"well", ""},
		{"sulky", "exit status 4"},
	}
	for _, test := range tests {
		t.Run(test.behaviour, func(t *testing.T) {
			var stderr bytes.Buffer
			cmd := command(test.behaviour)
			h, err := Start(ctx, cmd, Options{Stderr: &stderr})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := h.Call(ctx, "pid", nil, nil); err != nil || got.Text != fmt.Sprint(cmd.Process.Pid) {
				t.Errorf("%+v, %v", got, err)
			}
			for range 2 {
				if err := h.Close(); (err == nil) != (test.exit == "") || err != nil && err.Error() != test.exit {
					t.Errorf("close: %v, want %s", err, test.exit)
				}
			}
			if got := stderr.String(); got != "child is "+test.behaviour+"\n" {
				t.Errorf("stderr is %q", got)
			}
		})
	}
}

func TestStartRefuses(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := Start(ctx, exec.Command("/no/such/program"), Options{}); err == nil || !strings.HasPrefix(err.Error(), "start: ") {
		t.Errorf("err = %v", err)
	}
	taken := command("well")
	taken.Stdin = strings.NewReader("")
	if _, err := Start(ctx, taken, Options{}); err == nil {
		t.Error("a command with its input set was started")
	}
	cmd := command("broken")
	_, err := Start(ctx, cmd, Options{})
	if !errors.Is(err, errClosed) || !strings.HasSuffix(err.Error(), "(exit status 3)") {
		t.Errorf("err = %v", err)
	}
	if cmd.ProcessState == nil {
		t.Error("the command is still running")
	}
}

func TestCloseKills(t *testing.T) {
	cmd := command("deaf")
	p, err := peer.Launch(cmd, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	h, err := Connect(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err == nil || !strings.HasPrefix(err.Error(), "signal: ") {
		t.Errorf("close: %v", err)
	}
	if cmd.ProcessState == nil {
		t.Error("the command is still running")
	}
}
