package engine

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tasks"
)

// errNeedsTasks is the error for clients that do not declare the extension (MCP 2026-07-28, Missing Required Client
// Capability).
var errNeedsTasks = &rpc.Error{
	Code: rpc.CodeMissingCapability, Message: "the client must support the extension " + rpc.ExtensionTasks,
	Data: json.RawMessage(`{"requiredCapabilities":{"extensions":{"` + rpc.ExtensionTasks + `":{}}}}`),
}

// runLong runs a tool whose calls can become tasks, and returns the outcome or the task.
func (r *Request) runLong(ctx context.Context) (rpc.Appender, *rpc.Error) {
	e, terms := r.session.engine, r.Contract.Task
	long := r.Has(wires.Stateless) && r.Message.Tasks && e.board != nil && e.JP == ""
	if !long && terms.Mode == manifest.TaskRequired {
		return nil, errNeedsTasks
	}
	out := new(wires.Outcome)
	if !long {
		if err := r.run(ctx, out); err != nil {
			return nil, err
		}
		return out, nil
	}
	report, stop := r.progress()
	defer stop()
	defer r.silence()
	run, err := r.admit()
	if err != nil {
		return r.Failed(err), nil
	}
	j, inner := e.board.newRun(ctx)
	j.report = report
	// The message is released when the request is answered.
	arguments := slices.Clone(r.Message.Arguments)
	run.Arguments, run.Origin, run.Keeper, run.Progress = arguments, rand.Text(), j, j.progress
	if log := r.callerLog(); log != nil {
		run.CallerLog = taskLog{log, j}
	}
	wire := r.TaskWire()
	if refused := out.Begin(wire, run); refused != nil {
		return nil, refused
	}
	t := r.newTask(arguments, run.Origin)
	work := func() {
		defer j.cancel(nil)
		j.run(inner, out, r.tool, run, false)
	}
	var promote <-chan time.Time // nil for a call that remains one
	if terms.After > 0 {
		promote = time.After(time.Duration(terms.After) * time.Millisecond)
	} else if err := r.become(j, t, wire, out); err == nil {
		go work()
		return r.created(&j.seed), nil
	} else if terms.Mode == manifest.TaskRequired {
		return r.Failed(err), nil
	}
	go work()
	for {
		select {
		case <-j.done:
			return out, nil
		case <-ctx.Done():
			j.cancel(ctx.Err())
			<-j.done
			return out, nil
		case <-promote:
			promote = nil
			if r.become(j, t, wire, out) == nil {
				return r.created(&j.seed), nil
			}
		}
	}
}

// become makes the call a task, which keeps the call's place among the running calls. The error is a fault.
func (r *Request) become(j *longRun, t *wires.Task, w wires.Wire, out *wires.Outcome) error {
	e := r.session.engine
	switch err := j.become(t, w, out); {
	case err == nil:
		r.isTask = true
		return nil
	case errors.Is(err, tasks.ErrFull):
		f := fault.Wrap(err, fault.Unavailable, "the caller has too many tasks: at most %d are kept; try again later", e.board.Quota)
		f.Transient = true
		return f
	case err == errFinished:
		return err
	default:
		e.Log.Warn("a task cannot be stored", "tool", r.Contract.Name, "error", err)
		return fault.Wrap(err, fault.Unavailable, "the server cannot store the task; try again later")
	}
}

// newTask returns the task that the call can become.
func (r *Request) newTask(arguments json.RawMessage, origin string) *wires.Task {
	terms := r.Contract.Task
	t := &wires.Task{
		Name: strings.Clone(string(r.Message.Name)), Arguments: arguments, Caller: r.caller, Client: r.Client,
		Origin: origin, TTL: terms.TTL, Poll: terms.Poll,
	}
	t.Caller.Face = nil // it decides only what the caller can call
	if r.level != nil {
		t.Level = r.level.name
	}
	if r.session.engine.Trust.Trusted {
		settings := slices.DeleteFunc(rawjson.Parts(jsontext.Value(r.Message.Meta)), func(m rawjson.Member) bool {
			return !strings.HasPrefix(m.Name, "computer.jp/")
		})
		if len(settings) > 0 {
			t.Settings = json.RawMessage(rawjson.Object(settings))
		}
	}
	return t
}

// created returns the result of a call that has become a task. seed is the task as it was created.
func (r *Request) created(seed *wires.Task) rpc.Appender {
	info := r.session.engine.wires.Info
	return rpc.AppenderFunc(func(w *rpc.Writer) {
		r.Open(w, "task")
		seed.AppendMembers(w, false)
		w.Name("content").Raw("[]") // MCP's schema, without the extension, requires it in a result of tools/call
		r.Meta(w, info, nil)
		w.End('}')
	})
}
