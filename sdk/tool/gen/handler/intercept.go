package handler

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/jptool/jptool/internal/causes"
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
		next = func(ctx context.Context) error { return call.around(ctx, i, round, inner) }
	}
	ended := next(ctx)
	if ended != nil && tool.Asks(ended) == nil {
		result = Result{}
	}
	return result, ended
}

// around runs an interceptor and returns the outcome of the round as the caller receives it. inner runs the
// handler or the next interceptor.
func (call *call) around(ctx context.Context, i tool.Interceptor, r *tool.Round, inner func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var called atomic.Bool
	done := make(chan struct{})
	var ended error
	next := func(ctx context.Context) error {
		if called.Swap(true) {
			return fault.New(fault.Internal, "an interceptor called next twice for one round of tool %q, or after it had returned", r.Tool)
		}
		defer close(done)
		ended = call.guard(func() error { return inner(ctx) }) // the context may be nil
		return ended
	}
	returned := make(chan error, 1)
	go func() { // runtime.Goexit must not end the goroutine that answers the caller
		var err error = errGone
		defer func() { returned <- err }()
		err = call.guard(func() error {
			err := i(ctx, r, next)
			inspect(err)
			return err
		})
	}()
	err := <-returned
	cancel()
	reason := ""
	if !called.Swap(true) {
		reason = "neither called next for tool %q nor returned an error"
	} else {
		select {
		case <-done:
		default:
			reason = "returned before next had returned for tool %q"
			<-done // no handler runs on after the outcome, except after its timeout
		}
	}
	switch {
	case reason != "" && err == nil:
		err = fault.New(fault.Internal, "an interceptor "+reason, r.Tool)
	case err == nil || err == ended || tool.Asks(ended) != nil && causes.Is(err, ended):
		return ended
	}
	return border(call, false, err)
}

// valueOf returns the value that pointer points to, or nil for nil and a pointer to a [None].
func valueOf(pointer any) any {
	if _, none := pointer.(*None); none || pointer == nil {
		return nil
	}
	return reflect.ValueOf(pointer).Elem().Interface()
}
