package streamable

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// With defaultShareFrom or more connections, requests share goroutines. With one goroutine per
// request, the stacks alone would take twice as much memory as everything else that the connections need.
const defaultShareFrom = 1000

// bound is the maximum number of connections if the limit on open files permits so many.
const bound = 16 << 10

// conns is a listener with a maximum number of connections. Above the maximum, it closes the oldest
// connection without a request. If every connection has a request, it closes the one that has been idle
// longest. Clients that never send a complete request cannot lock others out.
type conns struct {
	net.Listener
	limit     int
	shareFrom int // number of connections at which requests start to share goroutines

	mu    sync.Mutex
	count int
	fresh list.List // *conn values without a request so far, oldest first
	idle  list.List // *conn values between requests, idle longest first
}

type conn struct {
	net.Conn
	of     *conns
	at     *list.Element // in no list while a request is served
	closed bool
}

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
	if l.count <= l.limit {
		return nil
	}
	first := l.fresh.Front()
	if first == c.at && l.idle.Len() > 0 {
		first = l.idle.Front()
	}
	return first.Value.(*conn)
}

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

// remove removes the connection from its list. The caller must hold the lock.
func (c *conn) remove() {
	c.of.fresh.Remove(c.at) // has no effect if the element is in another list
	c.of.idle.Remove(c.at)
}

// begin is called when a request has been read, and end when it has been served.
func (c *conn) begin() (shared bool) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.remove()
	return c.of.count >= c.of.shareFrom
}

func (c *conn) end() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if !c.closed {
		c.at = c.of.idle.PushBack(c)
	}
}

type connKey struct{}

func connContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// markBusy protects the connection of r until done is called. If shared is true, requests share goroutines.
func markBusy(r *http.Request) (done func(), shared bool) {
	c, ok := r.Context().Value(connKey{}).(*conn)
	if !ok {
		return func() {}, false
	}
	shared = c.begin()
	return c.end, shared
}
