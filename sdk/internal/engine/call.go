package engine

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool"
)

func (r *Request) call() {
	e := r.session.engine
	if r.m.name == nil {
		r.fail(invalid(`"name" must be a string, the name of a tool`))
		return
	}
	if r.entry == nil {
		r.unknown(string(r.m.name))
		return
	}
	out := &outcome{r: r}
	if e.Extended() {
		r.watched(out)
		return
	}
	if err := r.run(&r.span, out); err != nil {
		r.fail(err)
		return
	}
	r.spend()
	r.result(out)
}

// unknown handles a call to a tool that is not in the contract.
func (r *Request) unknown(name string) {
	e := r.session.engine
	names := make([]string, 0, len(e.contracts))
	for _, c := range e.contracts {
		names = append(names, c.Name)
	}
	if e.Extended() {
		for _, other := range e.Extras.Tools(&r.span) {
			if other.Name == name {
				r.relay()
				return
			}
			names = append(names, other.Name)
		}
	}
	f := tool.Unknown(name, names) // with the nearest name
	if e.Reply != nil {
		// A JP host does not read protocol errors.
		r.result(&outcome{r: r, err: f})
		return
	}
	// The error for an unknown tool is a protocol error (MCP 2025-11-25 and 2026-07-28, Tools, Error
	// Handling).
	err := invalid(f.Message)
	if f.Details != nil {
		err.Data, _ = json.Marshal(f.Details) // strings cannot fail
	}
	r.fail(err)
}

// run runs a tool and stores its outcome in out. The error is a protocol error.
func (r *Request) run(ctx context.Context, out *outcome) *Error {
	report, stop := r.progress()
	defer stop()
	defer r.silence()

	call, err := r.admit()
	var later suspend
	if err == nil {
		call.Progress, call.CallerLog = report, r.callerLog()
		later, err = r.asking(&call)
	}
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused
	}
	if err == nil {
		out.result, err = r.entry.Tool.Run(ctx, call, r.session.engine.policy)
	}
	if pending, ok := errors.AsType[*question.Pending](err); ok && later != nil {
		out.asks, err = later(call, out.result, pending)
	}
	out.err = err
	return nil
}

// admit returns the request for the tool, with the settings that the caller is permitted to make.
func (r *Request) admit() (tool.Request, error) {
	e, entry := r.session.engine, r.entry
	var settings *trust.Settings
	if e.Meta != nil && e.Trust.Trusted && len(r.m.meta) > 0 {
		var err error
		if settings, err = e.Meta(r.m.meta); err != nil {
			return tool.Request{}, err
		}
	}
	call, err := e.Trust.Admit(entry.Contract, entry.old, r.session.principal, settings)
	call.ID, call.Arguments, call.Log = e.newID(), r.m.arguments, e.Log
	return call, err
}

// An outcome is the result of a tool call.
type outcome struct {
	r      *Request
	result tool.Result
	err    error
	asks   Appender // the questions, if a later round brings the answers; nil with a Reply
}
