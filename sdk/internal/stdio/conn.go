// Package stdio implements MCP's stdio transport: one message per line on standard input and output.
// Malformed lines are answered and never end the connection.
package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A conn is the connection to a client.
type conn struct {
	ctx     context.Context // context of calls; shutdown does not cancel it
	engine  *engine.Engine
	session *engine.Session
	in      io.ReadCloser
	out     io.WriteCloser
	over    context.Context // canceled by end when the input or the connection has ended
	end     context.CancelFunc
	gone    context.Context // canceled by hangUp when the client cannot be written to
	hangUp  context.CancelCauseFunc

	queue
	workers      *engine.Workers
	finished     func(*engine.Request)
	prepare      func()
	prepareLater func() // calls prepare once, in the background
	answered     bool
	watch        func()
	writing      sync.Mutex
}

func (c *conn) close() error {
	c.hangUp(nil)
	c.session.End()
	err := context.Cause(c.gone)
	if err == context.Canceled { // no write failed
		err = nil
	}
	return errors.Join(err, c.in.Close(), c.out.Close())
}

// read handles the lines of input in order.
func (c *conn) read() {
	defer c.end()
	lines := newReader(c.in, c.engine.MaxMessage)
	for c.room(c.gone.Done(), c.watch) {
		if c.answered && lines.from.Buffered() == 0 {
			c.prepareLater()
		}
		text, tooLong, err := lines.line()
		if err != nil {
			if !isEnd(err) {
				c.engine.Log.Error("reading the input failed", "error", err)
			}
			c.session.EndInput()
			return
		}
		if text = rpc.Trim(text); len(text) == 0 && !tooLong {
			continue
		}
		r, refused := c.take(text, tooLong)
		if refused != nil {
			c.engine.Log.Warn("message rejected", "reason", refused.Reason, "bytes", len(text))
			if refused.Answer != nil {
				c.inline(func() { _ = c.Answer(refused.Answer) }) // a write error ends the connection
			}
		}
		if r != nil {
			c.start(r)
		}
	}
}

// isEnd reports whether an error means that the input has ended or was closed at either end.
func isEnd(err error) bool {
	return err == io.EOF || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed) || errors.Is(err, net.ErrClosed)
}

func (c *conn) take(text []byte, tooLong bool) (*engine.Request, *rpc.Refusal) {
	if tooLong {
		return nil, rpc.TooLong(c.engine.MaxMessage)
	}
	m, refused := rpc.Read(text)
	if refused != nil {
		return nil, refused
	}
	return c.session.Take(c.ctx, handler.Caller{}, m, c)
}

// start runs a request, inline if it is answered without running code of the program.
func (c *conn) start(r *engine.Request) {
	if r.IsQuick() {
		c.inline(r.Run)
		c.answered = true
		return
	}
	c.prepare()
	if !r.IsCall() {
		c.add(0, 1)
	}
	wait := r.Begin()
	if wait == nil {
		c.workers.Run(r, c.finished)
		return
	}
	size := len(r.Text()) + perCall
	c.add(size, 0)
	go func() {
		mayRun := wait()
		c.add(-size, 0)
		if mayRun {
			r.Run()
		}
	}()
}

// Patience is how long the server waits for a client to read an answer, or for a call from the command line
// to end, before it checks whether the client is still there. The check costs a thread.
const Patience = time.Second

// inline runs answer, which writes a response, in the goroutine that reads.
func (c *conn) inline(answer func()) {
	slow := time.AfterFunc(Patience, c.watch)
	defer slow.Stop()
	answer()
}

func (c *conn) Answer(a *rpc.Answer) error {
	l := line{c: c}
	w := rpc.NewWriter(&l)
	defer w.Free()
	defer l.end()
	if err := a.Encode(w); err != nil {
		c.hangUp(err) // an incomplete line has been written
		return err
	}
	w.Raw("\n")
	return w.Flush()
}

func (c *conn) Send(message []byte) error {
	l := line{c: c}
	defer l.end()
	_, err := l.Write(append(message, '\n'))
	return err
}

func (c *conn) CanSend() bool { return true }

// A line is written atomically: it holds the write lock from its first piece to its end.
type line struct {
	c     *conn
	begun bool
}

// Write writes a piece. A failure ends the connection.
func (l *line) Write(piece []byte) (int, error) {
	if !l.begun {
		l.c.writing.Lock()
		l.begun = true
	}
	n, err := l.c.out.Write(piece)
	if err != nil {
		err = fmt.Errorf("writing to the client: %w", err)
		l.c.hangUp(err)
	}
	return n, err
}

func (l *line) end() {
	if l.begun {
		l.c.writing.Unlock()
	}
}

// grace is the time for writing the last answers and closing the streams.
const grace = 300 * time.Millisecond

// Serve serves one client until its input ends or ctx is done. It waits for pending answers for at
// most the drain time, and returns soon afterwards, even if handlers still run or the client does
// not read. prepare does what the process needs to run calls but not to describe itself. It is
// called before each call, and in the background while the client is silent after an answer.
func Serve(ctx context.Context, e *engine.Engine, in io.ReadCloser, out io.WriteCloser, drain time.Duration, prepare func()) error {
	c := &conn{
		ctx: context.WithoutCancel(ctx), engine: e, in: in, out: out, queue: queue{freed: make(chan struct{}, 1)},
		prepare: prepare, prepareLater: sync.OnceFunc(func() { go prepare() }),
	}
	c.over, c.end = context.WithCancel(context.Background())
	c.gone, c.hangUp = context.WithCancelCause(context.Background())
	c.workers, c.session = engine.NewWorkers(c.gone.Done()), e.NewSession(c, handler.Caller{})
	c.finished = func(r *engine.Request) {
		if !r.IsCall() {
			c.add(0, -1)
		}
	}
	// watch ends the connection when the client has disconnected while reading is paused because of pending
	// calls or unread answers. It costs a thread, so it starts only when needed.
	c.watch = sync.OnceFunc(func() {
		go func() {
			if inputEnded(in) {
				c.end()
			}
		}()
	})
	go c.read()
	select {
	case <-ctx.Done():
	case <-c.over.Done():
	case <-c.gone.Done():
	}
	e.Drain(drain, c.gone.Done())
	closed := make(chan error, 1)
	go func() { closed <- c.close() }()
	select {
	case err := <-closed:
		return err
	case <-time.After(grace):
		e.Log.Warn("shutdown: handlers still running after the grace period")
		return nil
	}
}

// Reading pauses while waiting calls take more than maxWaiting bytes, or maxOthers other requests
// run. perCall is the overhead of a call, which is mostly the stack of its goroutine.
const (
	maxWaiting = 4 << 20
	perCall    = 2560
	maxOthers  = 256 // more than the subscriptions/listen requests of a client, which run until it cancels them
)

// A queue counts the requests that have been read but not finished.
type queue struct {
	freed   chan struct{} // signals that there may be room again
	mu      sync.Mutex
	waiting int // size of waiting calls in bytes
	others  int
}

// add changes the counts, and wakes the reader if there is room.
func (q *queue) add(waiting, others int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting += waiting
	q.others += others
	if !q.full() {
		select {
		case q.freed <- struct{}{}:
		default:
		}
	}
}

// full reports whether reading must pause. The caller holds q.mu.
func (q *queue) full() bool { return q.waiting > maxWaiting || q.others >= maxOthers }

// room waits until further requests may be read, or returns false if gone is closed first. It calls
// full before it waits.
func (q *queue) room(gone <-chan struct{}, full func()) bool {
	for {
		q.mu.Lock()
		isFull := q.full()
		q.mu.Unlock()
		if !isFull {
			return true
		}
		full()
		select {
		case <-q.freed:
		case <-gone:
			return false
		}
	}
}
