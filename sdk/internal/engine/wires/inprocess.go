package wires

import (
	"context"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// inProcess asks a function of the program, which reads the outcome itself.
type inProcess struct{ answer bind.Answerer }

// CallInProcess runs a handler in this process. answer answers its questions; nil means that the program cannot ask.
func CallInProcess(ctx context.Context, answer bind.Answerer, t *handler.Tool, run *handler.Run) (handler.Result, error) {
	var o Outcome
	if refused := o.Run(ctx, inProcess{answer}, t, run); refused != nil {
		return handler.Result{}, refused
	}
	return o.Result, o.Err
}

// Begin sets the asker.
func (p inProcess) Begin(run *handler.Run, _ *Outcome) error {
	if p.answer != nil {
		run.Asker = bind.Asker(run.Arguments, p.answer)
	}
	return nil
}

// End returns a fault for a question that has no answer.
func (p inProcess) End(_ *handler.Run, o *Outcome) { o.Err = handler.Unanswered(o.Err) }

// Render appends nothing: the program has the outcome.
func (p inProcess) Render(*rpc.Writer, *Outcome) {}

// Refuse returns nil, because the program reads the fault.
func (p inProcess) Refuse(*fault.Error) *rpc.Error { return nil }
