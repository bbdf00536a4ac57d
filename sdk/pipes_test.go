//go:build unix

package sdk_test

import (
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// changeCommand returns the command of the server, modified by change.
func changeCommand(t *testing.T, change func(*exec.Cmd) *exec.Cmd) *exec.Cmd {
	t.Helper()
	return change(command(t))
}

// startWith is like start but modifies the command first.
func startWith(t *testing.T, change func(*exec.Cmd) *exec.Cmd) *process {
	t.Helper()
	return launchCommand(t, changeCommand(t, change)).openSession("2025-11-25")
}

func TestStandardErrorIsClosed(t *testing.T) {
	p := startWith(t, func(server *exec.Cmd) *exec.Cmd {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		t.Cleanup(func() { w.Close() })
		server.Stderr = w
		return server
	})
	for range 5 {
		if r := p.call("fail", `{"how":"panic"}`); !strings.Contains(r.text(), "incident") {
			t.Fatalf("result %+v", r)
		}
	}
}

// A host that does not read the log must not block the server.
func TestStandardErrorIsNotRead(t *testing.T) {
	var log *os.File
	p := startWith(t, func(server *exec.Cmd) *exec.Cmd {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close(); w.Close() })
		log, server.Stderr = r, w
		return server
	})
	const calls = 400 // each logs a stack of several kilobytes
	for range calls {
		if r := p.call("fail", `{"how":"panic"}`); !strings.Contains(r.text(), "incident") {
			t.Fatalf("result %+v", r)
		}
	}
	p.cmd.Stderr.(*os.File).Close()
	said := make(chan string, 1)
	go func() {
		data, _ := io.ReadAll(log)
		said <- string(data)
	}()
	p.in.Close()
	if err := p.waitForExit(5 * time.Second); err != nil {
		t.Errorf("the process ended with %v", err)
	}
	text := <-said
	written := strings.Count(text, "tool panicked")
	_, lost, _ := strings.Cut(text, `msg="log lines dropped: standard error is not read fast enough" lost=`)
	lost, _, _ = strings.Cut(lost, "\n")
	if n, err := strconv.Atoi(lost); err != nil || n+written < calls || written < 10 {
		t.Errorf("%d of %d panics are in the log, which reports %q lost lines", written, calls, lost)
	}
}

// Over HTTP, a log that is never read, or no longer read, does not block calls, either.
func TestLogIsNotReadOverHTTP(t *testing.T) {
	for name, leave := range map[string]func(io.Closer){
		"it is not read": func(io.Closer) {}, "it is closed": func(c io.Closer) { c.Close() },
	} {
		s, stderr := serveUnread(t, command(t, "--http", "127.0.0.1:0"))
		leave(stderr)
		for range 100 { // more than fits in a pipe
			if got := s.call(t, "fail", `{"how":"panic"}`).view(); got.code != "internal" || !strings.Contains(got.text, "incident") {
				t.Fatalf("%s: received %+v", name, got)
			}
		}
	}
}

// Idle connections do not exhaust the files that a process may open.
func TestSilentConnectionsOverHTTP(t *testing.T) {
	server := command(t, "--http", "127.0.0.1:0")
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -n 64 && exec "$@"`, "sh"}, server.Args...)...)
	cmd.Env = server.Env
	s, stderr := serveUnread(t, cmd)
	go io.Copy(io.Discard, stderr)
	address, _, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), "/")
	for i := range 200 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		defer c.Close()
	}
	if r := s.call(t, "echo", `{"text":"x"}`); r.Result.text() != "x" {
		t.Errorf("a client that calls receives %+v", r)
	}
}

func TestStandardOutputIsClosed(t *testing.T) {
	var out *os.File
	p := launchCommand(t, changeCommand(t, func(server *exec.Cmd) *exec.Cmd {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.Close() })
		out, server.Stdout = r, w
		return server
	}))
	out.Close()
	p.send(callOf(1, "echo", `{"text":"x"}`)) // the input stays open
	if err := p.waitForExit(2 * time.Second); err == nil {
		t.Error("the process ended as if all were well")
	}
}

// Unread output is bounded: handlers wait, then the server stops reading. Such a client does not keep the
// process alive.
func TestResponsesAreNotRead(t *testing.T) {
	for _, tc := range []struct {
		name string
		end  func(*process)
	}{
		{"end of input", func(p *process) { p.in.Close() }},
		{"signal", func(p *process) { p.signal(syscall.SIGTERM) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := start(t)
			in, ok := p.in.(interface{ SetWriteDeadline(time.Time) error })
			if !ok {
				t.Fatalf("%T has no deadline", p.in)
			}
			const size = 20_000
			text := strings.Repeat("x", size)
			sent := 0
			for ; ; sent += size {
				if err := in.SetWriteDeadline(time.Now().Add(500 * time.Millisecond)); err != nil {
					t.Fatal(err)
				}
				if _, err := io.WriteString(p.in, callOf(sent, "echo", `{"text":"`+text+`"}`)+"\n"); err != nil {
					break // the server has stopped reading
				}
				if sent > 200<<20 {
					t.Fatal("the server reads without end")
				}
			}
			if runtime.GOOS == "linux" {
				if peak := p.status("VmHWM"); peak > 256<<10 {
					t.Errorf("after %d bytes of calls the server has %d KiB", sent, peak)
				}
			}
			tc.end(p)
			done := make(chan error, 1)
			go func() {
				_, err := p.cmd.Process.Wait() // wait without reading the output
				done <- err
			}()
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(4 * time.Second):
				t.Error("the process is still there")
			}
		})
	}
}

// Some hosts provide non-blocking pipes.
func TestNonblockingPipes(t *testing.T) {
	stdin, in := nonblocking(t, 0)
	stdout, out := nonblocking(t, 1)
	p := launchCommand(t, changeCommand(t, func(server *exec.Cmd) *exec.Cmd {
		server.Stdin, server.Stdout = stdin, stdout
		return server
	}))
	for _, end := range []*os.File{stdin, stdout} {
		flags, err := unix.FcntlInt(end.Fd(), unix.F_GETFL, 0)
		if err != nil || flags&unix.O_NONBLOCK == 0 {
			t.Fatalf("%s blocks: flags %#x, %v", end.Name(), flags, err)
		}
		end.Close()
	}
	p.connect(in, out)
	p.openSession("2025-11-25")
	big := strings.Repeat("x", 90_000) // more than fits in a pipe
	for range 20 {
		if r := p.call("echo", `{"text":"`+big+`"}`); r.text() != big {
			t.Fatalf("%d bytes came back", len(r.text()))
		}
	}
	p.in.Close()
	if err := p.waitForExit(2 * time.Second); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}

// nonblocking returns the ends of a pipe. The server's end has the given number in the process, and
// stays non-blocking when the process inherits it.
func nonblocking(t *testing.T, number int) (server, other *os.File) {
	t.Helper()
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	server = os.NewFile(uintptr(ends[number]), "server's end")
	other = os.NewFile(uintptr(ends[1-number]), "client's end")
	for _, end := range ends {
		syscall.CloseOnExec(end)
	}
	if err := syscall.SetNonblock(ends[number], true); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close(); other.Close() })
	return server, other
}
