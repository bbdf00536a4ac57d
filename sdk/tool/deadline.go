package tool

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

const (
	// grace is how long a handler may take to notice that its time is over.
	grace = 100 * time.Millisecond
	// mostLeft is how many runs of a tool may go on past their time.
	mostLeft = 64
)

var (
	// errOverdue is why the context of a call ends whose time is over.
	errOverdue = errors.New("the time of the call is over")
	// errLeft is how a handler ended that ended its goroutine.
	errLeft = fault.New(fault.Internal, "the tool ended its goroutine before it returned")
)

// execute runs a handler of t. One that may ask, or whose time is limited, has a
// goroutine of its own: asking ends it where the run cannot go on, and one that does not
// return when its time is over is left behind, and its call answered without it. Waiting
// for the answer to a question does not count.
func execute[R any](ctx context.Context, t *Tool, call *Call, handle func(context.Context) (R, error)) (result R, err error) {
	limit := cmp.Or(t.timeout, call.request.Timeout)
	if limit == 0 && t.questions.Len() == 0 {
		session := t.session(ctx, call)
		result, err = guard(call, func() (R, error) { return handle(session.With(ctx)) })
		return result, session.End(err)
	}
	return apart(ctx, t, call, limit, handle)
}

// apart runs a handler in a goroutine of its own, within a limit; 0 is none.
func apart[R any](ctx context.Context, t *Tool, call *Call, limit time.Duration, handle func(context.Context) (R, error)) (result R, err error) {
	if t.left.Load() >= mostLeft {
		return result, fault.New(fault.Unavailable, "%d earlier calls of this tool still run past their time", mostLeft)
	}
	var over <-chan struct{} // never for a call without a limit
	if limit > 0 {
		limited, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		c := startClock(limit, func() { cancel(errOverdue) })
		defer c.stop()
		call.request.Asker = c.pausing(call.request.Asker)
		ctx, over = limited, c.over
	}
	session := t.session(ctx, call)
	ended := make(chan end[R], 1)
	go func() {
		e := end[R]{err: errLeft}
		defer func() { ended <- e }()
		if t.questions.Len() > 0 {
			session.Own()
		}
		e.result, e.err = guard(call, func() (R, error) { return handle(session.With(ctx)) })
	}()
	e := end[R]{err: errOverdue}
	select {
	case e = <-ended:
	case <-over:
		select {
		case e = <-ended:
		case <-time.After(grace):
			leave(t, call, limit, ended)
		}
	}
	err = session.End(e.err)
	if err != nil && context.Cause(ctx) == errOverdue {
		err = fault.Wrap(errOverdue, fault.Timeout, "the tool did not end within %s", limit)
	}
	return e.result, err
}

// An end is how a handler ended.
type end[R any] struct {
	result R
	err    error
}

// leave counts a handler among those that go on past their time until it ends.
func leave[R any](t *Tool, call *Call, limit time.Duration, ended <-chan end[R]) {
	t.left.Add(1)
	go func() {
		<-ended
		t.left.Add(-1)
	}()
	call.operator().Warn("tool goes on past its time", "limit", limit)
}

// session returns the session of a run of t.
func (t *Tool) session(ctx context.Context, call *Call) *question.Session {
	r := call.request
	return question.NewSession(ctx, question.Run{
		Tool: call.tool, Call: r.ID, Questions: t.questions, Asker: r.Asker,
		Answers: r.Answers, Rounds: r.Rounds, MaxRounds: r.MaxRounds, Told: r.told,
	})
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

// pausing returns a that asks while the clock stands still.
func (c *clock) pausing(a question.Asker) question.Asker {
	ask := a.Ask
	a.Ask = func(ctx context.Context, q question.Question) (question.Answer, error) {
		c.pause()
		defer c.resume()
		return ask(ctx, q)
	}
	return a
}
