package streamable

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// At shutdown, pending calls are answered within two seconds, whatever their handlers do.
func TestShutdownRespondsToPendingCalls(t *testing.T) {
	testInBubble(t, engine.Options{MaxCalls: 5}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		listening := s.send(request(http.MethodGet, "", sessionHeaders(session)...))
		listening.event()
		unread := s.send(modern("5", "slow")) // an unread response must not delay the later calls
		s.waitForCall("slow")
		streams := s.send(modern("1", "stuck", "Accept", typeStream))
		s.waitForCall("stuck")
		kept := s.send(post(olderCall("2", "stuck"), sessionHeaders(session)...))
		s.waitForCall("stuck")
		hangs := s.send(modern("3", "slow"))
		s.waitForCall("slow")
		lost := s.send(post(olderCall("4", "slow"), sessionHeaders(session)...))
		s.waitForCall("slow")
		waits := s.send(modern("6", "echo"))
		synctest.Wait()
		lost.Close()
		silent := s.dial()
		began := time.Now()
		s.end()
		if got := listening.event(); got != "" || time.Since(began) > 0 {
			t.Errorf("after %v the stream of the session says %q", time.Since(began), got)
		}
		if got := streams.event(); !strings.Contains(data(t, got), `"id":1,"result"`) || !strings.Contains(got, "canceled") {
			t.Errorf("the call by a stream is answered %q", got)
		}
		for name, c := range map[string]*client{"in a session": kept, "of a tool that hangs": hangs} {
			if r := c.reply(); r.status != http.StatusOK || !strings.Contains(r.body, `"result"`) || !strings.Contains(r.body, "canceled") {
				t.Errorf("the call %s is answered %d %s", name, r.status, r.body)
			}
		}
		waits.reply().fails(t, "the call that waits", http.StatusServiceUnavailable, rpc.CodeEnded)
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
		s.ended <- nil
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("the server ended after %v", took)
		}
		unread.closes()
		silent.closes()
	})
}

// After shutdown, the handler rejects requests, and answers calls that end by themselves.
func TestRequestsAfterTheEnd(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		c := s.send(modern("1", "slow"))
		s.waitForCall("slow")
		s.end()
		synctest.Wait()
		for _, r := range []*http.Request{post(olderCall("2", "echo"), sessionHeaders(session)...), modern("2", "echo"), post(olderCall("2", "echo"))} {
			w := httptest.NewRecorder() // without net/http, which would not accept the request
			s.h.ServeHTTP(w, r)
			reply{w.Code, w.Header(), w.Body.String()}.fails(t, "a call after the end", http.StatusServiceUnavailable, rpc.CodeEnded)
		}
		s.releaseAll()
		if r := c.reply(); r.status != http.StatusOK || !strings.Contains(r.body, `"text":"slow"`) {
			t.Errorf("the call before it is answered %d %s", r.status, r.body)
		}
	})
}

// A cancelFailer is a program that returns an error for each request that is canceled, as go-sdk
// does for requests that it has not begun.
type cancelFailer struct{ pauser }

func (c cancelFailer) Open(json.RawMessage, string, string, *engine.Session) (engine.ExtraSession, error) {
	return c, nil
}

func (cancelFailer) Call(ctx context.Context, _ *engine.ExtraCall) (json.RawMessage, *rpc.Error) {
	<-ctx.Done()
	return nil, &rpc.Error{Code: rpc.CodeInternal, Message: ctx.Err().Error()}
}

// Shutdown ends requests that go-sdk handles in the same way as other requests.
func TestShutdownEndsRequestsOfTheProgram(t *testing.T) {
	testInBubble(t, engine.Options{Extras: func() engine.Extras { return cancelFailer{} }}, Options{}, func(t *testing.T, s *server) {
		of := func(method, params string, header ...string) *client {
			body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `,"_meta":` + modernMeta + `}}`
			return s.send(post(body, append([]string{headerVersion, wires.Rounds, headerMethod, method}, header...)...))
		}
		subscription := of("subscriptions/listen", `"notifications":{}`)
		read := of("resources/read", `"uri":"test://a"`, headerName, "test://a")
		call := of("tools/call", `"name":"echo"`, headerName, "echo")
		synctest.Wait()
		s.end()
		if got := subscription.event(); !strings.Contains(data(t, got), "notifications/subscriptions/acknowledged") {
			t.Errorf("the subscription begins with %q", got)
		}
		if got := subscription.event(); !strings.Contains(data(t, got), `"id":1,"result"`) {
			t.Errorf("the subscription ends with %q", got)
		}
		read.reply().fails(t, "a request", http.StatusServiceUnavailable, rpc.CodeEnded)
		if r := call.reply(); r.status != http.StatusOK || !strings.Contains(r.body, `"id":1,"result"`) || !strings.Contains(r.body, "canceled: the server shut down") {
			t.Errorf("a call is answered %d %s", r.status, r.body)
		}
	})
}

// A closeDetector is a program that detects the end of its session.
type closeDetector struct {
	pauser
	closed chan struct{}
}

func (c closeDetector) Close() { close(c.closed) }
func (c closeDetector) Open(json.RawMessage, string, string, *engine.Session) (engine.ExtraSession, error) {
	return c, nil
}

// The end of a handler ends the sessions that clients have not closed.
func TestEndClosesSessions(t *testing.T) {
	end := closeDetector{closed: make(chan struct{})}
	testInBubble(t, engine.Options{Extras: func() engine.Extras { return end }}, Options{}, func(t *testing.T, s *server) {
		s.do(post(olderCall("1", "echo"), sessionHeaders(s.open(), "Accept", typeJSON)...))
		s.end()
		err := <-s.ended
		s.ended <- err
		synctest.Wait()
		select {
		case <-end.closed:
		default:
			t.Error("the session is open after the end of the handler")
		}
	})
}
