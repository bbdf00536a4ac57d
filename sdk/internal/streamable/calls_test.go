package streamable

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// data returns the message of an event.
func data(t *testing.T, event string) string {
	t.Helper()
	_, text, ok := strings.Cut(event, "data: ")
	if !ok || !json.Valid([]byte(text)) {
		t.Fatalf("%q is no event with a message", event)
	}
	return text
}

func TestCallsBeyondTheLimitWaitOverHTTP(t *testing.T) {
	testInBubble(t, engine.Options{MaxCalls: 1}, Options{}, func(t *testing.T, s *server) {
		first := s.send(modern("1", "slow"))
		s.waitForCall("slow")
		second, third := s.send(modern("2", "echo")), s.send(modern("3", "slow"))
		synctest.Wait()
		third.Close() // disconnects while the call waits in the queue
		s.checkAlive()
		synctest.Wait()
		select {
		case got := <-s.running:
			t.Errorf("%s runs beside a call, of which one may run", got)
		default:
		}
		s.releaseAll()
		for i, c := range []*client{first, second} {
			if r := c.reply(); r.status != http.StatusOK || !strings.Contains(r.body, fmt.Sprintf(`"id":%d,"result"`, i+1)) {
				t.Errorf("call %d: %d %s", i+1, r.status, r.body)
			}
		}
		s.checkAlive()
		if len(s.running) > 0 {
			t.Error("a call ran whose client had gone before its turn")
		}
	})
}

func TestClosedRequestEndsItsCall(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		for name, r := range map[string]*http.Request{
			"2026-07-28": modern("1", "stuck"), "without a session": post(olderCall("1", "stuck"), headerVersion, "2025-11-25"),
			"without a version": post(olderCall("1", "stuck")), "a stream": modern("1", "stuck", "Accept", typeStream),
		} {
			c := s.send(r)
			s.waitForCall("stuck")
			began := time.Now()
			c.Close()
			s.waitForCall("stuck was canceled")
			if took := time.Since(began); took > time.Second {
				t.Errorf("%s: the call was canceled after %v", name, took)
			}
		}
	})
}

// In a session, a lost connection does not end the call; the client can resume the stream.
func TestStreamIsResumed(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		c := s.send(post(olderCall("1", "steps"), sessionHeaders(session)...))
		primed := c.event()
		if primed != "id: 1_0\ndata:" {
			t.Errorf("the stream begins with %q", primed)
		}
		progress := c.event()
		if !strings.HasPrefix(progress, "id: 1_1\n") || !strings.Contains(data(t, progress), `"progress":1`) {
			t.Errorf("progress is %q", progress)
		}
		c.Close()
		synctest.Wait()
		if !s.has(session) {
			t.Error("the session is closed")
		}
		back := s.send(request(http.MethodGet, "", sessionHeaders(session, headerLastEvent, "1_0")...))
		if got := back.event(); got != ": resumed" {
			t.Errorf("resumed by %q", got)
		}
		if got := back.event(); got != progress {
			t.Errorf("missed was %q, and %q is sent", progress, got)
		}
		s.releaseAll()
		if got := back.event(); !strings.HasPrefix(got, "id: 1_2\n") || !strings.Contains(data(t, got), `"text":"steps"`) {
			t.Errorf("the answer is %q", got)
		}
		if got := back.event(); got != "" {
			t.Errorf("after the answer comes %q", got)
		}
		// A client that resumes again receives the response again, because the connection may have been lost
		// before it arrived.
		again := s.send(request(http.MethodGet, "", sessionHeaders(session, headerLastEvent, "1_1")...))
		again.event()
		if got := again.event(); !strings.Contains(data(t, got), `"id":1,"result"`) || again.event() != "" {
			t.Errorf("once more the answer is %q", got)
		}
	})
}

// The first event of a stream has data. Only version 2025-11-25, in a session, begins with an empty event.
func TestFirstEventOfAStream(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		s.releaseAll()
		for name, r := range map[string]*http.Request{
			"2026-07-28": modern("1", "steps"), "without a session": post(olderCall("1", "steps"), headerVersion, "2025-11-25"),
		} {
			if got := s.send(r).event(); !strings.HasPrefix(got, "data: {") || !strings.Contains(got, `"progressToken":"p"`) {
				t.Errorf("%s: the first event is %q", name, got)
			}
		}
	})
}

// The response to a long call becomes a stream with keep-alive comments.
func TestLongCallBecomesAStream(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		for name, r := range map[string]*http.Request{"2026-07-28": modern("1", "slow"), "a session": post(olderCall("1", "slow"), sessionHeaders(session)...)} {
			s.release = make(chan struct{})
			began := time.Now()
			c := s.send(r)
			s.waitForCall("slow")
			got := c.event()
			if name == "a session" && strings.HasPrefix(got, "id: ") {
				got = c.event()
			}
			if took := time.Since(began); got != ": alive" || took != 5*time.Second {
				t.Errorf("%s: after %v comes %q", name, took, got)
			}
			if h := c.resp.Header; h.Get("X-Accel-Buffering") != "no" || !strings.Contains(h.Get("Cache-Control"), "no-cache") {
				t.Errorf("%s: headers %v", name, h)
			}
			if got := c.event(); got != ": alive" || time.Since(began) != 20*time.Second {
				t.Errorf("%s: after %v comes %q", name, time.Since(began), got)
			}
			s.releaseAll()
			if got := c.event(); name == "2026-07-28" && !strings.Contains(data(t, got), `"id":1,"result"`) {
				t.Errorf("%s: the answer is %q", name, got)
			}
		}
		s.release = make(chan struct{})
		c := s.send(modern("1", "slow", "Accept", typeJSON))
		s.waitForCall("slow")
		time.Sleep(time.Minute) // in synctest's fake time
		s.releaseAll()
		if r := c.reply(); r.status != http.StatusOK || r.header.Get("Content-Type") != typeJSON || !strings.Contains(r.body, `"id":1,"result"`) {
			t.Errorf("a client that takes no stream is answered %d %v %s", r.status, r.header, r.body)
		}
	})
}

// A call of a session that is canceled while it waits does not run, and is not answered.
func TestWaitingCallIsCanceledOverHTTP(t *testing.T) {
	testInBubble(t, engine.Options{MaxCalls: 1}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		running := s.send(post(olderCall("1", "slow"), sessionHeaders(session)...))
		s.waitForCall("slow")
		waiting := s.send(post(olderCall("2", "stuck"), sessionHeaders(session)...))
		synctest.Wait()
		s.do(post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`, sessionHeaders(session)...))
		if r := waiting.reply(); r.status != http.StatusOK || r.body != "" {
			t.Errorf("the canceled call is answered %d %s", r.status, r.body)
		}
		s.releaseAll()
		if r := running.reply(); !strings.Contains(r.body, `"id":1,"result"`) {
			t.Errorf("the running call is answered %d %s", r.status, r.body)
		}
		if r := s.do(post(olderCall("3", "echo"), sessionHeaders(session)...)); !strings.Contains(r.body, `"id":3,"result"`) {
			t.Errorf("the next call: %d %s", r.status, r.body)
		}
		if len(s.running) > 0 {
			t.Error("the canceled call ran")
		}
	})
}

func TestCanceledCallOverHTTP(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		c := s.send(post(olderCall("1", "stuck"), sessionHeaders(session)...))
		s.waitForCall("stuck")
		twice := s.do(post(olderCall("1", "echo"), sessionHeaders(session)...))
		twice.fails(t, "an id in use", http.StatusBadRequest, -32600)
		s.do(post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, sessionHeaders(session)...))
		s.waitForCall("stuck was canceled")
		if r := c.reply(); r.status != http.StatusOK || r.body != "" {
			t.Errorf("the call is answered %d %s", r.status, r.body)
		}
		if r := s.do(post(olderCall("1", "echo"), sessionHeaders(session)...)); !strings.Contains(r.body, `"id":1,"result"`) {
			t.Errorf("the id once it is free: %d %s", r.status, r.body)
		}
	})
}

// A handler that ends its goroutine, which may be that of the connection, does not leave its call without an answer.
func TestHandlerThatEndsItsGoroutine(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		for name, request := range map[string]*http.Request{
			"2026-07-28": modern("1", "exit"), "without a session": post(olderCall("1", "exit"), headerVersion, "2025-11-25"),
		} {
			if r := s.do(request); !strings.Contains(r.body, `"code":-32603`) {
				t.Errorf("%s: %d %q", name, r.status, r.body)
			}
		}
		s.checkAlive()
	})
}
