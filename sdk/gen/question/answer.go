package question

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jptool/jptool/internal/causes"
	"github.com/jptool/jptool/sdk/fault"
)

// ErrDeclined is wrapped by the error that Ask returns if the user declined to answer.
var ErrDeclined = errors.New("declined")

// ErrCanceled is wrapped by the error that Ask returns if the user dismissed the question.
var ErrCanceled = errors.New("canceled")

// An Action is the user's reaction to a question (MCP, Elicitation).
type Action int

// The actions that a user can take.
const (
	Accept  Action = iota // answered
	Decline               // refused to answer
	Cancel                // dismissed the question
)

// An Answer is the user's reaction to a question.
type Answer struct {
	Action Action
	// Content is the answer as JSON if the action is Accept.
	Content json.RawMessage
	// Person means that a person answered, as far as the protocol can tell.
	Person bool
	// Wording is the [Question.Wording] that was answered, or "" if the caller stores the answers
	// itself. An answer to a different wording is not used.
	Wording string
	// Message is the question in that wording. Reworded means that the wording has changed.
	Message  string
	Reworded bool

	configured string // the id under which it is configured, if no question is asked with that id
	fresh      bool   // was given in this run
}

// An Asker asks the user.
type Asker struct {
	// Ask returns the answer, a *[Pending] if it arrives in a later run, or another error.
	Ask func(ctx context.Context, q Question) (Answer, error)
	// Forms means that the asker can present a whole form, and ask several questions together.
	Forms bool
	// Person means that answers are known to come from a person.
	Person bool
	// Secrets means that the answer to a [KindSecret] is not echoed, and not seen by a model.
	Secrets bool
	// Exposed means that other programs can read the answers, so that an answer to a [KindSecret] is not accepted.
	Exposed bool
	// Visits means that the asker shows the page of a [KindVisit] to a person. Done is called when the
	// person has finished there; it may be nil.
	Visits bool
	Done   func(q Question)
	// Resend returns text that explains another way to send the answer to q; it may be nil.
	Resend func(q Question) string
}

// Later returns the asker for callers that run the tool again with the answer.
func Later(forms, person bool) Asker {
	return Asker{Forms: forms, Person: person, Ask: func(_ context.Context, q Question) (Answer, error) {
		return Answer{}, &Pending{Questions: []Question{q}}
	}}
}

// CannotAsk returns the asker for callers that cannot ask. It answers with the declared default or, if
// there is none, fails with [fault.InputUnavailable]. The function resend is used as in [Asker], but
// not for exclusive questions that every MCP client with elicitation can ask.
func CannotAsk(resend func(q Question) string) Asker {
	return Asker{Forms: true, Person: true, Resend: resend, Ask: func(_ context.Context, q Question) (Answer, error) {
		if q.Default != "" && q.Exclusive == "" {
			return Answer{Content: json.RawMessage(q.Default)}, nil
		}
		return Answer{}, unavailable(q, Asker{Person: true, Resend: resend})
	}}
}

// unavailable returns the error for a question that the asker cannot ask. It says what the user can do.
func unavailable(q Question, asker Asker) *fault.Error {
	reason, needs := "this client cannot ask", q.Kind.Traits().Needs
	switch {
	case q.Exclusive == ByPerson && !asker.Person:
		reason = "this client does not say whether a person answered"
	case needs == NeedsSecrecy:
		reason = "this protocol cannot ask for a secret, because it would show the answer"
	case needs == NeedsPage:
		reason = "this client cannot show the page to its user"
	}
	e := fault.New(fault.InputUnavailable, "this tool must ask question %q (%s), but %s. The answer must be %s.",
		q.ID, q.Message, reason, q.Accepts())
	switch {
	case q.Exclusive != "" && needs == NeedsNothing:
		e.Message += " A person must answer it. Tell the user: a client that supports MCP elicitation can ask this question."
	case q.Exclusive == ByPerson && needs == NeedsSecrecy: // a configured answer does not count
		e.Message += " A person must answer it. Tell the user: this tool cannot be used with this client."
	case asker.Resend != nil:
		e.Message += " " + asker.Resend(q)
	}
	e.Details = map[string]any{"question": q.ID, "message": q.Message, "expected": q.Accepts()}
	if needs != NeedsPage { // a host that only uses the schema would not show the page
		e.Details["schema"] = q.Schema()
	}
	if q.Preamble != "" {
		e.Details["preamble"] = q.Preamble
	}
	return e
}

// A Pending is the error of an [Asker] whose answer arrives in a later run of the handler.
type Pending struct {
	// Questions are the questions to ask, at least one. There are several only if the asker has Forms.
	Questions []Question
}

// Error names the pending questions.
func (p *Pending) Error() string {
	ids := p.IDs()
	if len(ids) == 1 {
		return fmt.Sprintf("question %q is waiting for its answer", ids[0])
	}
	return fmt.Sprintf("questions %q are waiting for their answers", ids)
}

// IDs returns the ids of the pending questions.
func (p *Pending) IDs() []string {
	ids := make([]string, len(p.Questions))
	for i, q := range p.Questions {
		ids[i] = q.ID
	}
	return ids
}

// A refusal is the cause of the error for unanswered questions. It wraps the reason.
type refusal struct {
	error
	of []*refusedAnswer
}

func (r *refusal) Unwrap() error { return r.error }

func refusedError(of []*refusedAnswer) error {
	err := mergeFaults(of)
	err.Cause = &refusal{cmp.Or(err.Cause, errors.New("unavailable")), of}
	return err
}

// unanswered returns the unanswered questions that caused err, or nil.
func unanswered(err error) []*refusedAnswer {
	if r, ok := causes.AsType[*refusal](err); ok {
		return r.of
	}
	return nil
}

// Acknowledge reports whether err is the error for an unanswered question. If so, the run may
// continue.
func Acknowledge(err error) bool {
	of := unanswered(err)
	for _, r := range of {
		r.acknowledged.Store(true)
	}
	return of != nil
}
