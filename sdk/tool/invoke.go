package tool

import (
	"context"
	"errors"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Invoke runs a handler in this process, without a server: the questions that bind makes
// are answered by asker while it waits, and its error is a *[fault.Error] of a code that
// every tool has or that fails holds. Generated code calls it.
func Invoke[Ask, Out any](ctx context.Context, name string, bind func(*question.Set) Ask, fails []fault.Code,
	asker question.Asker, handle func(context.Context, *Call, Ask) (Out, error)) (Out, error) {
	t := &Tool{name: name, questions: question.NewSet(name)}
	ask := bind(t.questions)
	call := newCall(name, &Request{Asker: asker})
	out, err := execute(withMemo(ctx, newMemo(nil)), t, call, func(ctx context.Context) (Out, error) {
		return handle(ctx, call, ask)
	})
	if pending, ok := errors.AsType[*question.Pending](err); ok {
		err = fault.Wrap(pending, fault.InputUnavailable, "question %q was not answered", pending.Question.ID)
	}
	if err != nil {
		var none Out
		return none, border(call, fails, err)
	}
	return out, nil
}
