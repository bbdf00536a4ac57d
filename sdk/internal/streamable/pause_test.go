package streamable

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// A pauser is a program that wraps every call and pauses its stream before the tool runs.
type pauser struct{ after time.Duration }

func (pauser) Description(context.Context) (json.RawMessage, string) {
	return json.RawMessage(`{"tools":{}}`), ""
}
func (pauser) Tools(context.Context) []engine.ExtraTool     { return nil }
func (pauser) Notify(method string, params json.RawMessage) {}
func (pauser) Close()                                       {}
func (p pauser) Open(json.RawMessage, string, string, *engine.Session) (engine.ExtraSession, error) {
	return p, nil
}

func (p pauser) Call(ctx context.Context, c *engine.ExtraCall) (json.RawMessage, *rpc.Error) {
	if c.Tool == nil { // the list of tools that this caller may call
		list, err := json.Marshal(map[string]any{"tools": c.Entries})
		if err != nil {
			return nil, &rpc.Error{Code: rpc.CodeInternal, Message: err.Error()}
		}
		return list, nil
	}
	pauser := c.Out.(interface{ Pause(after time.Duration) })
	pauser.Pause(p.after)
	pauser.Pause(p.after) // a second Pause has no effect
	return c.Tool(ctx, json.RawMessage(`{}`))
}

func TestPausedStream(t *testing.T) {
	testInBubble(t, engine.Options{Extras: func() engine.Extras { return pauser{1500 * time.Millisecond} }}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		c := s.send(post(olderCall("1", "slow"), sessionHeaders(session)...))
		if got := c.event(); got != "id: 1_0\ndata:" {
			t.Errorf("the stream begins with %q", got)
		}
		if got := c.event(); got != "retry: 1500" {
			t.Errorf("the client is told %q", got)
		}
		if got := c.event(); got != "" {
			t.Errorf("and then %q", got)
		}
		s.waitForCall("slow")
		c.Close()
		synctest.Wait()
		s.h.sessions.limit = 1
		s.do(post(initialize)).fails(t, "a session with a call is not given up", http.StatusServiceUnavailable, -32600)
		s.releaseAll()
		synctest.Wait()
		back := s.send(request(http.MethodGet, "", sessionHeaders(session, headerLastEvent, "1_0")...))
		back.event()
		if got := back.event(); !strings.Contains(data(t, got), `"id":1,"result"`) || !strings.Contains(got, `"text":"slow"`) {
			t.Errorf("the answer is %q", got)
		}
		// Without a session, in an older version, or for a client that does not accept a stream, a stream cannot
		// be resumed and is not paused.
		for name, r := range map[string]*http.Request{
			"2026-07-28": modern("1", "echo"), "without a session": post(olderCall("1", "echo"), headerVersion, "2025-11-25"),
			"JSON": post(olderCall("1", "echo"), sessionHeaders(session, "Accept", typeJSON)...),
		} {
			if got := s.do(r); got.status != http.StatusOK || !strings.Contains(got.body, `"text":"echo"`) {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
		}
	})
}
