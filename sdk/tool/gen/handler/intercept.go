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

// intercept runs a handler with the decoded arguments within the interceptors of its server.
func (t *Tool) intercept(ctx context.Context, r *Run, read decodedInput, err error) (result Result, _ error) {
	round := r.round(string(r.kind()))
	if round.Contract = r.Contract; r.Offer == nil {
		round.Tool = t.name
	} else {
		round.URI, round.Action = r.Offer.URI, string(r.Offer.Action)
	}
	answered := slices.ContainsFunc(slices.Collect(maps.Keys(r.Answers)), t.questions.Has)
	round.First = r.Rounds == 0 && len(r.Once) == 0 && !answered
	if err == nil {
		round.Input, round.Options = valueOf(read.input), valueOf(read.options)
	}
	ended := r.within(ctx, round, func(ctx context.Context) error {
		var ended error
		result, ended = t.run(ctx, r, read, err)
		return ended
	})
	if ended != nil && tool.Asks(ended) == nil {
		result = Result{}
	}
	return result, ended
}

// Intercept runs serve within the interceptors of the server. serve answers a request for something that is not in the
// contract, which is a tool, a resource or a prompt, or one that runs no handler.
func (r *Run) Intercept(ctx context.Context, kind, name string, serve func(context.Context) error) error {
	r.begin(&Tool{name: name})
	round := r.round(kind)
	switch round.First = true; {
	case r.Offer != nil:
		round.Contract, round.URI, round.Action = r.Contract, r.Offer.URI, string(r.Offer.Action)
	case Kind(kind) == Callable:
		round.Tool = name
	case Kind(kind) == Resource:
		round.URI = name
	}
	return r.within(ctx, round, serve)
}

func (r *Run) round(kind string) *tool.Round {
	return &tool.Round{
		Kind: kind, Name: r.Tool(), ID: r.ID, Principal: r.Caller.Subject,
		Root: r.Root, WorkspaceID: r.WorkspaceID, ConversationID: r.ConversationID,
	}
}

// within runs next within the interceptors.
func (r *Run) within(ctx context.Context, round *tool.Round, next func(context.Context) error) error {
	for _, i := range slices.Backward(r.Rules.Interceptors) {
		inner := next
		next = func(ctx context.Context) error { return r.around(ctx, i, round, inner) }
	}
	return next(ctx)
}

// around runs an interceptor and returns the outcome of the round as the caller receives it. inner runs the
// handler or the next interceptor.
func (r *Run) around(ctx context.Context, i tool.Interceptor, round *tool.Round, inner func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var called atomic.Bool
	done := make(chan struct{})
	var ended error
	next := func(ctx context.Context) error {
		if called.Swap(true) {
			return fault.New(fault.Internal, "an interceptor called next twice for one round of %s %q, or after it had returned",
				round.Kind, round.Name)
		}
		defer close(done)
		ended = r.guard(func() error { return inner(ctx) }) // the context may be nil
		return ended
	}
	returned := make(chan error, 1)
	go func() { // runtime.Goexit must not end the goroutine that answers the caller
		var err error = errGone
		defer func() { returned <- err }()
		err = r.guard(func() error {
			err := i(ctx, round, next)
			inspect(err)
			return err
		})
	}()
	err := <-returned
	reason := ""
	if !called.Swap(true) {
		reason = "neither called next for %s %q nor returned an error"
	} else {
		select {
		case <-done:
		default:
			reason = "returned before next had returned for %s %q"
			cancel()
			<-done // no handler runs on after the outcome, except after its timeout
		}
	}
	switch {
	case reason != "" && err == nil:
		err = fault.New(fault.Internal, "an interceptor "+reason, round.Kind, round.Name)
	case err == nil || err == ended || tool.Asks(ended) != nil && causes.Is(err, ended):
		return ended
	}
	return border(r, false, err)
}

// valueOf returns the value that pointer points to, or nil for nil and a pointer to a [None].
func valueOf(pointer any) any {
	if _, none := pointer.(*None); none || pointer == nil {
		return nil
	}
	return reflect.ValueOf(pointer).Elem().Interface()
}
