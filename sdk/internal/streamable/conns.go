package streamable

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// bound is how many connections are open at once where files are not scarcer.
const bound = 16 << 10

// conns are the connections of a listener. Where there are too many, one is closed that has
// sent no request yet, else the one that has sent none for longest: clients that connect and
// say nothing, or never end what they say, do not keep others out.
type conns struct {
	net.Listener
	most int

	mu    sync.Mutex
	count int
	fresh list.List // of *conn that have sent no request yet, the oldest first
	idle  list.List // of *conn that wait for the next one
}

// A conn is one of them.
type conn struct {
	net.Conn
	of *conns

	at     *list.Element // nil while a request is dealt with
	in     *list.List
	busy   int
	closed bool
}

// Accept waits for a connection.
func (l *conns) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: raw, of: l}
	if out := l.add(c); out != nil {
		_ = out.Close() // of one that is given up
	}
	return c, nil
}

// add adds a connection, and returns one to be closed for it, nil for none.
func (l *conns) add(c *conn) (out *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
	c.in = &l.fresh
	c.at = l.fresh.PushBack(c)
	if l.count <= l.most {
		return nil
	}
	if first := l.fresh.Front(); first.Value != c {
		return first.Value.(*conn)
	}
	if first := l.idle.Front(); first != nil {
		return first.Value.(*conn)
	}
	return c
}

// Close closes the connection.
func (c *conn) Close() error {
	c.of.mu.Lock()
	if !c.closed {
		c.closed = true
		c.of.count--
		c.remove()
	}
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// remove takes the connection out of those that can be given up. The caller holds the lock.
func (c *conn) remove() {
	if c.at != nil {
		c.in.Remove(c.at)
		c.at = nil
	}
}

// begin says that a request has been read, end that it was dealt with. It reports whether
// there is a crowd of connections.
func (c *conn) begin() (crowded bool) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.busy++
	c.remove()
	return c.of.count >= crowd
}

func (c *conn) end() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.busy--; c.busy == 0 && !c.closed {
		c.in = &c.of.idle
		c.at = c.of.idle.PushBack(c)
	}
}

type connKey struct{}

// connContext makes the connection of a request known to it.
func connContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// busy keeps the connection of a request until it was dealt with, and reports whether it is
// one of a crowd.
func busy(r *http.Request) (done func(), crowded bool) {
	c, ok := r.Context().Value(connKey{}).(*conn)
	if !ok {
		return func() {}, false
	}
	crowded = c.begin()
	return c.end, crowded
}
