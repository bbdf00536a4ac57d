package elicit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
)

// A Form is a question answered by a flat struct: strings, constants, numbers and
// booleans. Where a protocol has forms it is one; on others each field is a
// question of its own, under the id of the form, a dash and the field's name.
//
// The default of a field is what hosts fill in beforehand (MCP 2025-11-25,
// Elicitation), and what a field has that was left out. The form itself has none:
// where nobody can be asked, it is not answered.
type Form[T any] struct {
	q    Question
	read func(json.RawMessage) (T, error)
}

// A Field is one field of a [Form]. Its ID is the field's name in JSON.
type Field struct {
	Spec
	Kind Kind
	// Options are what a choice accepts.
	Options []Option
	// Integer says that a number must be whole.
	Integer bool
	// Optional says that the field may be left out.
	Optional bool
}

// NewForm returns the question that spec declares; read makes a T of an answer
// that has been checked. Generated code calls it.
func NewForm[T any](spec Spec, read func(json.RawMessage) (T, error), fields ...Field) Form[T] {
	return Form[T]{q: Question{Spec: spec, Kind: KindForm, Fields: fields}, read: read}
}

// For is as [Confirm.For].
func (f Form[T]) For(subject string) Form[T] { f.q = f.q.about(subject); return f }

// Preamble is as [Confirm.Preamble].
func (f Form[T]) Preamble(text string) Form[T] { f.q.Preamble = text; return f }

// Show is as [Confirm.Show].
func (f Form[T]) Show(blocks ...content.Block) Form[T] { f.q.Context = blocks; return f }

// Ask asks as [Confirm.Ask] does and returns the struct.
func (f Form[T]) Ask(ctx context.Context, format string, args ...any) (T, error) {
	var zero T
	if f.read == nil {
		_, err := ask(ctx, f.q)
		return zero, err
	}
	object, err := f.answer(ctx, fmt.Sprintf(format, args...))
	if err != nil {
		return zero, err
	}
	value, err := f.read(object)
	if err != nil {
		return zero, fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q must be %s: %s", f.q.ID, f.q.Accepts(), err)
	}
	return value, nil
}

// answer returns the object that answers the form, asked as a whole or by fields.
func (f Form[T]) answer(ctx context.Context, message string) (json.RawMessage, error) {
	s, ok := ctx.Value(sessionKey{}).(*Session)
	if !ok || s.showsForms() || s.knows(f.q.ID) {
		return put(ctx, f.q, message)
	}
	var b bytes.Buffer
	for _, field := range f.q.Fields {
		answer, err := put(ctx, f.q.part(field), message+" "+field.Description)
		if err != nil {
			return nil, err
		}
		if field.Optional && string(answer) == `""` {
			continue
		}
		name, err := json.Marshal(field.ID)
		if err != nil {
			return nil, fault.Wrap(err, fault.Internal, "field %q has no JSON", field.ID)
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(field.plain(answer))
	}
	return json.RawMessage("{" + b.String() + "}"), nil
}

// part returns a field as a question of its own.
func (q Question) part(field Field) Question {
	one := field.question()
	one.ID, one.Preamble, one.Context = subjectID(q.ID, field.ID), q.Preamble, q.Context
	one.blank = field.Optional && (one.Kind == KindText || one.Kind == KindNumber)
	return one
}

func (f Field) question() Question {
	return Question{Spec: f.Spec, Kind: f.Kind, Options: f.Options, integer: f.Integer}
}

// plain returns the content of an answer as a field of an object: a number that
// came as text as a number.
func (f Field) plain(content []byte) []byte {
	if s, ok := text(content); ok && f.Kind == KindNumber {
		return []byte(s)
	}
	return content
}

// A formAsker is an Asker that says whether it can show a form as a whole.
type formAsker interface{ Forms() bool }

func (s *Session) showsForms() bool {
	a, ok := s.asker.(formAsker)
	return ok && a.Forms()
}

// knows reports whether there is an answer to the question of that id already.
func (s *Session) knows(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.answers[id]
	return ok
}
