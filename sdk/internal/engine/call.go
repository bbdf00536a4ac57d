package engine

import (
	"context"
	"encoding/json"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/jp/jpbridge"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// call handles tools/call.
func (r *Request) call() {
	if r.Contract == nil {
		r.unknown(r.visible())
		return
	}
	r.serve()
}

// serve runs what the request is about, and answers.
func (r *Request) serve() {
	out, err := r.outcome(&r.span)
	if err != nil {
		r.fail(err)
		return
	}
	r.releaseMessage()
	r.result(out)
}

// outcome runs what the request is about, and returns the outcome or the task that the call has become.
func (r *Request) outcome(ctx context.Context) (rpc.Appender, *rpc.Error) {
	if r.Contract != nil && r.Contract.Task.Mode != "" {
		return r.runLong(ctx)
	}
	out := new(wires.Outcome)
	if err := r.run(ctx, out); err != nil {
		return nil, err
	}
	return out, nil
}

// unknown answers a call to a tool that does not exist, or that the caller may not see. names are the tools that the
// caller may see.
func (r *Request) unknown(names []string) {
	if r.Message.Name == nil {
		r.fail(rpc.Invalid(`"name" must be a string, the name of a tool`))
		return
	}
	f := handler.Unknown(handler.Callable, string(r.Message.Name), names) // with the nearest name
	if err := r.Wire.Refuse(f); err != nil {
		r.fail(err)
		return
	}
	r.result(r.Failed(f))
}

// visible returns the names of the tools of the contract that the caller may see.
func (r *Request) visible() []string {
	names := make([]string, 0, len(r.session.engine.contracts))
	for t := range r.tools {
		names = append(names, t.Name)
	}
	return names
}

// run runs a tool and stores its outcome in out. The error is a protocol error.
func (r *Request) run(ctx context.Context, out *wires.Outcome) *rpc.Error {
	if r.known != nil {
		*out = *r.Done(*r.known)
		return nil
	}
	report, stop := r.progress()
	defer stop()
	defer r.silence()
	run, err := r.admit()
	if err != nil {
		*out = *r.Failed(err)
		return r.refusal(out)
	}
	run.Progress, run.CallerLog = report, r.callerLog()
	if refused := out.Run(ctx, r.Wire, r.tool, run); refused != nil {
		return refused
	}
	return r.refusal(out)
}

// refusal returns the protocol error for an outcome. A fault of a tool is a result.
func (r *Request) refusal(out *wires.Outcome) *rpc.Error {
	if r.Offer == nil || out.Err == nil || tool.Asks(out.Err) != nil {
		return nil
	}
	return r.Failure(fault.From(out.Err))
}

// admit returns the run of the called tool, with what the caller may use.
func (r *Request) admit() (*handler.Run, error) {
	run, personal, err := r.session.engine.admit(r.Contract, r.Former, r.Message.Meta, r.caller)
	if personal { // no cache knows the settings
		r.Fresh = wires.Freshness{Private: true}
	}
	if err == nil {
		run.Arguments, run.Offer = r.Message.Arguments, r.Offer
	}
	return run, err
}

// admit returns a run of a tool. A caller that the server trusts may set something in _meta; personal means that it did.
func (e *Engine) admit(
	contract *manifest.Tool, former *manifest.Alias, meta json.RawMessage, caller handler.Caller,
) (run *handler.Run, personal bool, err error) {
	var settings *trust.Settings
	if e.Trust.Trusted && len(meta) > 0 {
		if settings, err = jpbridge.Read(meta); err != nil {
			return nil, false, err
		}
	}
	grant, err := e.Trust.Admit(contract, former, settings)
	if err != nil {
		return nil, settings != nil, err
	}
	run = &handler.Run{Contract: contract, Rules: e.Rules}
	run.ID, run.Caller, run.Grant, run.Log = e.newID(), caller, grant, e.Log
	return run, settings != nil, nil
}
