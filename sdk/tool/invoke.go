package tool

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// Invoke runs a handler in this process, without a server: its questions are
// answered by asker while it waits, and its error is a *[fault.Error]. Generated
// code calls it.
func Invoke[Out any](ctx context.Context, name string, asker elicit.Asker, handle func(context.Context, *Call) (Out, error)) (Out, error) {
	call := &Call{tool: name, request: Request{ID: rand.Text(), Log: slog.Default()}}
	session := elicit.NewSession(name, call.request.ID, asker, nil)
	ctx = withMemo(elicit.WithSession(ctx, session), newMemo(nil))

	var out, none Out
	err := guard(call, func() (err error) {
		out, err = handle(ctx, call)
		return err
	})
	if held := session.Close(); held != nil {
		err = held
	}
	if pending, ok := errors.AsType[*elicit.Pending](err); ok {
		err = fault.Wrap(pending, fault.InputUnavailable, "question %q was not answered", pending.Question.ID)
	}
	if err != nil {
		return none, fault.From(err)
	}
	return out, nil
}
