package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tasks"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A longRun is a run of a task, or of a call that may become one.
type longRun struct {
	board  *board
	runner string
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when the run has ended and its outcome is stored

	mu      sync.Mutex
	id      string                     // of the task; "" until the call is a task
	own     *wires.Task                // the task as the wire knows it
	seed    wires.Task                 // the task as it was created, which no run changes
	ended   bool                       // the handler has returned
	once    map[string]json.RawMessage // results before the call became a task
	begun   map[string]bool            // and the keys whose functions began
	renewed time.Time                  // when the lease was renewed

	noting sync.Mutex
	isTask bool   // like id != "", for what must not wait for the store
	note   string // what the next status message is
	report func(done, total float64, message string)
}

// newRun returns a run with the context ctx.
func (b *board) newRun(parent context.Context) (*longRun, context.Context) {
	j := &longRun{
		board: b, runner: rand.Text(), done: make(chan struct{}), once: map[string]json.RawMessage{},
		begun: map[string]bool{},
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	j.cancel = cancel
	return j, ctx
}

// become makes a call a task, unless its handler has returned. The error is that of the store, or errFinished.
func (j *longRun) become(t *wires.Task, w wires.Wire, out *wires.Outcome) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ended {
		return errFinished
	}
	t.Status, t.Runner, t.Runs = wires.Working, j.runner, 1
	wires.Become(w, t, out)
	kept := t.State.Once
	t.State.Once = maps.Clone(kept)
	if t.State.Once == nil {
		t.State.Once = map[string]json.RawMessage{}
	}
	maps.Copy(t.State.Once, j.once)
	t.Begun = maps.Clone(j.begun)
	if err := j.board.create(context.Background(), t); err != nil {
		wires.Become(w, nil, out)
		return err
	}
	j.id, j.own, j.seed, j.renewed = t.ID, t, *t, time.Now()
	j.noting.Lock()
	j.isTask = true
	j.noting.Unlock()
	j.board.add(j)
	go j.beat(time.Duration(t.Poll) * time.Millisecond)
	return nil
}

// add registers the run of a task. If the board is closed, the run is canceled.
func (b *board) add(j *longRun) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs[j.id] = j
	if b.closed {
		j.cancel(errClosing)
	}
}

// save changes the task, if the job still runs it, and renews the lease. The caller holds j.mu.
func (j *longRun) save(change func(*wires.Task)) error {
	b := j.board
	_, err := b.update(j.id, func(t *wires.Task) (time.Duration, error) {
		if t.Status != wires.Working || t.Runner != j.runner {
			return 0, errLost
		}
		if change(t); t.Status != wires.Working {
			return 0, nil
		}
		return b.lease(), nil
	})
	switch {
	case err == nil:
		j.renewed = time.Now()
	case errors.Is(err, errLost), errors.Is(err, tasks.ErrNotFound):
		j.cancel(errLost)
		return errLost
	}
	return err
}

// Begin implements [handler.Keeper].
func (j *longRun) Begin(key string) (again bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.id == "" {
		j.begun[key] = true
		return false, nil
	}
	err = j.save(func(t *wires.Task) {
		if again = t.Begun[key]; t.Begun == nil {
			t.Begun = map[string]bool{}
		}
		t.Begun[key] = true
	})
	return again, err
}

// Keep implements [handler.Keeper]. A nil result means that the function failed.
func (j *longRun) Keep(key string, result json.RawMessage) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.id == "" {
		if delete(j.begun, key); result != nil {
			j.once[key] = result
		}
		return nil
	}
	return j.save(func(t *wires.Task) {
		delete(t.Begun, key)
		if result == nil {
			return
		}
		if t.State.Once == nil {
			t.State.Once = map[string]json.RawMessage{}
		}
		t.State.Once[key] = result
	})
}

// progress reports progress to the client, or in the status of the task.
func (j *longRun) progress(done, total float64, message string) {
	text := strconv.FormatFloat(done, 'f', -1, 64)
	if total > 0 {
		text += " of " + strconv.FormatFloat(total, 'f', -1, 64)
	}
	if message != "" {
		text += ": " + message
	}
	if !j.notes(text) && j.report != nil {
		j.report(done, total, message)
	}
}

// notes sets the next status message. It returns false for a call that is not a task.
func (j *longRun) notes(text string) bool {
	const limit = 500
	j.noting.Lock()
	defer j.noting.Unlock()
	if j.isTask {
		j.note = phrase.Clip(text, limit)
	}
	return j.isTask
}

// A taskLog sends log records to the client, or uses them as the status of the task.
type taskLog struct {
	slog.Handler
	job *longRun
}

func (l taskLog) Handle(ctx context.Context, r slog.Record) error {
	if l.job.notes(r.Message) {
		return nil
	}
	return l.Handler.Handle(ctx, r)
}

func (l taskLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return taskLog{l.Handler.WithAttrs(attrs), l.job}
}
func (l taskLog) WithGroup(name string) slog.Handler {
	return taskLog{l.Handler.WithGroup(name), l.job}
}

// beat renews the lease and stores the status until the run has ended.
func (j *longRun) beat(poll time.Duration) {
	b := j.board
	every := poll
	if b.Shared {
		every = min(poll, b.Lease/4)
	}
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		select {
		case <-j.done:
			return
		case <-ticks.C:
			j.beatOnce()
		}
	}
}

func (j *longRun) beatOnce() {
	j.noting.Lock()
	note := j.note
	j.note = ""
	j.noting.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	lease := j.board.lease()
	if j.ended || note == "" && (lease == 0 || time.Since(j.renewed) < lease/4) {
		return
	}
	err := j.save(func(t *wires.Task) { t.Message = cmp.Or(note, t.Message) })
	if err == nil || errors.Is(err, errLost) {
		return
	}
	j.board.engine.Log.Warn("the state of a task cannot be stored", "error", err)
	if lease > 0 && time.Since(j.renewed) >= lease {
		j.cancel(errLost) // another process may run it
	}
}

// run runs the handler and, for a task, stores the outcome. later means that another run may have begun before.
func (j *longRun) run(ctx context.Context, out *wires.Outcome, t *handler.Tool, run *handler.Run, later bool) {
	defer close(j.done)
	out.Call(ctx, t, run)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ended = true
	out.End(run)
	if j.id == "" {
		return
	}
	defer j.board.engine.calls.done()
	defer j.remove()
	cause := context.Cause(ctx)
	switch {
	case cause == errLost || cause == errFinished:
		return
	case cause == errClosing && out.Err != nil && j.own.Status == wires.Working:
		j.release()
		return
	}
	j.keep(func(t *wires.Task) {
		switch f := fault.From(out.Err); {
		case j.own.Status == wires.InputRequired:
			t.State, t.Requests, t.Asked = j.own.State, j.own.Requests, j.own.Asked
			t.Status, t.Message, t.Runner = wires.InputRequired, "", ""
		case run.Crashed():
			fail(t, rpc.CodeInternal, fault.Internal, f.Message)
		case run.Rejected() && later:
			fail(t, rpc.CodeInvalidParams, fault.InvalidInput, "the tool no longer accepts the arguments: "+f.Message)
		default:
			result, err := rpc.Encoded(out)
			if err != nil {
				fail(t, rpc.CodeInternal, fault.Internal, "the result cannot be encoded")
				return
			}
			t.End(wires.Completed)
			t.Message, t.Result = "", result
		}
	})
}

// keep stores the outcome. It tries again until the lease ends, after which another process runs the task.
func (j *longRun) keep(change func(*wires.Task)) {
	for wait := 10 * time.Millisecond; ; wait *= 2 {
		err := j.save(change)
		if err == nil || errors.Is(err, errLost) {
			return
		}
		j.board.engine.Log.Warn("the outcome of a task cannot be stored", "error", err)
		if time.Since(j.renewed)+wait >= j.board.Lease {
			return
		}
		time.Sleep(wait)
	}
}

// release lets another process run the task at once.
func (j *longRun) release() {
	b := j.board
	_, err := b.update(j.id, func(t *wires.Task) (time.Duration, error) {
		if t.Status != wires.Working || t.Runner != j.runner {
			return 0, errLost
		}
		t.Runner = ""
		return time.Nanosecond, nil
	})
	if err != nil && !errors.Is(err, errLost) {
		b.engine.Log.Warn("a task cannot be released", "error", err)
	}
}

func (j *longRun) remove() {
	b := j.board
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.jobs[j.id] == j {
		delete(b.jobs, j.id)
	}
}

// fail ends a task with a protocol error. code is also in its data.
func fail(t *wires.Task, rpcCode int, code fault.Code, message string) {
	t.End(wires.Failed)
	data, _ := json.Marshal(map[string]fault.Code{"code": code}) // cannot fail
	t.Message, t.Error = message, &rpc.Error{Code: rpcCode, Message: message, Data: data}
}

// resume runs a task of which this process is the runner. The caller has taken a place of a running call. later means
// that another run may have begun before.
func (b *board) resume(t *wires.Task, later bool) {
	e := b.engine
	j, ctx := b.newRun(context.Background())
	j.id, j.own, j.runner, j.renewed, j.isTask = t.ID, t, t.Runner, time.Now(), true
	b.add(j)
	go j.beat(time.Duration(t.Poll) * time.Millisecond)
	go func() {
		defer j.cancel(nil)
		entry := e.tools[t.Name]
		if entry == nil || entry.Contract.Task.Mode == "" || e.Trust.Hidden[entry.Contract.Name] {
			defer close(j.done)
			defer e.calls.done()
			defer j.remove()
			j.mu.Lock()
			defer j.mu.Unlock()
			j.ended = true
			j.keep(func(t *wires.Task) {
				fail(t, rpc.CodeInvalidParams, fault.NotFound, fmt.Sprintf("the server no longer has the tool %q", t.Name))
			})
			return
		}
		out := new(wires.Outcome)
		wire := e.wires.Resume(entry.Contract, entry.old, t)
		run, _, err := e.admit(entry.Contract, entry.old, t.Settings, t.Caller)
		if err == nil {
			run.Arguments, run.Origin, run.Keeper, run.Progress = t.Arguments, t.Origin, j, j.progress
			if level := levelByName(rawjson.Quote(t.Level)); level != nil {
				run.CallerLog = taskLog{slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: level.level}), j}
			}
			if refused := out.Begin(wire, run); refused != nil {
				err = refused
			}
		}
		if err != nil {
			run = new(handler.Run)
			*out = *wires.Refused(wire, err)
		}
		j.run(ctx, out, entry.Tool, run, later)
	}()
}
