package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tasks"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// errNoTask is the only error about an id, so that nobody learns whether another caller has such a task.
var errNoTask = rpc.Invalid("there is no task with this id; it may have expired")

// subjectTask returns the id of the task that a request is about.
func subjectTask(m *rpc.Message) (string, bool) {
	params, _ := rpc.Members(m.Params)
	id, ok := rpc.Unquote(params["taskId"])
	return string(id), ok && params["taskId"] != nil
}

// refuseTasks refuses a method of tasks in a session.
func refuseTasks(*Session, *Request) *rpc.Error { return rpc.NotFound("") }

// taskID returns the id of the task that the request is about, if the client may ask.
func (r *Request) taskID() (string, *rpc.Error) {
	id, ok := subjectTask(r.Message)
	switch {
	case r.session.engine.board == nil:
		return "", rpc.NotFound("")
	case !r.Message.Tasks:
		return "", errNeedsTasks
	case !ok:
		return "", rpc.Invalid(`"taskId" must be a string`)
	}
	return id, nil
}

// owns reports whether a task belongs to a caller. Without authentication, the id alone gives access.
func owns(caller handler.Caller, t *wires.Task) bool { return t.Caller.Subject == caller.Subject }

// refuses returns the error for a task of another caller, or of a tool that the caller may not see or use any more.
func (b *board) refuses(caller handler.Caller, t *wires.Task) error {
	entry := b.engine.tools[t.Name]
	switch {
	case !owns(caller, t), entry != nil && !b.engine.Trust.Sees(caller, entry.Contract):
		return errNoTask
	case entry != nil:
		if err := lacksScopes(b.engine.Trust.Needs(caller, entry.Contract)); err != nil {
			return err
		}
	}
	return nil
}

// taskError returns the error for a client whose request about a task failed.
func (b *board) taskError(err error) *rpc.Error {
	if refused, ok := errors.AsType[*rpc.Error](err); ok {
		return refused
	}
	if errors.Is(err, tasks.ErrNotFound) {
		return errNoTask
	}
	b.engine.Log.Error("the store of tasks failed", "error", err)
	return &rpc.Error{Code: rpc.CodeInternal, Message: "the store of tasks cannot be reached; try again later"}
}

// getTask handles tasks/get.
func (r *Request) getTask() {
	t, err := r.findTask()
	if err != nil {
		r.fail(err)
		return
	}
	info := r.session.engine.wires.Info
	r.result(rpc.AppenderFunc(func(w *rpc.Writer) {
		r.Open(w, wires.Complete)
		t.AppendMembers(w, true)
		r.Meta(w, info, nil)
		w.End('}')
	}))
}

func (r *Request) findTask() (*wires.Task, *rpc.Error) {
	id, refused := r.taskID()
	if refused != nil {
		return nil, refused
	}
	return r.session.engine.board.lookUp(&r.span, id, r.caller)
}

// lookUp returns a task of a caller.
func (b *board) lookUp(ctx context.Context, id string, caller handler.Caller) (*wires.Task, *rpc.Error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	t, _, err := b.load(ctx, id)
	switch {
	case err != nil:
		return nil, b.taskError(err)
	}
	if err := b.refuses(caller, t); err != nil {
		return nil, b.taskError(err)
	}
	return t, nil
}

// errNoEffect prevents an update that would change nothing.
var errNoEffect = errors.New("no effect")

// changeTask changes a task for its caller, and answers the request, also if there is nothing to change. It returns the
// changed task, or nil.
func (r *Request) changeTask(id string, change func(*wires.Task) (time.Duration, error)) *wires.Task {
	e := r.session.engine
	t, err := e.board.update(id, func(t *wires.Task) (time.Duration, error) {
		if err := e.board.refuses(r.caller, t); err != nil {
			return 0, err
		}
		return change(t)
	})
	if err != nil && err != errNoEffect {
		r.fail(e.board.taskError(err))
		return nil
	}
	r.result(rpc.JSON(`{"resultType":"` + wires.Complete + `"}`)) // rmcp reads a result with _meta as that of a tool
	if err != nil {
		return nil
	}
	return t
}

// updateTask handles tasks/update. When all questions are answered, the task runs again.
func (r *Request) updateTask() {
	id, refused := r.taskID()
	if refused != nil {
		r.fail(refused)
		return
	}
	params, _ := rpc.Members(r.Message.Params)
	responses, ok := rpc.Members(params["inputResponses"])
	if !ok {
		r.fail(rpc.Invalid(`"inputResponses" must be an object`))
		return
	}
	b := r.session.engine.board
	t := r.changeTask(id, func(t *wires.Task) (time.Duration, error) {
		if t.Status != wires.InputRequired {
			return 0, errNoEffect
		}
		switch changed, err := t.Answer(responses); {
		case err != nil:
			return 0, rpc.Invalid(err.Error())
		case !changed:
			return 0, errNoEffect
		case len(t.Requests) > 0:
			return 0, nil
		}
		t.Status, t.Runner, t.Runs = wires.Working, rand.Text(), 1
		return b.lease(), nil
	})
	if t != nil && t.Status == wires.Working {
		b.proceed(t)
	}
}

// proceed runs a task of which this process is the runner, when the limit of concurrent calls permits.
func (b *board) proceed(t *wires.Task) {
	if b.engine.calls.try() {
		b.resume(t, false)
		return
	}
	go func() {
		if place := b.engine.calls.enter(); place != nil && !b.engine.calls.wait(place, b.over) {
			return // the lease ends
		}
		_, err := b.update(t.ID, func(now *wires.Task) (time.Duration, error) {
			if now.Status != wires.Working || now.Runner != t.Runner {
				return 0, errLost
			}
			return b.lease(), nil
		})
		if err != nil {
			b.engine.calls.done()
			return
		}
		b.resume(t, false)
	}()
}

// cancelTask handles tasks/cancel.
func (r *Request) cancelTask() {
	id, refused := r.taskID()
	if refused != nil {
		r.fail(refused)
		return
	}
	t := r.changeTask(id, func(t *wires.Task) (time.Duration, error) {
		if t.Ended() {
			return 0, errNoEffect
		}
		t.End(wires.Cancelled)
		t.Message = "the client canceled the task"
		return 0, nil
	})
	if t == nil {
		return
	}
	b := r.session.engine.board
	b.mu.Lock()
	defer b.mu.Unlock()
	if j := b.jobs[id]; j != nil {
		j.cancel(errFinished)
	}
}
