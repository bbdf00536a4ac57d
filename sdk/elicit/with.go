package elicit

import (
	"encoding/json"

	"github.com/jptool/jptool/sdk/content"
)

// For returns the question about one of several things, under an id of its own:
// a JP host remembers an answer by tool and id, so consent for one subject would
// otherwise carry over to the next. The id is that of the question, a dash and
// the subject; a subject that cannot stand in an id is digested.
func (c Confirm) For(subject string) Confirm { return Confirm{c.q.about(subject)} }

// For is as [Confirm.For].
func (c Choice[T]) For(subject string) Choice[T] { return Choice[T]{c.q.about(subject)} }

// For is as [Confirm.For].
func (t Text) For(subject string) Text { return Text{t.q.about(subject)} }

// For is as [Confirm.For].
func (n Number) For(subject string) Number { return Number{n.q.about(subject)} }

// For is as [Confirm.For].
func (p Pick) For(subject string) Pick { return Pick{p.q.about(subject)} }

func (q Question) about(subject string) Question {
	if q.ID != "" {
		q.ID = subjectID(q.ID, subject)
	}
	return q
}

// Preamble returns the question with context to be shown before its message. A
// host may leave it out, so the message must stand alone.
func (c Confirm) Preamble(text string) Confirm { c.q.Preamble = text; return c }

// Preamble is as [Confirm.Preamble].
func (c Choice[T]) Preamble(text string) Choice[T] { c.q.Preamble = text; return c }

// Preamble is as [Confirm.Preamble].
func (t Text) Preamble(text string) Text { t.q.Preamble = text; return t }

// Preamble is as [Confirm.Preamble].
func (n Number) Preamble(text string) Number { n.q.Preamble = text; return n }

// Preamble is as [Confirm.Preamble].
func (p Pick) Preamble(text string) Pick { p.q.Preamble = text; return p }

// Show returns the question with content to be shown before its message, for hosts
// that tell blocks apart; the others show its text as the preamble.
func (c Confirm) Show(blocks ...content.Block) Confirm { c.q.Context = blocks; return c }

// Show is as [Confirm.Show].
func (c Choice[T]) Show(blocks ...content.Block) Choice[T] { c.q.Context = blocks; return c }

// Show is as [Confirm.Show].
func (t Text) Show(blocks ...content.Block) Text { t.q.Context = blocks; return t }

// Show is as [Confirm.Show].
func (n Number) Show(blocks ...content.Block) Number { n.q.Context = blocks; return n }

// Show is as [Confirm.Show].
func (p Pick) Show(blocks ...content.Block) Pick { p.q.Context = blocks; return p }

// Among returns the question with the values it accepts, in the order they are
// shown. They must be distinct and not empty, and there must be at least one.
func (p Pick) Among(values ...string) Pick {
	p.q.Options = make([]Option, len(values))
	for i, v := range values {
		p.q.Options[i] = Option{Value: v}
	}
	return p
}

// Default returns the question with the answer to use where nobody can be asked.
func (p Pick) Default(value string) Pick {
	// A string always encodes.
	data, _ := json.Marshal(value)
	p.q.Spec.Default = string(data)
	return p
}
