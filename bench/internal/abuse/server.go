package abuse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/jptool/jptool/bench/internal/request"
)

// ending is the timeout for the exit of a server.
const ending = 2500 * time.Millisecond

// A server is a process whose pipes the trial uses.
type server struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	era   request.Era
	timer *time.Timer
	gone  chan struct{} // closed when the process has exited
}

// start starts a server for a trial, and kills it after limit. The function change can set streams
// of the command.
func start(command []string, era request.Era, limit time.Duration, change func(*exec.Cmd)) (*server, error) {
	s := &server{cmd: exec.Command(command[0], command[1:]...), era: era, gone: make(chan struct{})}
	// Use a separate process group, so that the server's child processes are killed with it.
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if change != nil {
		change(s.cmd)
	}
	var err error
	if s.cmd.Stdin == nil {
		if s.in, err = s.cmd.StdinPipe(); err != nil {
			return nil, err
		}
	}
	if s.cmd.Stdout == nil {
		// StdoutPipe is unsuitable, because Wait would close it while it is read.
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		defer w.Close()
		s.cmd.Stdout, s.out = w, bufio.NewReaderSize(r, 64<<10)
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.timer = time.AfterFunc(limit, s.killGroup)
	go func() {
		_ = s.cmd.Wait()
		close(s.gone)
	}()
	return s, nil
}

// trial runs a trial on a server with an open session.
func trial(command []string, era request.Era, limit time.Duration, run func(*server) error) error {
	s, err := start(command, era, limit, nil)
	if err != nil {
		return err
	}
	defer s.kill()
	if err := s.open(); err != nil {
		return err
	}
	return run(s)
}

// kill kills the process, if it has not exited.
func (s *server) kill() {
	s.timer.Stop()
	s.killGroup()
	<-s.gone
}

func (s *server) killGroup() { _ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) }

// open opens a session, in the generation with sessions.
func (s *server) open(capabilities ...string) error {
	if s.era == request.Requests {
		return nil
	}
	line := request.Initialize
	if len(capabilities) > 0 {
		line = strings.Replace(line, `"capabilities":{}`, `"capabilities":{`+strings.Join(capabilities, ",")+`}`, 1)
	}
	if err := s.send(line); err != nil {
		return err
	}
	if m, err := s.recv(); err != nil || m.Result == nil {
		return fmt.Errorf("response to initialize: %s (%w)", clip(m.line), err)
	}
	return s.send(request.Initialized)
}

func (s *server) send(line string) error {
	_, err := io.WriteString(s.in, line+"\n")
	return err
}

// recv returns the next message that is not a notification.
func (s *server) recv() (message, error) {
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return message{}, fmt.Errorf("the server exited or did not respond: %w", err)
		}
		m, err := parse(line)
		if err != nil {
			return m, err
		}
		if m.Method == "" || m.ID != nil {
			return m, nil
		}
	}
}

// ask sends a line and returns the response.
func (s *server) ask(line string) (message, error) {
	if err := s.send(line); err != nil {
		return message{}, err
	}
	return s.recv()
}

// checkAlive returns an error unless the server responds to a valid call.
func (s *server) checkAlive() error {
	m, err := s.ask(request.Call(s.era, probe, request.Arguments))
	if err == nil && (string(m.ID) != fmt.Sprint(probe) || m.Result == nil || m.Result.IsError) {
		err = fmt.Errorf("unexpected response to the next call: %s", clip(m.line))
	}
	return err
}

// ends returns an error unless the process exits by itself in time with a state that status
// accepts.
func (s *server) ends(status func(*os.ProcessState) error) error {
	select {
	case <-s.gone:
	case <-time.After(ending):
		return fmt.Errorf("the server was still running after %s", ending)
	}
	if status == nil {
		return nil
	}
	return status(s.cmd.ProcessState)
}

// checkExit returns an error unless the exit status is valid for a server that was asked to exit.
func checkExit(state *os.ProcessState) error {
	if !state.Success() {
		return errors.New("the server exited with " + state.String())
	}
	return nil
}

// tool returns a call to a tool of the stress server.
func (s *server) tool(id int, name, arguments string, more ...string) string {
	params := append([]string{fmt.Sprintf(`"name":%q,"arguments":%s`, name, arguments)}, more...)
	if s.era == request.Requests && !strings.Contains(strings.Join(more, ""), `"_meta"`) {
		params = append(params, modern("{}"))
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s}}`, id, strings.Join(params, ","))
}

// modern returns the _meta of a request from a client with the given capabilities.
func modern(capabilities string, more ...string) string {
	return `"_meta":{` + strings.Join(append([]string{`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":` + capabilities}, more...), ",") + `}`
}
