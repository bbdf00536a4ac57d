package streamable

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// checkAlive fails the test unless the server still answers other clients.
func (s *server) checkAlive() {
	s.t.Helper()
	if r := s.do(post(ping)); r.status != http.StatusOK {
		s.t.Errorf("another client is answered %d %s", r.status, r.body)
	}
}

// closes waits until the server has closed the connection, and returns the elapsed time.
func (c *client) closes() time.Duration {
	c.t.Helper()
	began := time.Now()
	if _, err := io.Copy(io.Discard, c.in); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		c.t.Errorf("the connection ended with %v", err)
	}
	return time.Since(began)
}

func TestSlowHeaders(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		c := s.dial()
		fmt.Fprint(c, "POST /mcp HTTP/1.1\r\nHost: localh")
		s.checkAlive()
		if took := c.closes(); took > 10*time.Second {
			t.Errorf("a connection with half of a header was closed after %v", took)
		}
	})
}

func TestSilentConnectionsAreClosed(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		if took := s.dial().closes(); took > 10*time.Second {
			t.Errorf("a connection without a request was closed after %v", took)
		}
		c := s.send(post(ping))
		c.reply()
		if took := c.closes(); took > 2*time.Minute {
			t.Errorf("a connection without another request was closed after %v", took)
		}
	})
}

// drips is a body of several pieces with a delay before each.
type drips struct {
	pieces int
	piece  string
	every  time.Duration
}

func (d *drips) Read(p []byte) (int, error) {
	if d.pieces == 0 {
		return 0, io.EOF
	}
	d.pieces--
	time.Sleep(d.every) // in synctest's fake time
	return copy(p, d.piece), nil
}

func TestSlowBodies(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		for _, tc := range []struct {
			name  string
			body  drips
			code  int
			limit time.Duration
		}{
			{"a byte a second", drips{len(ping), " ", time.Second}, -32600, 10 * time.Second},
			{"a stop in the middle", drips{2, ping[:20], 30 * time.Second}, -32600, 10 * time.Second},
			// This body of 1 MiB of white space arrives slightly faster than the minimum rate.
			{"a slow line", drips{1 << 9, strings.Repeat(" ", 2<<10), 120 * time.Millisecond}, -32700, 70 * time.Second},
		} {
			r := post(ping)
			r.Body, r.ContentLength = io.NopCloser(&tc.body), -1
			began := time.Now()
			c := s.send(r)
			s.checkAlive()
			c.reply().fails(t, tc.name, http.StatusBadRequest, tc.code)
			if took := time.Since(began); took > tc.limit {
				t.Errorf("%s: answered after %v", tc.name, took)
			}
			c.Close()
		}
	})
}

// If a client does not read a response, the server closes the connection and frees its resources.
func TestUnreadResponsesOverHTTP(t *testing.T) {
	// If a goroutine waited for a lock, the fake time would not advance.
	testInBubble(t, engine.Options{MaxCalls: 1}, Options{StreamAfter: time.Hour, KeepAlive: time.Hour}, func(t *testing.T, s *server) {
		session := s.open()
		stream := []string{"Accept", typeStream}
		for name, r := range map[string]*http.Request{
			"a long answer": modern("1", "big"), "a short one": modern("1", "echo"), "a stream": modern("1", "big", stream...),
			"a long answer in a session": post(olderCall("1", "big"), sessionHeaders(session)...), "a stream in one": post(olderCall("1", "big"), sessionHeaders(session, stream...)...),
			"a refusal": post("hello"), "a notification": post(`{"jsonrpc":"2.0","method":"notifications/x"}`),
			"the stream of a session":      request(http.MethodGet, "", sessionHeaders(session)...),
			"a method that is not allowed": request(http.MethodPut, ""), "DELETE": request(http.MethodDelete, "", sessionHeaders(s.open())...),
		} {
			c := s.dial()
			gone := make(chan error, 1)
			if err := r.Write(c); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			go func() {
				// A write fails when the server has closed the connection.
				for {
					if _, err := io.WriteString(c, "GET / HTTP/1.1\r\n"); err != nil {
						gone <- err
						return
					}
				}
			}()
			if name == "a long answer" {
				s.do(modern("2", "echo")) // waits until the server has abandoned the first call
			}
			<-gone
			if took := time.Since(began); took > 2*stalled {
				t.Errorf("%s: the connection was closed after %v", name, took)
			}
			synctest.Wait()
			s.checkAlive()
		}
	})
}
