package streamable

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// defaultCrowd is the number of connections from which on requests share goroutines. With a
// goroutine for each request, the stacks of tools and of encoding would take twice the memory of
// everything else that belongs to a connection.
const defaultCrowd = 1000

// bound is the maximum number of connections if the limit on open files permits so many.
const bound = 16 << 10

// conns is a listener with a maximum number of connections. Above the maximum, it closes the oldest
// connection without a request or, if all connections have sent requests, the one that has been
// idle longest. Clients that connect and send nothing, or never finish a request, cannot lock
// others out.
type conns struct {
	net.Listener
	most  int
	crowd int

	mu    sync.Mutex
	count int
	fresh list.List // of *conn without a request so far, oldest first
	idle  list.List // of *conn between requests, idle longest first
}

// A conn is a connection of conns.
type conn struct {
	net.Conn
	of *conns

	at     *list.Element // in no list while a request is served
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
		_ = out.Close() // the connection is dropped anyway
	}
	return c, nil
}

// add registers a connection and returns one to be closed in its place, or nil.
func (l *conns) add(c *conn) (out *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
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

// remove removes the connection from the lists of connections that may be closed. The caller holds
// the lock.
func (c *conn) remove() {
	c.of.fresh.Remove(c.at) // has no effect if the element is in another list
	c.of.idle.Remove(c.at)
}

// begin is called when a request has been read, and end when it has been served. begin reports
// whether there are so many connections that requests share goroutines.
func (c *conn) begin() (crowded bool) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.remove()
	return c.of.count >= c.of.crowd
}

func (c *conn) end() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if !c.closed {
		c.at = c.of.idle.PushBack(c)
	}
}

type connKey struct{}

// connContext stores the connection in the context of its requests.
func connContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// busy protects the connection of a request until done is called, and reports whether there are
// so many connections that requests share goroutines.
func busy(r *http.Request) (done func(), crowded bool) {
	c, ok := r.Context().Value(connKey{}).(*conn)
	if !ok {
		return func() {}, false
	}
	crowded = c.begin()
	return c.end, crowded
}
