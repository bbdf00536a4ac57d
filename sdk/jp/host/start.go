package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// grace is how long JP waits for a server to exit at the end of its input.
const grace = 3 * time.Second

var errKilled = errors.New("the server did not exit at the end of its input and was killed")

// Start runs cmd and shakes hands with it over its standard streams, which must be unset. The
// command is run as it is, without a shell, and where the system has them in a process group of
// its own, so that a terminal's signals do not reach it. Ctx bounds the handshake alone; a command
// that fails it has ended when Start returns.
func Start(ctx context.Context, cmd *exec.Cmd, o Options) (*Host, error) {
	p, err := startProcess(cmd, o.Stderr)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	h, err := Connect(ctx, p, o)
	if err != nil {
		if exit := p.Close(); exit != nil {
			err = fmt.Errorf("%w (%w)", err, exit)
		}
		return nil, err
	}
	return h, nil
}

// process is a running command as a connection.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   io.ReadCloser
	grace time.Duration

	once sync.Once
	err  error
}

func startProcess(cmd *exec.Cmd, stderr io.Writer) (*process, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if cmd.Stderr == nil {
		cmd.Stderr = stderr
	}
	if cmd.WaitDelay == 0 {
		// A grandchild that holds stderr open must not hold up Close.
		cmd.WaitDelay = time.Second
	}
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &process{cmd: cmd, in: in, out: out, grace: grace}, nil
}

func (p *process) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p *process) Write(b []byte) (int, error) { return p.in.Write(b) }

// Close ends the input and returns how the command exited; nil is status 0. Every call of it waits
// for the end and returns the same.
func (p *process) Close() error {
	p.once.Do(func() { p.err = p.stop() })
	return p.err
}

func (p *process) stop() error {
	// The pipe may be broken already, which the exit tells better.
	_ = p.in.Close()
	exited := make(chan error, 1)
	go func() { exited <- p.cmd.Wait() }()
	timer := time.NewTimer(p.grace)
	defer timer.Stop()
	select {
	case err := <-exited:
		return err
	case <-timer.C:
	}
	// Only the direct child, as JP does; it may have exited just now.
	_ = p.cmd.Process.Kill()
	<-exited
	return errKilled
}
