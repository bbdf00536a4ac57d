package stdio_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

const ping = `{"jsonrpc":"2.0","id":"p","method":"ping"}`

// pong fails the test unless the next line is the response to [ping].
func (c *client) pong() {
	c.t.Helper()
	c.send(ping)
	if got := c.recv(); got != `{"jsonrpc":"2.0","id":"p","result":{}}` {
		c.t.Fatalf("a ping is answered by %s", got)
	}
}

func cancel(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
}

func TestCallsBeyondTheLimitWait(t *testing.T) {
	release := make(chan struct{})
	c := start(t, engine.Options{MaxCalls: 2}, 0, release)
	for i := range 6 {
		c.send(call(fmt.Sprint(i), "slow"))
	}
	c.send(call("6", "echo"))
	c.pong()          // the answer overtakes waiting calls
	c.send(cancel(0)) // call 0 is running
	c.send(cancel(4)) // call 4 waits in the queue
	c.send(call("4", "echo"))
	c.pong()
	close(release)
	answered := map[string]bool{}
	for range 6 {
		var r struct {
			ID     json.RawMessage
			Result json.RawMessage
		}
		line := c.recv()
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Result == nil || answered[string(r.ID)] {
			t.Fatalf("answer %s (%v)", line, err)
		}
		answered[string(r.ID)] = true
	}
	for i := 1; i <= 6; i++ {
		if !answered[fmt.Sprint(i)] {
			t.Errorf("call %d is not answered", i)
		}
	}
	c.pong() // no other response precedes it
}

// A canceled call counts until its handler has returned. Otherwise, a client could have any number of handlers
// running.
func TestCanceledCallsCount(t *testing.T) {
	release := make(chan struct{})
	c := start(t, engine.Options{MaxCalls: 1}, 0, release)
	c.send(call("1", "slow"))
	c.pong() // by then, the handler of call 1 is running
	c.send(cancel(1))
	c.send(call("2", "echo"))
	c.pong()
	close(release)
	if got := c.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":2,"result"`) {
		t.Errorf("the call that waited is answered by %s", got)
	}
}

// The size of waiting calls is limited: reading stops at the limit and continues later.
func TestReadingStopsAtTheQueueLimit(t *testing.T) {
	release := make(chan struct{})
	c := start(t, engine.Options{MaxCalls: 1}, 0, release)
	const calls = 20
	big := strings.Repeat("x", 1<<20)
	sent := make(chan int, calls)
	go func() {
		for i := range calls {
			c.send(strings.Replace(call(fmt.Sprint(i), "slow"), `"arguments":{}`, `"arguments":{"big":"`+big+`"}`, 1))
			sent <- i
		}
		close(sent)
	}()
	for i := range sent {
		if i == 4 { // one call runs, and more than 3 MiB of calls wait
			break
		}
	}
	close(release)
	for range calls {
		if got := c.recv(); !strings.Contains(got, `"result"`) {
			t.Fatalf("answer %s", got)
		}
	}
	c.pong()
}

func TestEndOfInputRespondsToWaitingCalls(t *testing.T) {
	c := start(t, engine.Options{MaxCalls: 1}, 3*time.Second, nil)
	c.send(call("1", "stuck"))
	c.send(call("2", "stuck"))
	c.in.Close()
	const want = `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"the server shut down before this call began; send it again"}}`
	answers := []string{c.recv(), c.recv()}
	slices.Sort(answers)
	if !strings.Contains(answers[0], `"id":1,"result"`) {
		t.Errorf("the call that ran is answered by %s", answers[0])
	}
	if answers[1] != want {
		t.Errorf("the call that waited is answered by %s", answers[1])
	}
	if err := <-c.ended; err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// When the context is done, the server behaves as at the end of input.
func TestContextEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	release := make(chan struct{})
	c := startUntil(ctx, t, engine.Options{}, time.Minute, release)
	c.send(call("1", "slow"))
	c.pong()
	stop()
	close(release)
	if got := c.recv(); !strings.Contains(got, `"id":1,"result"`) {
		t.Errorf("what was owed is answered by %s", got)
	}
	if err := <-c.ended; err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// The server does not wait for canceled calls that are still running.
func TestCanceledCallsAreNotWaitedFor(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	c := start(t, engine.Options{}, time.Hour, release)
	c.send(call("1", "slow"))
	c.pong()
	c.send(cancel(1))
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// A client that stops reading does not keep the server from exiting, however much output is left.
func TestClientThatDoesNotReadAtTheEnd(t *testing.T) {
	c := start(t, engine.Options{}, 30*time.Millisecond, nil)
	for i := range 3 {
		c.send(call(fmt.Sprint(i), "echo"))
	}
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// A handler may have to clean up after its call is canceled, so shutdown waits for it briefly.
func TestEndWaitsForCanceledCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c := start(t, engine.Options{MaxCalls: 1}, time.Hour, release)
		c.send(call("1", "slow"))
		c.send(call("2", "slow")) // the call waits in the queue
		synctest.Wait()
		c.send(cancel(1))
		c.send(cancel(2))
		c.in.Close()
		synctest.Wait()
		if len(c.ended) != 0 {
			t.Error("the end did not wait for a canceled call")
		}
		close(release)
		if err := <-c.ended; err != nil {
			t.Errorf("the session ended with %v", err)
		}

		began := time.Now()
		release = make(chan struct{})
		c = start(t, engine.Options{}, time.Hour, release)
		c.send(call("1", "slow"))
		synctest.Wait()
		c.send(cancel(1))
		c.in.Close()
		if err := <-c.ended; err != nil || time.Since(began) > time.Second/2 {
			t.Errorf("the session ended with %v after %s, although a canceled call did not end", err, time.Since(began))
		}
		close(release)
	})
}

// If a client closes its connection long after a call, the call is canceled and its handler may clean up. Calls
// shortly before the end are answered.
func TestAbandonedCallsAtEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c := start(t, engine.Options{MaxCalls: 2}, time.Hour, release)
		c.send(call("1", "stuck"))
		c.send(call("2", "slow"))
		c.send(call("3", "echo")) // the call waits in the queue
		time.Sleep(time.Second)   // in synctest's fake time
		c.in.Close()
		synctest.Wait()
		if len(c.ended) != 0 {
			t.Error("the end did not wait for a handler that runs")
		}
		close(release)
		if c.lines.Scan() {
			t.Errorf("a call that was given up is answered by %s", c.lines.Text())
		}
		if err := <-c.ended; err != nil {
			t.Errorf("the session ended with %v", err)
		}

		c = start(t, engine.Options{}, time.Minute, nil)
		c.send(call("1", "stuck"))
		c.in.Close()
		if got := c.recv(); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("a call that came just before the end is answered by %s", got)
		}
		if err := <-c.ended; err != nil {
			t.Errorf("the session ended with %v", err)
		}
	})
}
