package question

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/jptool/jptool/sdk/content"
)

// A Ref identifies a question that was asked.
type Ref struct {
	// Tool is the name of the tool.
	Tool string
	// Key is the declared id of the question, and Field the name of the field of a
	// form that is asked by itself, "" for none.
	Key, Field string
	// Subject is that of For, "" for none; several are joined by slashes.
	Subject string
	// Call identifies the run of the tool.
	Call string
	// Seq counts the questions of that run from 1.
	Seq int
}

// A Question is a question as it is put to somebody.
type Question struct {
	Spec
	Ref Ref
	// Message is the question itself: one line that stands alone, since a host
	// that lets a model answer shows it nothing else (JP RFD 028).
	Message string
	// Preamble is context to be shown before the message; "" for none.
	Preamble string
	// Context is the same as blocks, for hosts that tell them apart.
	Context content.Blocks

	set      *Set
	declared *Spec
	steps    []step
	blank    bool // a text or a number may be left empty
}

// Put returns q with its message formatted as by [fmt.Sprintf] and folded to one line.
func (q Question) Put(format string, args ...any) Question {
	message := fmt.Sprintf(format, args...)
	q.Message = oneLine(message)
	if q.Preamble == "" {
		q.Preamble = q.Context.Flatten()
	}
	if q.Message != message && q.Preamble == "" {
		q.Preamble = message
	}
	return q
}

// For returns q about a subject, under an id of its own.
func (q Question) For(subject string) Question { return q.at(step{name: subject}) }

func (q Question) at(next step) Question {
	if q.declared == nil {
		return q
	}
	q.steps = append(q.steps[:len(q.steps):len(q.steps)], next)
	q.ID = q.set.idOf(q.declared, q.steps)
	return q
}

// part returns a field of a form as a question of its own.
func (q Question) part(field Spec) Question {
	one := q.at(step{field: true, name: field.ID})
	id := one.ID
	one.Spec = field
	one.ID, one.Exclusive = id, q.Exclusive
	one.Message = oneLine(q.Message + " " + field.Description)
	one.blank = field.Optional && (one.Kind == KindText || one.Kind == KindNumber)
	return one
}

// question returns s without what it is asked about.
func (s Spec) question() Question { return Question{Spec: s} }

// ref returns the reference of q in a run of a tool.
func (q Question) ref(tool, call string, seq int) Ref {
	r := Ref{Tool: tool, Key: q.declared.ID, Call: call, Seq: seq}
	for _, at := range q.steps {
		if at.field {
			r.Field = at.name
		} else {
			r.Subject = strings.TrimPrefix(r.Subject+"/"+at.name, "/")
		}
	}
	return r
}

// oneLine returns text on one line, its blanks and control characters folded.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// Wording returns a digest of q as it was put: message, preamble and what it
// accepts. An answer holds for the wording it was given to.
func (q Question) Wording() string {
	h := sha256.New()
	for _, part := range []string{q.Kind.String(), q.Message, q.Preamble, q.Accepts()} {
		h.Write(strconv.AppendQuote(nil, part))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
