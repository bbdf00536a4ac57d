package engine

import (
	"context"
	"errors"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool"
)

// call handles tools/call.
func (r *Request) call() {
	e := r.session.engine
	if !r.m.call.hasName {
		r.fail(invalid(`"name" must be a string, the name of a tool`))
		return
	}
	if r.entry.Tool == nil {
		r.unknown(string(r.m.call.name))
		return
	}
	out := &outcome{r: r}
	if e.added() != nil {
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
	if e.added() != nil {
		for _, other := range e.Extras.Tools(&r.span) {
			if other.Name == name {
				r.relay()
				return
			}
			names = append(names, other.Name)
		}
	}
	if e.Reply == nil {
		r.fail(unknownTool(name, names))
		return
	}
	// A JP host does not read protocol errors.
	r.result(&outcome{r: r, err: tool.Unknown(name, names)})
}

// run runs a tool and stores its outcome in out. The error is a protocol error.
func (r *Request) run(ctx context.Context, out *outcome) *Error {
	e := r.session.engine
	report, stop := r.progress()
	defer stop()
	defer r.silence()

	request, err := r.admit(r.entry)
	asking := r.asking(r.entry)
	if err == nil {
		request.Progress, request.CallerLog = report, r.callerLog()
		request, err = asking.before(request)
	}
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused
	}
	if err == nil {
		out.result, err = r.entry.Tool.Run(ctx, request, e.policy)
	}
	if pending, ok := errors.AsType[*question.Pending](err); ok {
		if out.asks, err = asking.pending(request, out.result, pending); err == nil {
			return nil
		}
	}
	out.err = err
	return nil
}

// admit returns the request for the tool, with the settings that the caller is permitted to make.
func (r *Request) admit(entry Entry) (tool.Request, error) {
	e := r.session.engine
	settings, err := r.settings()
	if err != nil {
		return tool.Request{}, err
	}
	request, err := e.Trust.Admit(entry.Contract, r.session.principal, settings)
	if entry.old != nil {
		request.Remarks = append(request.Remarks, tool.Deprecated(entry.Contract.Name, entry.old))
	}
	request.ID, request.Arguments, request.Log = e.newID(), r.m.call.arguments, e.Log
	return request, err
}

// settings parses the JP part of _meta. It returns nil if the caller is not trusted.
func (r *Request) settings() (*trust.Settings, error) {
	e := r.session.engine
	if e.Meta == nil || !e.Trust.Trusted || len(r.m.meta.text) == 0 {
		return nil, nil
	}
	return e.Meta(r.m.meta.text)
}

// An outcome is the result of a tool call.
type outcome struct {
	r      *Request
	result tool.Result
	err    error
	asks   Appender // set if a later round brings the answer to a question
}

// fault returns the fault of a failed call, or nil on success.
func (o *outcome) fault() *fault.Error { return fault.From(o.err) }
