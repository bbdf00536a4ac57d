// Package drive runs a server in a process and sends it lines.
package drive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/jptool/jptool/bench/internal/request"
)

// Window is the number of calls in flight when calls are pipelined.
const Window = 32

// A Session is a server in a separate process.
type Session struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
	timeout *time.Timer
}

// Start starts a command with env added to the environment. The process is killed after limit.
func Start(command, env []string, limit time.Duration) (*Session, error) {
	s := &Session{cmd: exec.Command(command[0], command[1:]...)}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stderr = &s.stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.out = in, bufio.NewReaderSize(out, 64<<10)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.timeout = time.AfterFunc(limit, func() { _ = s.cmd.Process.Kill() })
	return s, nil
}

// Ask sends a request and returns the line with the response.
func (s *Session) Ask(line string) ([]byte, error) {
	if err := s.Send(line); err != nil {
		return nil, err
	}
	return s.answer()
}

// Send sends a line.
func (s *Session) Send(line string) error {
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		return fmt.Errorf("writing to the server: %w; standard error: %s", err, clip(s.stderr.Bytes()))
	}
	return nil
}

// answer returns the next line that is a response and not a notification.
func (s *Session) answer() ([]byte, error) {
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return nil, s.endLost(err)
		}
		if bytes.Contains(line, []byte(`"result":`)) || bytes.Contains(line, []byte(`"error":`)) {
			return line, nil
		}
	}
}

// endLost ends a server whose output cannot be read, and reports its exit status.
func (s *Session) endLost(err error) error {
	_ = s.cmd.Process.Kill()
	ended := s.cmd.Wait()
	return fmt.Errorf("reading from the server: %w (%v); standard error: %s", err, ended, clip(s.stderr.Bytes()))
}

// Line returns the next line of the server's output, of any kind.
func (s *Session) Line() ([]byte, error) { return s.out.ReadBytes('\n') }

// End closes the input and returns the remaining output of the server as lines.
func (s *Session) End() ([][]byte, error) {
	if err := s.in.Close(); err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(s.out)
	return slices.Collect(bytes.Lines(rest)), err
}

// Open opens a session.
func (s *Session) Open() error {
	if _, err := s.Ask(request.Initialize); err != nil {
		return err
	}
	return s.Send(request.Initialized)
}

// Calls sends calls and waits for their responses. At most window calls are in flight.
func (s *Session) Calls(lines []string, window int) error {
	if window == 1 {
		for _, line := range lines {
			answer, err := s.Ask(line)
			if err != nil {
				return err
			}
			if err := Succeeded(answer); err != nil {
				return err
			}
		}
		return nil
	}
	free := make(chan struct{}, window)
	sent := make(chan error, 1)
	go func() {
		for _, line := range lines {
			free <- struct{}{}
			if err := s.Send(line); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	for range lines {
		answer, err := s.answer()
		if err == nil {
			err = Succeeded(answer)
		}
		if err != nil {
			return errors.Join(err, s.cmd.Process.Kill())
		}
		<-free
	}
	return <-sent
}

// PID returns the id of the server's process.
func (s *Session) PID() int { return s.cmd.Process.Pid }

// CPU returns the CPU time that the server has used so far.
func (s *Session) CPU() (time.Duration, error) { return cpuOf(s.cmd.Process.Pid) }

// Usage is the resource usage of a process over its lifetime.
type Usage struct {
	CPU     time.Duration
	PeakRSS int64 // bytes
}

// Close closes the input, waits for the process to exit and returns its usage.
func (s *Session) Close() (Usage, error) {
	defer s.timeout.Stop()
	rss, err := Peak(s.cmd.Process.Pid)
	if closed := s.in.Close(); !errors.Is(closed, os.ErrClosed) {
		err = errors.Join(err, closed)
	}
	_, _ = io.Copy(io.Discard, s.out)
	if waitErr := s.cmd.Wait(); waitErr != nil {
		return Usage{}, fmt.Errorf("%s: %w; standard error: %s", s.cmd.Path, waitErr, clip(s.stderr.Bytes()))
	}
	state := s.cmd.ProcessState
	return Usage{CPU: state.UserTime() + state.SystemTime(), PeakRSS: rss}, err
}

// Succeeded returns an error unless line is the response to a successful call.
func Succeeded(line []byte) error {
	if !bytes.Contains(line, []byte(`"result":`)) || bytes.Contains(line, []byte(`"isError":true`)) {
		return fmt.Errorf("call failed: %s", clip(line))
	}
	return nil
}

func clip(text []byte) []byte { return text[:min(len(text), 400)] }
