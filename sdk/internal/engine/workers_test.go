package engine

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// mailbox is an Out that stores answers.
type mailbox chan string

func (m mailbox) Answer(a *rpc.Answer) error {
	w := rpc.NewWriter(nil)
	defer w.Free()
	err := a.Encode(w)
	data, _ := w.Held()
	m <- string(data)
	return err
}

func (mailbox) Send([]byte) error { return nil }
func (mailbox) CanSend() bool     { return false }

// A shop is a session with a tool "echo", which answers immediately, and a tool "wait", which blocks.
type shop struct {
	t       *testing.T
	session *Session
	out     mailbox
	release chan struct{}
	id      int
}

func newShop(t *testing.T) *shop {
	s := &shop{t: t, out: make(mailbox, 1000), release: make(chan struct{})}
	entry := func(name string, run func()) Entry {
		return Entry{
			Contract: &manifest.Tool{Name: name, Input: manifest.Schema(`{"type":"object"}`)},
			Tool: handler.New(name, handler.Codec[handler.None, handler.None, handler.None, string]{Result: handler.Text[string]},
				func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (string, error) {
					run()
					return name, nil
				}),
		}
	}
	e := New([]Entry{entry("echo", func() {}), entry("wait", func() { <-s.release }), entry("exit", runtime.Goexit)},
		Options{Contract: new(manifest.Server), Trust: &trust.Policy{}, Log: slog.New(slog.DiscardHandler)})
	s.session = e.Alone(wires.Sessions, handler.Caller{})
	return s
}

// call returns a call to a tool that may run.
func (s *shop) call(name string) *Request {
	s.t.Helper()
	s.id++
	m, err := rpc.Read(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`, s.id, name))
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := s.session.Take(s.t.Context(), handler.Caller{}, m, s.out)
	if err != nil || r.Begin() != nil {
		s.t.Fatalf("call %d does not run: %v", s.id, err)
	}
	return r
}

// countAnswers counts the answers that contain a text.
func (s *shop) countAnswers(text string) (n int) {
	synctest.Wait()
	for range len(s.out) {
		if got := <-s.out; strings.Contains(got, `"text":"`+text+`"`) {
			n++
		} else {
			s.t.Errorf("answer %s", got)
		}
	}
	return n
}

// Workers run every request, even while other requests block, and keep few goroutines. All goroutines end:
// a synctest bubble fails if one remains.
func TestWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, over, done := newShop(t), make(chan struct{}), 0
		w := NewWorkers(over)
		finished := make(chan struct{}, 1000)
		run := func(name string, times int) {
			for range times {
				w.Run(s.call(name), func(*Request) { finished <- struct{}{} })
				done++
			}
		}
		for range 5 {
			run("echo", 1)
			synctest.Wait()
		}
		if n := w.idle.Load(); n != 1 {
			t.Errorf("%d goroutines ran calls one by one", n)
		}
		const blocked = 3 * maxIdle
		run("wait", blocked)
		run("echo", 100)
		if n := s.countAnswers("echo"); n != 105 {
			t.Errorf("%d of 105 calls are answered while others block", n)
		}
		close(s.release)
		if n := s.countAnswers("wait"); n != blocked {
			t.Errorf("%d of %d blocked calls are answered", n, blocked)
		}
		if n := w.idle.Load(); n != maxIdle {
			t.Errorf("%d idle goroutines, want %d", n, maxIdle)
		}
		s.release = make(chan struct{})
		run("wait", 1)
		synctest.Wait()
		close(over) // while a call is running
		close(s.release)
		run("echo", 1)
		synctest.Wait()
		if len(s.out) != 2 || len(finished) != done {
			t.Errorf("%d of 2 calls are answered after the end, %d of %d finished", len(s.out), len(finished), done)
		}
	})
}

// A handler that ends its goroutine does not leave its call without an answer.
func TestHandlerThatEndsItsGoroutine(t *testing.T) {
	s, over, finished := newShop(t), make(chan struct{}), make(chan struct{}, 1)
	defer close(over)
	NewWorkers(over).Run(s.call("exit"), func(*Request) { finished <- struct{}{} })
	select {
	case <-finished:
	case <-time.After(10 * time.Second):
		t.Fatal("the request is still running")
	}
	if got := <-s.out; !strings.Contains(got, `"code":-32603`) {
		t.Errorf("answer %s", got)
	}
}
