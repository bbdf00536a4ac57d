package peer

import (
	"bufio"
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

// queued bounds the messages that wait for a server that does not read.
const queued = 64

// A process is a transport over the streams of a command.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	limits Limits

	queue   chan []byte
	packets chan packet
	done    chan struct{}
	tasks   sync.WaitGroup
	stop    func() error
}

func startProcess(c Command, l Limits) (*process, error) {
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stderr = c.Dir, c.Env, c.Stderr
	// A child of the server that holds its streams open must not hold up the end.
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if w, ok := c.Stderr.(interface{ Reset() }); ok {
		w.Reset()
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{
		cmd: cmd, in: in, out: out, limits: l,
		queue: make(chan []byte, queued), packets: make(chan packet), done: make(chan struct{}),
	}
	p.stop = sync.OnceValue(p.end)
	p.tasks.Go(p.read)
	p.tasks.Go(p.write)
	return p, nil
}

func (p *process) received() <-chan packet { return p.packets }
func (p *process) agreed(string)           {}
func (p *process) listen(context.Context)  {}
func (p *process) isHTTP() bool            { return false }
func (p *process) close() error            { return p.stop() }

func (p *process) send(ctx context.Context, r request) error {
	select {
	case p.queue <- append(r.data, '\n'):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-p.done:
		return ErrEnded
	default:
		return fmt.Errorf("%w: it does not read its input", ErrSilent)
	}
}

func (p *process) write() {
	for {
		select {
		case line := <-p.queue:
			if _, err := p.in.Write(line); err != nil {
				return // what is wrong is told by reading
			}
		case <-p.done:
			return
		}
	}
}

func (p *process) read() {
	r := bufio.NewReaderSize(p.out, 64<<10)
	for {
		line, err := readLine(r, p.limits.Message)
		select {
		case p.packets <- packet{data: line, err: err}:
		case <-p.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// readLine returns the next line without its end. A last line may lack it.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, fmt.Errorf("%w: a message of more than %s", ErrTooMuch, size(most))
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		default:
			return nil, ErrEnded
		}
	}
}

func size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// end ends the input, gives the server its grace, and leaves nothing of its group behind.
func (p *process) end() error {
	close(p.done)
	_ = p.in.Close() // broken or not, the input has ended
	exited := make(chan error, 1)
	go func() { exited <- p.cmd.Wait() }()
	err, ok := within(exited, p.limits.Grace)
	if !ok {
		terminate(p.cmd)
		if err, ok = within(exited, p.limits.Grace/4); !ok {
			kill(p.cmd)
			err = <-exited
		}
	}
	kill(p.cmd)
	p.tasks.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // it ended well; a child of it held a stream
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
