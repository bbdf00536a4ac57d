package engine

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// The process has a timer within stallBound while a response is pending, and none afterwards.
func TestTimerWhileAResponseIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticks := 0
		f := &inflight{owed: map[*Request]struct{}{}, ticked: func() { ticks++ }}
		one, two := new(Request), new(Request)
		for round := range 2 {
			ticks = 0
			f.add(one)
			f.add(two)
			time.Sleep(3*stallBound + stallBound/2) // in synctest's fake time
			f.remove(one)
			time.Sleep(2 * stallBound) // in synctest's fake time
			synctest.Wait()
			if ticks != 5 {
				t.Errorf("round %d: %d ticks while an answer was owed, want 5", round, ticks)
			}
			f.remove(two)
			time.Sleep(time.Hour) // in synctest's fake time
			synctest.Wait()
			if ticks != 6 || f.armed { // the timer that was set earlier has fired
				t.Errorf("round %d: %d ticks in all, armed %t", round, ticks, f.armed)
			}
		}
	})
}

// While Drain waits for the handlers of canceled calls, a call that was canceled before it began does not begin.
// A WaitGroup that is reused while a goroutine waits for it panics.
func TestCanceledCallDoesNotBeginAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := outFunc(func([]byte) error { return nil })
		e := New(nil, Options{Contract: new(manifest.Server)})
		s := e.NewSession(out, handler.Caller{})
		s.client.Version = wires.Sessions
		take := func(id string) *Request {
			m, refused := rpc.Read([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"none"}}`))
			if refused != nil {
				t.Fatal(refused)
			}
			r, refused := s.Take(t.Context(), handler.Caller{}, m, out)
			if refused != nil {
				t.Fatal(refused)
			}
			return r
		}
		running, late := take("1"), take("2")
		if running.Begin() != nil {
			t.Fatal("the first call waits")
		}
		running.Cancel()
		late.Cancel()
		began := time.Now()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			e.Drain(DrainTime, nil)
		}()
		synctest.Wait()
		if wait := late.Begin(); wait == nil || wait() {
			t.Error("a canceled call began")
			e.calls.done()
		}
		running.Run()
		<-ended
		if took := time.Since(began); took > 0 {
			t.Errorf("Drain took %v", took)
		}
	})
}
