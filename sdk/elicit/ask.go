package elicit

import (
	"context"
	"fmt"

	"github.com/jptool/jptool/sdk/fault"
)

// A Confirm is a question answered by yes or no.
type Confirm struct{ q Question }

// A Choice is a question answered by one of the declared constants of T.
type Choice[T ~string] struct{ q Question }

// A Text is a question answered by a string.
type Text struct{ q Question }

// A Number is a question answered by a number.
type Number struct{ q Question }

// A Pick is a question answered by one of a list that is made at run time.
type Pick struct{ q Question }

// NewConfirm returns the question that spec declares. Generated code calls it.
func NewConfirm(spec Spec) Confirm { return Confirm{Question{Spec: spec, Kind: KindConfirm}} }

// NewChoice returns the question that spec declares, to be answered by one of
// values. Generated code calls it.
func NewChoice[T ~string](spec Spec, values ...Labeled[T]) Choice[T] {
	q := Question{Spec: spec, Kind: KindChoice, Options: make([]Option, len(values))}
	for i, v := range values {
		q.Options[i] = Option{Value: string(v.value), Description: v.description}
	}
	return Choice[T]{q}
}

// A Labeled is a constant with its description.
type Labeled[T ~string] struct {
	value       T
	description string
}

// Value pairs a constant with the description of it.
func Value[T ~string](value T, description string) Labeled[T] {
	return Labeled[T]{value, description}
}

// NewText returns the question that spec declares. Generated code calls it.
func NewText(spec Spec) Text { return Text{Question{Spec: spec, Kind: KindText}} }

// NewNumber returns the question that spec declares. Generated code calls it.
func NewNumber(spec Spec) Number { return Number{Question{Spec: spec, Kind: KindNumber}} }

// NewPick returns the question that spec declares. Generated code calls it.
func NewPick(spec Spec) Pick { return Pick{Question{Spec: spec, Kind: KindPick}} }

// Ask asks, with a message formatted as by [fmt.Sprintf] and folded to one line.
// The error is to be handed on: a *[Pending], a fault of code input_declined
// around [ErrDeclined] or [ErrCanceled], input_unavailable where nobody can be
// asked and no default is declared, or invalid_answer.
func (c Confirm) Ask(ctx context.Context, format string, args ...any) (bool, error) {
	answer, err := put(ctx, c.q, fmt.Sprintf(format, args...))
	return string(answer) == "true", err
}

// Ask asks as [Confirm.Ask] does and returns one of the declared constants.
func (c Choice[T]) Ask(ctx context.Context, format string, args ...any) (T, error) {
	answer, err := put(ctx, c.q, fmt.Sprintf(format, args...))
	s, _ := text(answer)
	return T(s), err
}

// Ask asks as [Confirm.Ask] does and returns the text.
func (t Text) Ask(ctx context.Context, format string, args ...any) (string, error) {
	answer, err := put(ctx, t.q, fmt.Sprintf(format, args...))
	s, _ := text(answer)
	return s, err
}

// Ask asks as [Confirm.Ask] does and returns the number.
func (n Number) Ask(ctx context.Context, format string, args ...any) (float64, error) {
	answer, err := put(ctx, n.q, fmt.Sprintf(format, args...))
	f, _ := number(answer)
	return f, err
}

// Ask asks as [Confirm.Ask] does and returns one of the values given to [Pick.Among].
func (p Pick) Ask(ctx context.Context, format string, args ...any) (string, error) {
	message := fmt.Sprintf(format, args...)
	seen := make(map[string]bool, len(p.q.Options))
	for _, o := range p.q.Options {
		if o.Value == "" || seen[o.Value] {
			return "", fault.New(fault.Internal, "question %q offers %q, which is empty or offered twice", p.q.ID, o.Value)
		}
		seen[o.Value] = true
	}
	if len(seen) == 0 {
		return "", fault.New(fault.Internal, "question %q offers nothing to pick from", p.q.ID)
	}
	answer, err := put(ctx, p.q, message)
	s, _ := text(answer)
	return s, err
}

// put asks q with message, as one line.
func put(ctx context.Context, q Question, message string) ([]byte, error) {
	q.Message = oneLine(message)
	if q.Preamble == "" {
		q.Preamble = q.Context.Flatten()
	}
	if q.Message != message && q.Preamble == "" {
		q.Preamble = message
	}
	return ask(ctx, q)
}
