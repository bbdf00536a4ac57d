package abuse

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// processes returns trials with process events: signals, streams that end, and pipes that are not read.
func processes(era request.Era) []Trial {
	on := func(name string, run func(*server) error) Trial {
		return Trial{Group: "process", Name: name, Run: func(t Target) error { return trial(t.Command, era, 4*patience, run) }}
	}
	with := func(name string, change func(*exec.Cmd) error, run func(*server) error) Trial {
		return Trial{Group: "process", Name: name, Run: func(t Target) error {
			var failed error
			s, err := start(t.Command, era, 4*patience, func(cmd *exec.Cmd) { failed = change(cmd) })
			if err != nil {
				return errors.Join(failed, err)
			}
			defer s.kill()
			return run(s)
		}}
	}
	all := []Trial{
		on("end of input", func(s *server) error {
			return errors.Join(s.checkAlive(), s.in.Close(), s.ends(checkExit))
		}),
		on("end of input with 20 calls in flight", func(s *server) error { return s.closeInput(20, "\n") }),
		on("end of input in the middle of a line", func(s *server) error {
			_, err := io.WriteString(s.in, request.Call(era, 2, request.Arguments)[:40])
			return errors.Join(err, s.in.Close(), s.ends(checkExit))
		}),
		on("last line without a newline", func(s *server) error { return s.closeInput(1, "") }),
		on("responses that are not read", func(s *server) error {
			in, ok := s.in.(interface{ SetWriteDeadline(time.Time) error })
			if !ok {
				return fmt.Errorf("%T has no deadline", s.in)
			}
			line := request.Call(era, 1, request.Large(20_000)) + "\n"
			sent := 0
			for ; sent < 64<<20; sent += len(line) {
				if err := in.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
					return err
				}
				if _, err := io.WriteString(s.in, strings.Replace(line, `"id":1,`, fmt.Sprintf(`"id":%d,`, sent+1), 1)); err != nil {
					break
				}
			}
			used, err := drive.Resident(s.cmd.Process.Pid)
			if err == nil && used > 64<<20 {
				err = fmt.Errorf("the server stored %d MB of unread responses", used>>20)
			}
			return errors.Join(err, s.in.Close(), s.ends(nil))
		}),
		with("closed standard error", func(cmd *exec.Cmd) error {
			r, w, err := os.Pipe()
			cmd.Stderr = w
			return errors.Join(err, r.Close())
		}, func(s *server) error {
			return errors.Join(s.open(), s.send("no message"), s.send(""), s.skip(), s.checkAlive(), s.in.Close(), s.ends(checkExit))
		}),
		with("standard error that is not read", func(cmd *exec.Cmd) error {
			r, w, err := os.Pipe()
			cmd.Stderr = w
			_ = r // r stays open, but is not read
			return err
		}, func(s *server) error {
			if err := s.open(); err != nil {
				return err
			}
			for range 1500 { // a server may log more about these calls than fits into a pipe
				if err := errors.Join(s.send(`{"jsonrpc":"2.0","id":5,"method":"`+strings.Repeat("x", 100)+`"}`), s.skip()); err != nil {
					return err
				}
			}
			return errors.Join(s.checkAlive(), s.in.Close(), s.ends(checkExit))
		}),
		with("closed standard output", func(cmd *exec.Cmd) error {
			r, w, err := os.Pipe()
			cmd.Stdout = w
			return errors.Join(err, r.Close())
		}, func(s *server) error {
			if era == request.Sessions {
				_ = s.send(request.Initialize)
			}
			_ = s.send(request.Call(era, 1, request.Arguments))
			return s.ends(nil)
		}),
		on("interrupted system calls", func(*server) error { return nil }),
	}
	all[len(all)-1].Run = func(t Target) error { return interrupt(t.Command, era) }
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		all = append(all, on(signal.String(), func(s *server) error {
			return errors.Join(s.checkAlive(), s.cmd.Process.Signal(signal), s.ends(nil))
		}))
	}
	all = append(all, Trial{Group: "process", Name: "a signal while a call waits", NeedsStress: true, Run: func(t Target) error {
		return trial(t.Stress, era, patience, func(s *server) error {
			if err := errors.Join(s.send(s.tool(1, "wait", "{}")), s.quotes(2), s.cmd.Process.Signal(syscall.SIGTERM)); err != nil {
				return err
			}
			m, err := s.recv()
			if err == nil && (string(m.ID) != "1" || m.Result == nil || !m.Result.IsError) {
				err = fmt.Errorf("unexpected response: %s", clip(m.line))
			}
			return errors.Join(err, s.ends(checkExit))
		})
	}})
	for i := range all {
		all[i].Pipes = true
	}
	return all
}

// closeInput sends calls and closes the input immediately. The server must respond to all calls.
func (s *server) closeInput(calls int, last string) error {
	var lines []string
	for i := range calls {
		lines = append(lines, request.Call(s.era, i+1, request.Arguments))
	}
	if _, err := io.WriteString(s.in, strings.Join(lines, "\n")+last); err != nil {
		return err
	}
	if err := s.in.Close(); err != nil {
		return err
	}
	for i := range calls {
		m, err := s.recv()
		if err != nil || m.Result == nil {
			return fmt.Errorf("after %d responses: %s (%w)", i, clip(m.line), err)
		}
	}
	return s.ends(checkExit)
}

// skip reads a response of any kind.
func (s *server) skip() error {
	_, err := s.recv()
	return err
}

// interrupt makes every fifth read and write of a server fail with EINTR.
func interrupt(command []string, era request.Era) error {
	if exec.Command("strace", "-o", os.DevNull, "true").Run() != nil {
		return nil // strace is missing, or is not permitted to trace processes here
	}
	dir, err := os.MkdirTemp("", "abuse-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	traced := append([]string{"strace", "-f", "-o", filepath.Join(dir, "trace"), "-e", "trace=read,write", "-e", "inject=read,write:error=EINTR:when=5+5"}, command...)
	return trial(traced, era, 4*patience, func(s *server) error {
		for range 50 {
			if err := s.checkAlive(); err != nil {
				return err
			}
		}
		return errors.Join(s.in.Close(), s.ends(checkExit))
	})
}
