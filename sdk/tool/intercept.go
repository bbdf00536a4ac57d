package tool

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// An Interceptor runs around the calls to a server's tools, for example to authorize, measure or
// record them. It sees every call over every protocol and transport, including in-process calls and
// calls with invalid arguments. Each function may be nil, and must be safe for concurrent use.
//
// If the client answers questions in later requests, the handler runs again with each answer: one
// logical call has several rounds.
type Interceptor struct {
	// Begin is called once for a logical call, before its first round. An error rejects the call.
	// Hosts such as JP store answers and send them with every call. A call that starts with an
	// answer to one of the tool's questions counts as a later round. Checks that must hold for every
	// call therefore belong in Round.
	Begin func(ctx context.Context, r *Round) error
	// Round is called once for each round, and runs it by calling next. It returns the error from
	// next, or an error that replaces it or that rejects the round before next is called.
	Round func(ctx context.Context, r *Round, next func(context.Context) error) error
	// End is called once for a logical call, after its last round. err is the error that the caller
	// receives, or nil if the call has a result. End is not called if the client ends a call by never
	// answering a question, as JP does if the user declines.
	End func(ctx context.Context, r *Round, err error)
}

// A Round is one run of a tool as an interceptor sees it. Faults that an interceptor returns reach
// the caller, whatever codes the tool declares; other errors become [fault.Internal].
type Round struct {
	Contract  *manifest.Tool // the published contract of the tool, which must not be modified
	Tool, ID  string         // the name of the tool, and the id of the run in logs
	Principal string         // the authenticated caller, or "" if unknown
	First     bool           // whether this is the first round
	// Input and Options are the structs that the handler receives. They are nil if it takes none or
	// if the arguments are invalid.
	Input, Options                    any
	Root, WorkspaceID, ConversationID string // the caller's workspace
}

// Asks returns the questions that a round ended with, or nil if it ended without a question.
func Asks(err error) (asked []question.Ref) {
	if pending, ok := errors.AsType[*question.Pending](err); ok {
		for _, q := range pending.Questions {
			asked = append(asked, q.Ref)
		}
	}
	return asked
}

// intercept runs a handler with the decoded arguments within the interceptors of its call.
func (t *Tool) intercept(ctx context.Context, call *Call, read decodedInput, err error) (result Result, _ error) {
	r := &call.request
	round := &Round{
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
			err := i.intercept(ctx, call, round, inner)
			if i.End == nil || Asks(err) != nil {
				return err
			}
			return cmp.Or(call.guard(func() error {
				i.End(ctx, round, err)
				return nil
			}), err)
		}
	}
	ended := next(ctx)
	if ended != nil && Asks(ended) == nil {
		result = Result{}
	}
	return result, ended
}

// intercept calls Begin and Round, and returns their errors as the caller receives them. next runs the
// handler or the next interceptor.
func (i Interceptor) intercept(ctx context.Context, call *Call, r *Round, next func(context.Context) error) error {
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
	case err == nil || err == ended || Asks(err) != nil:
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
