package tool

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

const (
	// lenience is how long a handler may take to notice that its time is over.
	lenience = 100 * time.Millisecond
	// mostLeft is how many runs of a tool may go on past their time.
	mostLeft = 64
)

// errOverdue is why the context of a call ends whose time is over.
var errOverdue = errors.New("the time of the call is over")

// A run is a handler with what it was called with.
type run func(context.Context, *elicit.Session) (Result, error)

// within runs a handler that may take so long; waiting for the answer to a question
// does not count. A handler that does not return when its context ends is left behind,
// and its call answered without it.
func (t *Tool) within(ctx context.Context, limit time.Duration, call *Call, handle run) (Result, error) {
	if t.left.Load() >= mostLeft {
		return Result{}, fault.New(fault.Unavailable, "%d earlier calls of this tool still run past their time", mostLeft)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := startClock(limit, func() { cancel(errOverdue) })
	defer c.stop()
	call.request.Asker = patient{call.request.Asker, c}
	session := newSession(call)

	type end struct {
		result Result
		err    error
	}
	ended := make(chan end, 1)
	go func() {
		result, err := handle(ctx, session)
		ended <- end{result, err}
	}()
	var e end
	select {
	case e = <-ended:
	case <-c.over:
		select {
		case e = <-ended:
		case <-time.After(lenience):
			session.Close()
			t.left.Add(1)
			go func() {
				<-ended
				t.left.Add(-1)
			}()
			call.operator().Warn("tool goes on past its time", "limit", limit)
			return Result{}, overdue(limit)
		}
	}
	if e.err != nil && context.Cause(ctx) == errOverdue {
		return Result{}, overdue(limit)
	}
	return e.result, e.err
}

func overdue(limit time.Duration) error {
	return fault.Wrap(errOverdue, fault.Timeout, "the tool did not end within %s", limit)
}

// A clock measures the time of a call, save what is spent waiting for answers.
type clock struct {
	over chan struct{} // closed when the time is over
	ring func()

	mu    sync.Mutex
	timer *time.Timer
	since time.Time
	left  time.Duration
	waits int
}

func startClock(limit time.Duration, ring func()) *clock {
	c := &clock{over: make(chan struct{}), since: time.Now(), left: limit}
	c.ring = sync.OnceFunc(func() { close(c.over); ring() })
	c.timer = time.AfterFunc(limit, c.ring)
	return c
}

// pause stops the clock until resume is called as often.
func (c *clock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waits++; c.waits == 1 && c.timer.Stop() {
		c.left -= time.Since(c.since)
	}
}

func (c *clock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waits--; c.waits == 0 {
		c.since = time.Now()
		c.timer.Reset(max(c.left, 0))
	}
}

// stop ends the clock without a ring.
func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waits++
	c.timer.Stop()
}

// patient asks while the clock stands still.
type patient struct {
	elicit.Asker
	clock *clock
}

func (p patient) Ask(ctx context.Context, q elicit.Question) (elicit.Answer, error) {
	p.clock.pause()
	defer p.clock.resume()
	return p.Asker.Ask(ctx, q)
}

// Forms reports whether a form is asked as a whole.
func (p patient) Forms() bool {
	f, ok := p.Asker.(interface{ Forms() bool })
	return ok && f.Forms()
}
