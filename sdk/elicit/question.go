package elicit

import (
	"context"
	"encoding/json"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Confirm is a question answered by yes or no.
type Confirm struct{ base[Confirm, bool] }

// A Choice is a question answered by one of the declared constants of T.
type Choice[T ~string] struct{ base[Choice[T], T] }

// A Text is a question answered by a string.
type Text struct{ base[Text, string] }

// A Number is a question answered by a number.
type Number struct{ base[Number, float64] }

// A Pick is a question answered by one of a list that is made at run time.
type Pick struct{ base[Pick, string] }

// A Form is a question answered by a flat struct: strings, constants, numbers and
// booleans. Where a protocol has forms it is one; on others each field is a
// question of its own, under the id of the form, a dash and the field's name.
//
// The default of a field is what hosts fill in beforehand (MCP 2025-11-25,
// Elicitation), and what a field has that was left out. The form itself has none:
// where no one can be asked, it is not answered.
type Form[T any] struct{ base[Form[T], T] }

// base is what the questions of type Q, answered by a T, have in common.
type base[Q, T any] struct {
	q    question.Question
	read func(json.RawMessage) (T, error)
}

// Bound returns q as a question of type Q, whose answers read makes a T of. Generated
// code calls it, by package sdk/gen/bind.
func Bound[Q, T any](q question.Question, read func(json.RawMessage) (T, error)) Q {
	return as[Q](base[Q, T]{q, read})
}

// as returns b as a question of type Q, which embeds it.
func as[Q, T any](b base[Q, T]) (out Q) {
	if q, ok := any(&out).(interface{ set(base[Q, T]) }); ok {
		q.set(b)
	}
	return out
}

func (b *base[Q, T]) set(other base[Q, T]) { *b = other }

// Ask asks the user and returns the answer. The message is formatted as by
// [fmt.Sprintf] and folded to one line.
//
// The error is [ErrDeclined] or [ErrCanceled] in a fault of code input_declined, or
// input_unavailable where no one can be asked and no default is declared. Return it. A [Confirm] that was not answered ends the call with that error
// whatever the handler returns, unless it calls [Acknowledge].
//
// Where the answer will only be there in a later run, Ask does not return: it ends the
// goroutine as [runtime.Goexit] does, so that nothing after it happens before the user
// was asked. Deferred calls run. The same holds for an answer that does not fit, a call
// or a ctx that has ended, and a question that may not be asked: one that the tool does
// not declare, one in another goroutine than the handler's, a second text for the same
// question in one run. A deferred call that asks then ends there, too. A tool that declares
// no question is not ended: there Ask returns the fault, which ends the call all the same.
func (b base[Q, T]) Ask(ctx context.Context, format string, args ...any) (T, error) {
	var answer T
	err := question.Ask(ctx, b.q.Put(format, args...), func(content json.RawMessage) (err error) {
		answer, err = b.read(content)
		return err
	})
	return answer, err
}

// For returns the question about one of several things, under an id of its own:
// a JP host remembers an answer by tool and id, so consent for one subject would
// otherwise carry over to the next. The id is that of the question, a dash and
// the subject; a subject that cannot stand in an id is digested.
func (b base[Q, T]) For(subject string) Q {
	b.q = b.q.For(subject)
	return as[Q](b)
}

// Preamble returns the question with context to be shown before its message. A
// host may leave it out, so the message must stand alone.
func (b base[Q, T]) Preamble(text string) Q {
	b.q.Preamble = text
	return as[Q](b)
}

// Show returns the question with content to be shown before its message, for hosts
// that tell blocks apart; the others show its text as the preamble.
func (b base[Q, T]) Show(blocks ...content.Block) Q {
	b.q.Context = blocks
	return as[Q](b)
}

// Among returns the question with the values it accepts, in the order they are
// shown. They must be distinct and not empty, and there must be at least one.
func (p Pick) Among(values ...string) Pick {
	p.q.Options = make([]question.Option, len(values))
	for i, v := range values {
		p.q.Options[i] = question.Option{Value: v}
	}
	return p
}

// Default returns the question with the answer to use where no one can be asked.
func (p Pick) Default(value string) Pick {
	// A string always encodes.
	data, _ := json.Marshal(value)
	p.q.Spec.Default = string(data)
	return p
}

// ErrDeclined is in the chain of the error that Ask returns when a person saw the
// question and declined to answer it.
var ErrDeclined = question.ErrDeclined

// ErrCanceled is in the chain of the error that Ask returns when the question was
// dismissed without an answer.
var ErrCanceled = question.ErrCanceled

// Acknowledge reports whether err says that a question was declined, canceled or could
// not be asked, and if so tells the runtime that the handler goes on without the answer.
// Without it a [Confirm] that was not answered ends the call, whatever the handler
// returns.
//
//	ok, err := ask.Overwrite.Ask(ctx, "Overwrite %s?", name)
//	if elicit.Acknowledge(err) {
//		return "kept " + name, nil
//	}
func Acknowledge(err error) bool { return question.Acknowledge(err) }
