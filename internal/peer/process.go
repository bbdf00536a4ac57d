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

// A Command is a program that serves over stdio. It runs without a shell, in its own process
// group.
type Command struct {
	// Argv is the program and its arguments.
	Argv []string
	// Dir is the working directory. "" means the working directory of this process.
	Dir string
	// Env is the environment. nil means the environment of this process.
	Env []string
	// Stderr receives the standard error. If it is nil, the standard error is discarded. If it has a Reset
	// method, that method is called before each start.
	Stderr io.Writer
}

// A packet is a received message, or the error that ends the connection. A packet with an id belongs only to the
// request with that id.
type packet struct {
	data []byte
	err  error
	id   int64
}

// A transport sends and receives messages.
type transport interface {
	// send sends a message. The response, if there is one, arrives through incoming.
	send(ctx context.Context, r request) error
	// incoming returns the channel of messages from the server.
	incoming() <-chan packet
	// setVersion sets the protocol version of further messages. "" means that the version is not known
	// yet.
	setVersion(version string)
	// listen prepares for messages that a server sends on its own during a call.
	listen(ctx context.Context)
	// forget prepares for a new session.
	forget()
	// isHTTP reports whether messages are sent over HTTP.
	isHTTP() bool
	// close closes the connection. It returns the exit error of the server if it is known.
	close() error
}

// start starts the command as a transport.
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

// Launch starts a command as a stream. Where the system supports it, the command runs in its own process group,
// so that it does not receive the signals of a terminal. Closing the stream ends the command's input, waits for
// the grace period, and ends all processes of the group. Close returns the exit error of the command, which is
// nil for status 0 and the same in every call.
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
		_ = in.Close() // the input ends even if Close fails
		return end(cmd, grace)
	})}, nil
}

func (p *process) Close() error { return p.stop() }

// Isolate prepares a command in the same way as [Launch], and returns a function that kills all processes of its
// group.
func Isolate(cmd *exec.Cmd) (end func()) {
	isolate(cmd)
	return func() { kill(cmd) }
}

// Output runs a command, ends all processes of its group, and returns its standard output and standard error,
// each with at most the given number of bytes. Standard error is also copied to cmd.Stderr.
func Output(cmd *exec.Cmd, limit int) (stdout, stderr []byte, err error) {
	out, errs := &cappedWriter{limit: limit}, &cappedWriter{limit: limit, also: cmd.Stderr}
	cmd.Stdout, cmd.Stderr = out, errs
	isolate(cmd)
	if err = cmd.Start(); err == nil {
		err = ending(cmd.Wait())
		kill(cmd)
	}
	if out.full || errs.full {
		err = fmt.Errorf("%w: more than %s", ErrTooMuch, size(limit))
	}
	return out.data, errs.data, err
}

// A cappedWriter stores at most a given number of bytes. It fails if there are more, and the command then ends.
type cappedWriter struct {
	data  []byte
	limit int
	full  bool
	also  io.Writer
}

func (c *cappedWriter) Write(p []byte) (int, error) {
	if len(c.data)+len(p) > c.limit {
		c.full = true
		return 0, ErrTooMuch
	}
	c.data = append(c.data, p...)
	if c.also != nil {
		return c.also.Write(p)
	}
	return len(p), nil
}

// isolate puts a command into its own group. A child that keeps the command's streams open must not delay the
// end of the command.
func isolate(cmd *exec.Cmd) {
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
}

// end waits for a command to exit, and ends it after the grace period.
func end(cmd *exec.Cmd, grace time.Duration) error {
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	err, ok := waitFor(exited, grace)
	if !ok {
		terminate(cmd)
		if err, ok = waitFor(exited, grace/4); !ok {
			kill(cmd)
			err = <-exited
		}
	}
	kill(cmd)
	return ending(err)
}

// ending returns the exit error of a command. It ignores the error that reports that a child kept a stream open.
func ending(err error) error {
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}

func waitFor(exited <-chan error, d time.Duration) (error, bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case err := <-exited:
		return err, true
	case <-timer.C:
		return nil, false
	}
}
