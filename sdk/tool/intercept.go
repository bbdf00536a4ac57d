package tool

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// An Interceptor stands around the calls of a server's tools: it authorizes, measures or
// records them. It sees every call of every wire, at every door and in process, also those
// whose arguments are wrong. Each function may be nil, and is called from several
// goroutines.
//
// A call of which the client answers questions in later requests is run again with each
// answer: one logical call has several rounds then.
type Interceptor struct {
	// Begin is called once for a logical call, before its first round. An error refuses the
	// call. Where a host keeps answers and sends them along, as JP does, a call that begins
	// with an answer to a question of the tool is taken for a later round, so that what must
	// hold for every call belongs in Round.
	Begin func(ctx context.Context, r *Round) error
	// Round is called once for each round, and runs it by next. It returns the error of next,
	// or one of its own, which then is how the round ends; nil changes nothing. Without a call
	// of next its error refuses the round.
	Round func(ctx context.Context, r *Round, next func(context.Context) error) error
	// End is called once for a logical call, after the round that does not end in a question:
	// with nil for a result, and else with the error that the caller is told.
	End func(ctx context.Context, r *Round, err error)
}

// A Round is one run of a tool, as an interceptor sees it. An interceptor's errors with a
// code are told the caller as they are, whatever codes the tool declares; others are
// [fault.Internal].
type Round struct {
	// Contract is what the server publishes of the tool, which nobody may change.
	Contract *manifest.Tool
	// Tool is its name, ID identifies the run in logs.
	Tool, ID string
	// Principal is who calls, "" where the door does not tell.
	Principal string
	// Root, WorkspaceID and ConversationID describe where the caller works.
	Root, WorkspaceID, ConversationID string
	// First says that no round went before.
	First bool
	// Input and Options are the structs of the handler, nil if it takes none or the call
	// does not fit them.
	Input, Options any
}

// Asks returns the question that a round ended with, if that is how it ended.
func Asks(err error) (question.Ref, bool) {
	if pending, ok := errors.AsType[*question.Pending](err); ok {
		return pending.Question.Ref, true
	}
	return question.Ref{}, false
}

// first reports whether a request is the first of its logical call.
func (t *Tool) first(r Request) bool {
	if r.Rounds > 0 || len(r.Once) > 0 {
		return false
	}
	for id := range r.Answers {
		if t.questions.Has(id) {
			return false
		}
	}
	return true
}

// intercepted runs what was read within the interceptors of its call.
func (t *Tool) intercepted(ctx context.Context, call *Call, read reading, err error) (result Result, _ error) {
	r := &call.request
	round := &Round{
		Contract: r.Contract, Tool: t.name, ID: r.ID, Principal: r.Principal,
		Root: r.Root, WorkspaceID: r.WorkspaceID, ConversationID: r.ConversationID,
		First: t.first(*r),
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
		next = func(ctx context.Context) error { return i.around(ctx, call, round, inner) }
	}
	ended := next(ctx)
	if _, asks := Asks(ended); ended != nil && !asks {
		result = Result{}
	}
	return result, ended
}

// around runs a round by next.
func (i Interceptor) around(ctx context.Context, call *Call, r *Round, next func(context.Context) error) error {
	err := i.within(ctx, call, r, next)
	if _, asks := Asks(err); asks || i.End == nil {
		return err
	}
	_, crash := recovered(call, func() (None, error) { i.End(ctx, r, err); return None{}, nil })
	return cmp.Or(crash, err)
}

// within runs a round within Begin and Round. An error of theirs is returned as the caller
// is told it.
func (i Interceptor) within(ctx context.Context, call *Call, r *Round, next func(context.Context) error) error {
	own := func(f func() error) error {
		_, err := recovered(call, func() (None, error) { return None{}, f() })
		return err
	}
	tell := func(err error) error { return border(call, []fault.Code{fault.CodeOf(err)}, err) }
	if r.First && i.Begin != nil {
		if err := own(func() error { return i.Begin(ctx, r) }); err != nil {
			return tell(err)
		}
	}
	if i.Round == nil {
		return next(ctx)
	}
	ran, ended := false, error(nil)
	err := own(func() error {
		return i.Round(ctx, r, func(ctx context.Context) error {
			if ran {
				return fault.New(fault.Internal, "an interceptor ran a round of tool %q twice", r.Tool)
			}
			ran = true
			ended = next(ctx)
			return ended
		})
	})
	switch {
	case !ran && err == nil:
		return tell(fault.New(fault.Internal, "an interceptor neither ran tool %q nor returned an error", r.Tool))
	case err == nil || err == ended:
		return ended
	}
	if _, asks := Asks(err); asks {
		return ended
	}
	return tell(err)
}

// valueOf returns what a pointer of a reading points to, nil for nothing and for [None].
func valueOf(pointer any) any {
	if _, none := pointer.(*None); none || pointer == nil {
		return nil
	}
	return reflect.ValueOf(pointer).Elem().Interface()
}
