package streamable

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// byUser are the options of a handler that identifies callers by a header.
var byUser = Options{Admit: func(r *http.Request, _ string) (handler.Caller, *Denial) {
	return handler.Caller{Subject: r.Header.Get("X-User")}, nil
}}

// has reports whether a session is open.
func (s *server) has(session string, header ...string) bool {
	s.t.Helper()
	return s.do(post(`{"jsonrpc":"2.0","id":"up","method":"ping"}`, sessionHeaders(session, header...)...)).status == http.StatusOK
}

// At the maximum number of sessions, a session that is not in use is ended: the one that has been idle longest,
// preferably one of the same principal.
func TestIdlestSessionIsClosed(t *testing.T) {
	testInBubble(t, engine.Options{}, byUser, func(t *testing.T, s *server) {
		s.h.sessions.limit = 4
		ann, bob := []string{"X-User", "ann"}, []string{"X-User", "bob"}
		oldest, first, second, third := s.open(ann...), s.open(bob...), s.open(bob...), s.open(bob...)
		if !s.has(first, bob...) {
			t.Fatal("the first session of bob is not open")
		}
		fourth := s.open(bob...)
		for _, tc := range []struct {
			name, session string
			who           []string
			open          bool
		}{
			{"the oldest, of ann", oldest, ann, true}, {"the first of bob, which was used", first, bob, true},
			{"the second of bob", second, bob, false}, {"the third", third, bob, true}, {"the fourth", fourth, bob, true},
		} {
			if got := s.has(tc.session, tc.who...); got != tc.open {
				t.Errorf("%s: open is %t", tc.name, got)
			}
		}
		carl := s.open("X-User", "carl")
		if s.has(oldest, ann...) || !s.has(first, bob...) || !s.has(carl, "X-User", "carl") {
			t.Error("a principal without a session does not take the place of the idlest")
		}
	})
}

func TestSessionsInUseAreKept(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{KeepAlive: 24 * time.Hour, StreamAfter: 24 * time.Hour}, func(t *testing.T, s *server) {
		s.h.sessions.limit = 3
		calling, broken, listening := s.open(), s.open(), s.open()
		call := s.send(post(olderCall("1", "slow"), sessionHeaders(calling)...))
		s.waitForCall("slow")
		lost := s.send(post(olderCall("1", "slow"), sessionHeaders(broken)...))
		s.waitForCall("slow")
		lost.Close() // the call continues without its connection
		stream := s.send(request(http.MethodGet, "", sessionHeaders(listening)...))
		if got := stream.event(); got != ": resumed" {
			t.Fatalf("the stream begins with %q", got)
		}
		synctest.Wait()
		r := s.do(post(initialize))
		r.fails(t, "no session can be given up", http.StatusServiceUnavailable, -32600)
		if r.header.Get("Retry-After") == "" {
			t.Errorf("headers %v", r.header)
		}
		time.Sleep(2 * sessionIdle) // in synctest's fake time
		for _, id := range []string{calling, broken, listening} {
			if !s.has(id) {
				t.Error("a session in use was closed")
			}
		}
		stream.Close()
		synctest.Wait()
		s.open()
		if s.has(listening) {
			t.Error("a session whose stream was closed is kept")
		}
		s.releaseAll()
		if got := call.reply(); !strings.Contains(got.body, `"text":"slow"`) {
			t.Errorf("the call is answered %d %s", got.status, got.body)
		}
	})
}

// A client that has been asked a question keeps its session while it is connected. If it does not return, the session
// and the call end.
func TestLostClientWithAQuestion(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{KeepAlive: 24 * time.Hour, StreamAfter: 24 * time.Hour}, func(t *testing.T, s *server) {
		asked := strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
		id := s.do(post(asked)).header.Get(headerSession)
		c := s.send(post(olderCall("1", "ask"), sessionHeaders(id)...))
		c.event() // the first event contains no message
		if got := c.event(); !strings.Contains(got, "elicitation/create") {
			t.Fatalf("the question is %q", got)
		}
		time.Sleep(3 * sessionIdle) // in synctest's fake time
		if !s.has(id) {
			t.Error("the session was closed while its client was connected")
		}
		c.Close()
		time.Sleep(sessionIdle - time.Minute)
		if !s.has(id) {
			t.Error("the session was closed before its time")
		}
		time.Sleep(3 * sessionIdle)
		if s.has(id) || len(s.running) == 0 {
			t.Error("the session of a lost client is open, or its call has not ended")
		}
	})
}

func TestIdleSessionsAreClosed(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		used, forgotten := s.open(), s.open()
		time.Sleep(sessionIdle - time.Minute) // in synctest's fake time
		if !s.has(used) {
			t.Error("the session was closed before its time")
		}
		time.Sleep(3 * time.Minute)
		if !s.has(used) || s.has(forgotten) {
			t.Error("not the session was closed of which nothing was heard")
		}
	})
}

// A request may be served after its session's timer has fired but before the timer's function runs.
func TestSessionUsedAsItsTimerFiresIsKept(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		id, table := s.open(), &s.h.sessions
		lookup := func() *session {
			table.mu.Lock()
			defer table.mu.Unlock()
			return table.byID[id]
		}
		time.Sleep(sessionIdle - time.Nanosecond) // in synctest's fake time
		if !s.has(id) {
			t.Fatal("the session was closed before its time")
		}
		table.expire(lookup())
		time.Sleep(sessionIdle - time.Minute)
		if lookup() == nil {
			t.Error("a session that was used as its timer fired was closed")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if lookup() != nil {
			t.Error("a session that was idle for its full time is open")
		}
	})
}

// A DELETE may be served after its session's timer has fired but before the timer's function runs.
func TestClosedSessionHasNoTimer(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		id, table := s.open(), &s.h.sessions
		session := table.enter(id, handler.Caller{})
		table.release(session)
		if r := s.do(request(http.MethodDelete, "", sessionHeaders(id)...)); r.status != http.StatusNoContent {
			t.Fatalf("DELETE: %d", r.status)
		}
		table.expire(session)
		if session.idle.Stop() {
			t.Error("the timer of a closed session keeps the session")
		}
	})
}

func TestDELETECancelsCalls(t *testing.T) {
	testInBubble(t, engine.Options{}, byUser, func(t *testing.T, s *server) {
		ann := []string{"X-User", "ann"}
		session := s.open(ann...)
		call := s.send(post(olderCall("1", "stuck"), sessionHeaders(session, ann...)...))
		s.waitForCall("stuck")
		stream := s.send(request(http.MethodGet, "", sessionHeaders(session, ann...)...))
		stream.event()
		s.do(request(http.MethodDelete, "", sessionHeaders(session, "X-User", "bob")...)).fails(t, "another's DELETE", http.StatusNotFound, -32600)
		if r := s.do(request(http.MethodDelete, "", sessionHeaders(session, ann...)...)); r.status != http.StatusNoContent || r.body != "" {
			t.Errorf("DELETE: %d %s", r.status, r.body)
		}
		s.waitForCall("stuck was canceled")
		if r := call.reply(); r.status != http.StatusOK || r.body != "" {
			t.Errorf("the call is answered %d %s", r.status, r.body)
		}
		if got := stream.event(); got != "" {
			t.Errorf("the stream says %q", got)
		}
		s.do(post(ping, sessionHeaders(session, ann...)...)).fails(t, "POST after that", http.StatusNotFound, -32600)
		s.do(request(http.MethodDelete, "", sessionHeaders(session, ann...)...)).fails(t, "DELETE after that", http.StatusNotFound, -32600)
	})
}

func TestSecondGETReplacesTheFirst(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		first := s.send(request(http.MethodGet, "", sessionHeaders(session)...))
		first.event()
		second := s.send(request(http.MethodGet, "", sessionHeaders(session)...))
		second.event()
		if got := first.event(); got != "" {
			t.Errorf("the first stream says %q", got)
		}
		began := time.Now()
		if got := second.event(); got != ": alive" || time.Since(began) > 15*time.Second {
			t.Errorf("after %v the second stream says %q", time.Since(began), got)
		}
	})
}

// Without Last-Event-ID, the standalone stream contains the stored messages that were not sent before.
func TestStandaloneStreamSendsEachMessageOnce(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		id := s.open()
		session := s.h.sessions.enter(id, handler.Caller{})
		connect := func(header ...string) *client {
			c := s.send(request(http.MethodGet, "", sessionHeaders(id, header...)...))
			if got := c.event(); got != ": resumed" {
				t.Fatalf("the stream begins with %q", got)
			}
			return c
		}
		say := func(text string) {
			if err := session.own.Send([]byte(text)); err != nil {
				t.Error(err)
			}
		}
		says := func(c *client, event string) {
			t.Helper()
			if got := c.event(); got != event {
				t.Fatalf("the stream says %q, want %q", got, event)
			}
		}
		say("early")
		c := connect()
		says(c, "id: 0_0\ndata: early")
		go say("sent") // the client reads the message below
		says(c, "id: 0_1\ndata: sent")
		c.Close()
		synctest.Wait()
		say("missed")
		c = connect()
		says(c, "id: 0_2\ndata: missed")
		c = connect(headerLastEvent, "0_0")
		says(c, "id: 0_1\ndata: sent")
		says(c, "id: 0_2\ndata: missed")
		c.Close()
		synctest.Wait()
		say("lost")
		s.h.history.add(new(response), 0, make([]byte, maxKept-perEvent))
		connect()
	})
}

// The newest events are stored, up to a number of bytes. The events of closed sessions are removed.
func TestStoredEvents(t *testing.T) {
	var h history
	one, other := new(response), new(response)
	piece := make([]byte, maxKept/10)
	h.add(other, 0, piece)
	for i := range 20 {
		h.add(one, i, piece)
		if h.size > maxKept {
			t.Fatalf("%d bytes are kept", h.size)
		}
	}
	if _, ok := h.eventsSince(other, 0, 1); ok {
		t.Error("the oldest event is kept")
	}
	if _, ok := h.eventsSince(one, 10, 20); ok {
		t.Error("more is kept than there is room for")
	}
	if data, ok := h.eventsSince(one, 11, 20); !ok || len(data) != 9 {
		t.Errorf("of 9 events %d are kept, %t", len(data), ok)
	}
	h.add(other, 1, make([]byte, maxKept)) // the event is larger than the limit
	if data, ok := h.eventsSince(one, 11, 20); !ok || len(data) != 9 {
		t.Errorf("after one that is too large %d are kept, %t", len(data), ok)
	}
	h.remove(one)
	if h.size != 0 || h.events.Len() != 0 || len(one.events) != 0 {
		t.Errorf("%d bytes are kept of nothing", h.size)
	}
}

// The memory of an event is freed when the event is dropped.
func TestDroppedEventsUseNoMemory(t *testing.T) {
	var h history
	one := new(response)
	data := make([]byte, maxKept/2)
	dropped := weak.Make(&data[0])
	h.add(one, 0, data)
	for i := range 3 { // too few events to reallocate the slice
		h.add(one, i+1, make([]byte, maxKept/4))
	}
	runtime.GC()
	if dropped.Value() != nil {
		t.Error("the data of a dropped event is in memory")
	}
	if _, ok := h.eventsSince(one, 1, 4); !ok {
		t.Error("the later events are not kept")
	}
}

// A stream that has ended stores no events, because nothing would remove them.
func TestEndedStreamStoresNothing(t *testing.T) {
	h := new(Handler)
	s := &response{h: h, id: "1", streams: true, begun: true}
	s.end()
	if err := s.Send([]byte("late")); err == nil || h.history.size != 0 {
		t.Errorf("%d bytes are kept, error %v", h.history.size, err)
	}
}

// A session stores only the events of its newest streams.
func TestStoredStreams(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		s.releaseAll()
		session := s.open()
		for i := range maxStreams + 1 {
			s.do(post(olderCall(fmt.Sprint(i), "steps"), sessionHeaders(session)...))
		}
		s.do(request(http.MethodGet, "", sessionHeaders(session, headerLastEvent, "1_0")...)).fails(t, "the first stream", http.StatusBadRequest, -32600)
		if r := s.do(request(http.MethodGet, "", sessionHeaders(session, headerLastEvent, "2_0")...)); r.status != http.StatusOK || !strings.Contains(r.body, `"text":"steps"`) {
			t.Errorf("the second stream: %d %s", r.status, r.body)
		}
		synctest.Wait()
		for _, x := range s.h.sessions.byID[session].streams {
			if x.request != nil || x.to != nil || x.keeper != nil {
				t.Errorf("a stream that has ended keeps its request and connection: %+v", x)
			}
		}
		s.do(request(http.MethodDelete, "", sessionHeaders(session)...))
		synctest.Wait()
		if s.h.history.size != 0 {
			t.Errorf("%d bytes are kept of a session that was closed", s.h.history.size)
		}
	})
}
