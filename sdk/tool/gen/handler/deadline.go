package handler

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
	grace   = 100 * time.Millisecond // for a handler to return after its timeout
	maxLeft = 64                     // maximum number of a tool's handlers that may continue after their timeout
)

var (
	errOverdue = errors.New("call timeout") // the cause of a context that ended because of the timeout
	errLeft    = fault.New(fault.Internal, "the tool called runtime.Goexit")
	errGone    = fault.New(fault.Internal, "an interceptor called runtime.Goexit")
)

// execute runs a handler. If it may ask, has a timeout or is intercepted, it runs in a goroutine: Ask may end that
// goroutine, a handler may keep running after its timeout, when its call has been answered, and a handler that
// calls [runtime.Goexit] must not end its interceptors.
func (t *Tool) execute(ctx context.Context, r *Run, read decodedInput) (result Result, err error) {
	r.state.Restore(r.Once)
	limit := cmp.Or(t.timeout, r.Rules.Timeout)
	if limit == 0 && t.questions.Len() == 0 && len(r.Rules.Interceptors) == 0 {
		result, err = t.runHandler(t.begin(ctx, r), r, read)
		return result, r.end(err)
	}
	if t.left.Load() >= maxLeft {
		return result, fault.New(fault.Unavailable, "%d earlier calls to this %s are still running after their timeout; try again later", maxLeft, t.noun())
	}
	var over <-chan time.Time // nil without a time limit
	var cancel context.CancelCauseFunc
	if limit > 0 {
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		c := &clock{timer: time.NewTimer(limit), since: time.Now(), left: limit}
		defer c.pause() // the clock is never resumed
		ask := r.Asker.Ask
		r.Asker.Ask = func(ctx context.Context, q question.Question) (question.Answer, error) {
			c.pause()
			defer c.resume()
			return ask(ctx, q)
		}
		over = c.timer.C
	}
	within := t.begin(ctx, r)
	type end struct {
		result Result
		err    error
	}
	ended := make(chan end, 1)
	go func() {
		e := end{err: errLeft}
		defer func() { ended <- e }()
		if s, ok := r.session.(*question.Session); ok {
			s.Own()
		}
		e.result, e.err = t.runHandler(within, r, read)
	}()
	e := end{err: errOverdue}
	select {
	case e = <-ended:
	case <-over:
		cancel(errOverdue)
		select {
		case e = <-ended:
		case <-time.After(grace):
			r.state.ServerLog().Warn("tool is still running after its timeout", "limit", limit)
			t.left.Add(1)
			go func() {
				<-ended
				t.left.Add(-1)
			}()
		}
	}
	err = r.end(e.err)
	if err != nil && context.Cause(ctx) == errOverdue {
		err = fault.Wrap(errOverdue, fault.Timeout, "the %s did not finish within %s", t.noun(), limit)
	}
	return e.result, err
}

// end returns the outcome of a run whose handler returned err, whose methods may panic.
func (r *Run) end(err error) error {
	return r.guard(func() error { return r.session.End(err) })
}

// begin starts the session of questions of a run.
func (t *Tool) begin(ctx context.Context, r *Run) context.Context {
	if t.questions.Len() == 0 {
		r.bare.State = &r.state
		r.session = &r.bare
		return r.session.With(ctx)
	}
	run := question.Run{
		Tool: t.name, Call: r.ID, Questions: t.questions, Asker: r.Asker,
		Answers: r.Answers, Rounds: r.Rounds, MaxRounds: r.Rules.MaxRounds, State: &r.state,
	}
	if r.observe != nil {
		run.OnAsk = func(q question.Question) { r.emit(Event{Moment: Asked, Question: &q}) }
		run.OnAnswer = func(q question.Question, action question.Action, known bool, err error) {
			r.emit(Event{Moment: Answered, Question: &q, Action: action, Known: known, Err: err})
		}
	}
	r.session = question.NewSession(ctx, run)
	return r.session.With(ctx)
}

// A clock measures the time of a call, except the time spent waiting for answers.
type clock struct {
	mu    sync.Mutex
	timer *time.Timer
	since time.Time
	left  time.Duration
	waits int
}

// pause stops the clock until resume has been called as often as pause.
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
