package question

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jptool/jptool/sdk/fault"
)

// ErrDeclined is in the chain of the error that Ask returns when a person saw the
// question and declined to answer it.
var ErrDeclined = errors.New("declined")

// ErrCanceled is in the chain of the error that Ask returns when the question was
// dismissed without an answer.
var ErrCanceled = errors.New("canceled")

// An Action is what somebody did with a question (MCP, Elicitation).
type Action int

// The actions.
const (
	Accept  Action = iota // answered it
	Decline               // refused to answer
	Cancel                // dismissed it
)

// An Answer is what came back for a question.
type Answer struct {
	Action Action
	// Content is the answer as JSON, for Accept.
	Content json.RawMessage
	// Person says that a person gave it, as far as the wire can tell.
	Person bool
	// Wording is the [Question.Wording] that was answered, and "" where the caller
	// keeps the answers itself. An answer to another wording is not used.
	Wording string
	// Message is the text of that wording, and Reworded says that the question had been
	// asked in another wording before.
	Message  string
	Reworded bool
}

// An Asker puts questions to somebody.
type Asker struct {
	// Ask returns the answer, a *[Pending] if that will only be there in a later run,
	// or another error.
	Ask func(ctx context.Context, q Question) (Answer, error)
	// Forms says that a form is shown as a whole.
	Forms bool
	// Person says that the answers are known to be a person's.
	Person bool
}

// Later returns the asker of callers that run the tool again with the answer.
func Later(forms, person bool) Asker {
	return Asker{Forms: forms, Person: person, Ask: func(_ context.Context, q Question) (Answer, error) {
		return Answer{}, &Pending{Question: q}
	}}
}

// Nobody returns the asker of callers that cannot ask: it answers by the declared
// default, and fails without one with an [fault.InputUnavailable] that names the
// question and what it accepts. Resend says how the call is made again with the
// answer to the question of an id; nil says nothing. An exclusive question has no default
// and is not for a caller to answer, so that resend is not asked about it.
func Nobody(resend func(id string) string) Asker {
	return Asker{Forms: true, Person: true, Ask: func(_ context.Context, q Question) (Answer, error) {
		if q.Default != "" && q.Exclusive == "" {
			return Answer{Content: json.RawMessage(q.Default)}, nil
		}
		return Answer{}, unavailable(q, resend)
	}}
}

func unavailable(q Question, resend func(id string) string) *fault.Error {
	e := fault.New(fault.InputUnavailable, "this tool must ask question %q and this client cannot ask: %s It accepts %s.",
		q.ID, q.Message, q.Accepts())
	switch {
	case q.Exclusive != "":
		e.Message += " A person must answer it: use a client that can ask its user."
	case resend != nil:
		e.Message += " " + resend(q.ID)
	}
	e.Details = map[string]any{"question": q.ID, "message": q.Message, "expected": q.Accepts(), "schema": q.Schema()}
	if q.Preamble != "" {
		e.Details["preamble"] = q.Preamble
	}
	return e
}

// A Pending is the error of an [Asker] whose answer will only be there in a later run
// of the handler.
type Pending struct {
	Question Question
	// Reworded says that the question was answered before, in another wording.
	Reworded bool
}

// Error says which question is waiting.
func (p *Pending) Error() string {
	return fmt.Sprintf("question %q is waiting for its answer", p.Question.ID)
}

// A refusal is the cause of the error of a question that has no answer: a person declined
// or dismissed it, or no one could be asked.
type refusal struct {
	session *Session
	id      string
	reason  error // nil if no one could be asked
}

func (r *refusal) Error() string {
	if r.reason == nil {
		return "unavailable"
	}
	return r.reason.Error()
}

func (r *refusal) Unwrap() error { return r.reason }

// Acknowledge reports whether err says that a question was declined, canceled or could
// not be asked, and if so lets the run go on without the answer.
func Acknowledge(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	if !ok {
		return false
	}
	r.session.acknowledge(r.id)
	return true
}
