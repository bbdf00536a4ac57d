package drive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"time"
)

// A Service is an HTTP server in a separate process.
type Service struct {
	Host string // host name and port
	Path string

	cmd     *exec.Cmd
	timeout *time.Timer
	gone    chan struct{} // closed when the process has ended

	mu   sync.Mutex
	said []byte
}

// Address holds the flags that make a server listen on a port that the system chooses.
var Address = []string{"--http", "127.0.0.1:0"}

var listening = regexp.MustCompile(`url=(http://\S+)\s`)

// Serve starts a command that serves HTTP, with env added to the environment. It returns when the server has
// printed its URL on standard error. The process is killed after limit.
func Serve(command, env []string, limit time.Duration) (*Service, error) {
	s := &Service{cmd: exec.Command(command[0], command[1:]...), gone: make(chan struct{})}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stderr = w
	err = s.cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	s.timeout = time.AfterFunc(limit, s.Kill)
	found := make(chan string, 1)
	go s.listen(r, found)
	at, ok := <-found
	if !ok {
		s.Kill()
		return nil, fmt.Errorf("%s printed no URL: %s", s.cmd, clip(s.said))
	}
	u, err := url.Parse(at)
	if err != nil {
		s.Kill()
		return nil, err
	}
	s.Host, s.Path = u.Host, u.Path
	return s, nil
}

// maxOutput is the number of bytes of a server's standard error that are kept.
const maxOutput = 1 << 20

// listen reads standard error to its end, and sends the URL in it.
func (s *Service) listen(r io.ReadCloser, found chan<- string) {
	defer r.Close()
	told := false
	for buffer := make([]byte, 4096); ; {
		n, err := r.Read(buffer)
		s.mu.Lock()
		if len(s.said) < maxOutput {
			s.said = append(s.said, buffer[:n]...)
		}
		m := listening.FindSubmatch(s.said[:min(len(s.said), 16<<10)])
		s.mu.Unlock()
		if m != nil && !told {
			told = true
			found <- string(m[1])
		}
		if err != nil {
			break
		}
	}
	if !told {
		close(found)
	}
	_ = s.cmd.Wait() // s.cmd.ProcessState records the exit status
	close(s.gone)
}

// Said returns how many times the server's standard error contains text.
func (s *Service) Said(text string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Count(s.said, []byte(text))
}

// Dial connects to the server.
func (s *Service) Dial() (*Conn, error) { return Dial(s.Host) }

// PID returns the id of the server's process.
func (s *Service) PID() int { return s.cmd.Process.Pid }

// CPU returns the CPU time that the server has used so far.
func (s *Service) CPU() (time.Duration, error) { return cpuOf(s.PID()) }

// Signal sends a signal to the server.
func (s *Service) Signal(signal os.Signal) error { return s.cmd.Process.Signal(signal) }

// Gone returns a channel that is closed when the server has exited.
func (s *Service) Gone() <-chan struct{} { return s.gone }

// Kill kills the server and its child processes.
func (s *Service) Kill() {
	s.timeout.Stop()
	_ = syscall.Kill(-s.PID(), syscall.SIGKILL)
}

// Close ends the server with SIGTERM, waits for its exit and returns its usage.
func (s *Service) Close() (Usage, error) {
	defer s.timeout.Stop()
	rss, err := Peak(s.PID())
	if signaled := s.Signal(syscall.SIGTERM); !errors.Is(signaled, os.ErrProcessDone) {
		err = errors.Join(err, signaled)
	}
	<-s.gone
	state := s.cmd.ProcessState
	if !state.Success() {
		err = errors.Join(err, fmt.Errorf("%s: %s; standard error: %s", s.cmd.Path, state, clip(s.said)))
	}
	return Usage{CPU: state.UserTime() + state.SystemTime(), PeakRSS: rss}, err
}
