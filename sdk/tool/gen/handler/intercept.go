package handler

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// intercept runs a handler with the decoded arguments within the interceptors of its call.
func (t *Tool) intercept(ctx context.Context, call *call, read decodedInput, err error) (result Result, _ error) {
	r := &call.request
	round := &tool.Round{
		Contract: r.Contract, Tool: t.name, ID: r.ID, Principal: r.Principal,
		Root: r.Root, WorkspaceID: r.WorkspaceID, ConversationID: r.ConversationID,
		First: r.Rounds == 0 && len(r.Once) == 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(r.Answers)), t.questions.Has),
	}
	if err == nil {
		round.Input, round.Options = valueOf(read.input), valueOf(read.options)
	}
	next := func(ctx context.Context) error {
		var ended error
		result, ended = t.run(ctx, call, read, err)
		return ended
	}
	for _, i := range slices.Backward(r.Interceptors) {
		inner := next
		next = func(ctx context.Context) error {
			err := call.around(ctx, i, round, inner)
			if i.End == nil || tool.Asks(err) != nil {
				return err
			}
			return cmp.Or(call.guard(func() error {
				i.End(ctx, round, err)
				return nil
			}), err)
		}
	}
	ended := next(ctx)
	if ended != nil && tool.Asks(ended) == nil {
		result = Result{}
	}
	return result, ended
}

// around calls Begin and Round of an interceptor, and returns their errors as the caller receives them. next runs the
// handler or the next interceptor.
func (call *call) around(ctx context.Context, i tool.Interceptor, r *tool.Round, next func(context.Context) error) error {
	rejected := func(err error) error { return border(call, []fault.Code{fault.CodeOf(err)}, err) }
	if r.First && i.Begin != nil {
		if err := call.guard(func() error { return i.Begin(ctx, r) }); err != nil {
			return rejected(err)
		}
	}
	if i.Round == nil {
		return next(ctx)
	}
	ran, ended := false, error(nil)
	err := call.guard(func() error {
		return i.Round(ctx, r, func(ctx context.Context) error {
			if ran {
				return fault.New(fault.Internal, "an interceptor called next twice for one round of tool %q", r.Tool)
			}
			ran = true
			ended = next(ctx)
			return ended
		})
	})
	switch {
	case !ran && err == nil:
		return rejected(fault.New(fault.Internal, "an interceptor neither called next for tool %q nor returned an error", r.Tool))
	case err == nil || err == ended || tool.Asks(err) != nil:
		return ended
	}
	return rejected(err)
}

// valueOf returns the value that pointer points to, or nil for nil and a pointer to a [None].
func valueOf(pointer any) any {
	if _, none := pointer.(*None); none || pointer == nil {
		return nil
	}
	return reflect.ValueOf(pointer).Elem().Interface()
}
