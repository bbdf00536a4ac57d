package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// A Command is a program that is a server on its standard streams. It is run as it stands, without a
// shell, in a process group of its own.
type Command struct {
	// Argv is the program and its arguments.
	Argv []string
	// Dir is where it runs; "" is here.
	Dir string
	// Env is its environment; nil is that of this process.
	Env []string
	// Stderr gets what it writes there; nil discards it. A method Reset of it is called before each start.
	Stderr io.Writer
}

// A packet is a message as it came, or why none will come any more. One with an id is for the request of that
// id alone.
type packet struct {
	data []byte
	err  error
	id   int64
}

// A transport carries messages.
type transport interface {
	// send hands a message over. The answer to it, if any, is received.
	send(ctx context.Context, r request) error
	// received has what the server sends.
	received() <-chan packet
	// agreed tells the version of the protocol that is spoken from now on, "" before that is known.
	agreed(version string)
	// listen makes ready for what a server sends of itself during a call.
	listen(ctx context.Context)
	// isHTTP says that messages go over HTTP.
	isHTTP() bool
	// close ends the connection, and says how the server ended if that is known.
	close() error
}

// start runs the command as a transport.
func (c Command) start(l Limits) (transport, error) {
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stderr = c.Dir, c.Env, c.Stderr
	if w, ok := c.Stderr.(interface{ Reset() }); ok {
		w.Reset()
	}
	p, err := Launch(cmd, l.Grace)
	if err != nil {
		return nil, err
	}
	return NewLines(p, l.Message), nil
}

// A process is a running command as a stream.
type process struct {
	io.Reader
	io.Writer
	stop func() error
}

// Launch starts a command as a stream, in a process group of its own where the system has them, so that a terminal's
// signals do not reach it. To close the stream ends the command's input, gives it its grace to end, and leaves nothing
// of its group behind. Close returns how the command ended, each time the same; nil is status 0.
func Launch(cmd *exec.Cmd, grace time.Duration) (io.ReadWriteCloser, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	isolate(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &process{out, in, sync.OnceValue(func() error {
		_ = in.Close() // broken or not, the input has ended
		return end(cmd, grace)
	})}, nil
}

func (p *process) Close() error { return p.stop() }

// Output runs a command to its end, leaves nothing of its group behind, and returns what it wrote to its streams, each
// of at most so many bytes. What it writes to standard error also goes to where the command has it go.
func Output(cmd *exec.Cmd, most int) (stdout, stderr []byte, err error) {
	out, errs := &capped{most: most}, &capped{most: most, also: cmd.Stderr}
	cmd.Stdout, cmd.Stderr = out, errs
	isolate(cmd)
	if err = cmd.Start(); err == nil {
		err = ending(cmd.Wait())
		kill(cmd)
	}
	if out.full || errs.full {
		err = fmt.Errorf("%w: more than %s", ErrTooMuch, size(most))
	}
	return out.data, errs.data, err
}

// A capped writer keeps no more than it may, and refuses what would be too much, which ends a command.
type capped struct {
	data []byte
	most int
	full bool
	also io.Writer
}

func (c *capped) Write(p []byte) (int, error) {
	if len(c.data)+len(p) > c.most {
		c.full = true
		return 0, ErrTooMuch
	}
	c.data = append(c.data, p...)
	if c.also != nil {
		return c.also.Write(p)
	}
	return len(p), nil
}

// isolate puts a command into a group of its own. A child that holds its streams open must not hold up its end.
func isolate(cmd *exec.Cmd) {
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
}

// end waits for a command to end by itself, and then makes it.
func end(cmd *exec.Cmd, grace time.Duration) error {
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	err, ok := within(exited, grace)
	if !ok {
		terminate(cmd)
		if err, ok = within(exited, grace/4); !ok {
			kill(cmd)
			err = <-exited
		}
	}
	kill(cmd)
	return ending(err)
}

// ending returns how a command ended, which is well if only a child of it held a stream.
func ending(err error) error {
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}

func within(exited <-chan error, d time.Duration) (error, bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case err := <-exited:
		return err, true
	case <-timer.C:
		return nil, false
	}
}
