package jphost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/jptool/jptool/internal/peer"
)

// maxLine is the maximum size of a message from a server, in bytes. JP has no limit; other clients have lower
// limits.
const maxLine = 64 << 20

// conn is a JSON-RPC connection that behaves like the connection of JP's client. Requests may run concurrently.
// It reads from the server continuously.
type conn struct {
	lines *peer.Lines
	trace func(Direction, []byte)

	mu      sync.Mutex
	nextID  int64
	waiting map[int64]chan message
	ended   error // the reason why the connection ended
}

func newConn(lines *peer.Lines, trace func(Direction, []byte)) *conn {
	c := &conn{lines: lines, trace: trace, waiting: make(map[int64]chan message)}
	go c.read()
	return c
}

// request sends the line that build returns for a new id, and waits for the response. When ctx ends, it abandons
// the request without notifying the server.
func (c *conn) request(ctx context.Context, build func(id int64) ([]byte, error)) (message, error) {
	id, answer, err := c.expect()
	if err != nil {
		return message{}, err
	}
	defer c.forget(id)
	line, err := build(id)
	if err == nil {
		err = c.send(ctx, line)
	}
	if err != nil {
		return message{}, err
	}
	select {
	case m, ok := <-answer:
		if !ok {
			return message{}, c.reason()
		}
		return m, nil
	case <-ctx.Done():
		return message{}, ctx.Err()
	}
}

func (c *conn) expect() (int64, chan message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, answer := c.nextID, make(chan message, 1)
	if c.ended == nil {
		c.nextID++
		c.waiting[id] = answer
	}
	return id, answer, c.ended
}

func (c *conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

func (c *conn) send(ctx context.Context, line []byte) error {
	if c.trace != nil {
		c.trace(peer.Sent, line)
	}
	return c.lines.Send(ctx, line)
}

func (c *conn) read() {
	for {
		line, err := c.lines.Receive()
		if err == nil && len(bytes.TrimSpace(line)) > 0 {
			err = c.hear(line)
		}
		if err != nil {
			c.end(err)
			return
		}
	}
}

// hear handles a line from the server.
func (c *conn) hear(line []byte) error {
	if c.trace != nil {
		c.trace(peer.Received, line)
	}
	m, ok := readMessage(line)
	if reply := answerServer(line, m, ok); reply != nil {
		return c.send(context.Background(), reply)
	}
	if id, err := strconv.ParseInt(string(m.id), 10, 64); err == nil && m.method == "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		if answer := c.waiting[id]; answer != nil {
			delete(c.waiting, id)
			answer <- m
		}
	}
	return nil
}

// end closes the connection and records the reason. It ignores later reasons.
func (c *conn) end(reason error) {
	c.mu.Lock()
	if c.ended == nil {
		if !errors.Is(reason, errClosed) {
			reason = fmt.Errorf("%w: %w", errClosed, reason)
		}
		c.ended = reason
	}
	for _, answer := range c.waiting {
		close(answer)
	}
	clear(c.waiting)
	c.mu.Unlock()
	_ = c.lines.Close() // Host.Close returns this error
}

func (c *conn) reason() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}
