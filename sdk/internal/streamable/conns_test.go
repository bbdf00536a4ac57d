package streamable

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
)

// If there are too many connections, the server closes the oldest one that has not sent a request or, if there is
// none, the one that has been idle longest. It never closes a connection with a request in progress.
func TestConnectionsBeyondTheLimit(t *testing.T) {
	l := &conns{Listener: &pipes{conns: make(chan net.Conn, 1), closed: make(chan struct{})}, limit: 3}
	accept := func() (c *conn, gone func() bool) {
		t.Helper()
		own, theirs := net.Pipe()
		t.Cleanup(func() { own.Close() })
		l.Listener.(*pipes).conns <- theirs
		got, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		c = got.(*conn)
		return c, func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			return c.closed
		}
	}
	busy, busyGone := accept()
	busy.begin()
	idle, idleGone := accept()
	idle.begin()
	idle.end()
	_, freshGone := accept()
	later, laterGone := accept()
	if !freshGone() || idleGone() || busyGone() || laterGone() {
		t.Error("not the connection was closed that has sent no request")
	}
	later.begin()
	last, lastGone := accept()
	if !idleGone() || lastGone() || busyGone() || laterGone() {
		t.Error("not the idle connection was closed")
	}
	last.begin()
	if l.count != l.limit {
		t.Errorf("%d connections are open", l.count)
	}
	if _, gone := accept(); !gone() || busyGone() || laterGone() || l.count != l.limit {
		t.Error("where all are busy, not the new connection was closed")
	}
	busy.end()
	if _, gone := accept(); gone() || !busyGone() {
		t.Error("a connection that is not busy any more was not closed")
	}
	for _, c := range []*conn{later, later} { // the second Close has no effect
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if l.count != l.limit-1 {
		t.Errorf("%d connections are open after one was closed", l.count)
	}
}

// Silent connections do not block other clients.
func TestSilentConnectionsDoNotBlockOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		s := &server{t: t, l: listener}
		requests := make(chan string, 10)
		web := &http.Server{ConnContext: connContext, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := r.Context().Value(connKey{}).(*conn)
			c.begin()
			defer c.end()
			requests <- r.URL.Path
			<-r.Context().Done()
		})}
		ended := make(chan error, 1)
		go func() { ended <- web.Serve(&conns{Listener: listener, limit: 4}) }()
		working := s.send(request(http.MethodPost, ""))
		<-requests
		var silent []*client
		for range 100 {
			silent = append(silent, s.dial())
		}
		for _, c := range silent[:len(silent)-3] {
			if _, err := c.in.ReadByte(); !errors.Is(err, io.EOF) {
				t.Errorf("a silent connection: %v", err)
			}
		}
		good := s.send(request(http.MethodPost, ""))
		<-requests
		good.Close()
		working.Close()
		if err := web.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		<-ended
	})
}
