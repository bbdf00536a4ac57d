package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// maxQueue bounds the lines that wait for a server that does not read.
const maxQueue = 1024

var errNotReading = errors.New("the server does not read its input")

// conn is JSON-RPC over lines. Requests may run at once.
type conn struct {
	rw           io.ReadWriter
	close        func() error // idempotent
	trace        func(Direction, []byte)
	noParseError bool

	queue chan []byte
	done  chan struct{} // closed when the connection has ended

	mu      sync.Mutex
	nextID  int64
	waiting map[int64]chan message
	ended   error // why done is closed
}

func newConn(rw io.ReadWriteCloser, o Options) *conn {
	c := &conn{
		rw:           rw,
		close:        sync.OnceValue(rw.Close),
		trace:        o.Trace,
		noParseError: o.NoParseError,
		queue:        make(chan []byte, maxQueue),
		done:         make(chan struct{}),
		waiting:      make(map[int64]chan message),
	}
	if c.trace == nil {
		c.trace = func(Direction, []byte) {}
	}
	go c.write()
	go c.read()
	return c
}

// request sends the line that build makes for the id it is given, and waits for the answer. When
// ctx ends the request is forgotten, without a word to the server.
func (c *conn) request(ctx context.Context, build func(id int64) ([]byte, error)) (message, error) {
	id, answer, err := c.expect()
	if err != nil {
		return message{}, err
	}
	defer c.forget(id)
	line, err := build(id)
	if err != nil {
		return message{}, err
	}
	if err := c.send(ctx, line); err != nil {
		return message{}, err
	}
	select {
	case m := <-answer:
		return m, nil
	case <-ctx.Done():
		return message{}, ctx.Err()
	case <-c.done:
	}
	// The answer may have come with the last line before the end.
	select {
	case m := <-answer:
		return m, nil
	default:
		return message{}, c.reason()
	}
}

func (c *conn) expect() (int64, chan message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		return 0, nil, c.ended
	}
	id, answer := c.nextID, make(chan message, 1)
	c.nextID++
	c.waiting[id] = answer
	return id, answer, nil
}

func (c *conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

func (c *conn) send(ctx context.Context, line []byte) error {
	select {
	case c.queue <- line:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.done:
		return c.reason()
	}
}

func (c *conn) write() {
	for {
		select {
		case line := <-c.queue:
			c.trace(Sent, line)
			if _, err := c.rw.Write(append(line, '\n')); err != nil {
				c.end(err)
				return
			}
		case <-c.done:
			return
		}
	}
}

func (c *conn) read() {
	r := bufio.NewReaderSize(c.rw, 64<<10)
	for {
		line, err := readLine(r)
		if err != nil {
			c.end(err)
			return
		}
		c.trace(Received, line)
		if reply := c.handle(line); reply != nil {
			// Waiting for room here could wait for ever: the server may be waiting for us to read.
			select {
			case c.queue <- reply:
			default:
				c.end(errNotReading)
				return
			}
		}
	}
}

// handle takes a line from the server and returns what to answer, or nil.
func (c *conn) handle(line []byte) []byte {
	m, ok := readMessage(line)
	switch {
	case !ok && (c.noParseError || ignorable(line)):
		return nil
	case !ok:
		return []byte(parseErrorLine)
	case m.method != "":
		return answerServer(m)
	}
	id, err := strconv.ParseInt(string(m.id), 10, 64)
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.waiting[id]; answer != nil {
		delete(c.waiting, id)
		answer <- m
	}
	return nil
}

// end closes the connection for a reason; only the first one counts.
func (c *conn) end(cause error) {
	c.mu.Lock()
	first := c.ended == nil
	if first {
		c.ended = ErrClosed
		if !errors.Is(cause, io.EOF) && !errors.Is(cause, ErrClosed) {
			c.ended = fmt.Errorf("%w: %w", ErrClosed, cause)
		}
		close(c.done)
	}
	c.mu.Unlock()
	if first {
		// Host.Close returns this error to whom it concerns.
		_ = c.close()
	}
}

func (c *conn) reason() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}
