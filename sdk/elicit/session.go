package elicit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/jptool/jptool/sdk/fault"
)

// ErrDeclined is in the chain of the error that Ask returns when somebody saw the
// question and declined to answer it.
var ErrDeclined = errors.New("declined")

// ErrCanceled is in the chain of the error that Ask returns when the question was
// dismissed without an answer.
var ErrCanceled = errors.New("canceled")

// A Pending is the error that Ask returns when the answer will only be there in a
// later run of the handler. A handler hands it on; nothing is lost if it does not.
type Pending struct {
	Question Question
}

// Error says which question is waiting.
func (p *Pending) Error() string {
	return fmt.Sprintf("question %q is waiting for its answer", p.Question.ID)
}

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
	// Wording is the [Question.Wording] that was answered, and "" where the caller
	// keeps the answers itself. An answer to another wording is not used.
	Wording string
}

// An Asker puts a question to somebody. It returns the answer, a *[Pending] if
// that will only be there in a later run, or another error.
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Later is the Asker of callers that run the tool again with the answer.
type Later struct {
	// Whole says that the caller can show a form as a whole.
	Whole bool
}

// Forms reports whether a form is asked as a whole.
func (l Later) Forms() bool { return l.Whole }

// Ask returns q as pending.
func (Later) Ask(_ context.Context, q Question) (Answer, error) {
	return Answer{}, &Pending{Question: q}
}

// A Session keeps the questions and answers of one run of a tool. It is safe for
// use by several goroutines, but holds at most one question at a time.
type Session struct {
	mu      sync.Mutex
	ref     Ref
	asker   Asker
	answers map[string]Answer
	open    *Question // being asked, or pending
	pending *Pending
	broken  error // the first error that a handler cannot overrule
	over    bool
}

// NewSession returns a session for one run of a tool. The answers that are
// already known, by question id, are not asked for again; answers to questions
// that the tool does not ask are ignored.
func NewSession(toolName, call string, asker Asker, answers map[string]Answer) *Session {
	s := &Session{ref: Ref{Tool: toolName, Call: call}, asker: asker}
	if len(answers) > 0 {
		s.answers = make(map[string]Answer, len(answers))
		for id, a := range answers {
			s.answers[id] = a
		}
	}
	return s
}

type sessionKey struct{}
type branchKey struct{}

// WithSession returns a context in which questions are asked through s.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// Branch returns a context in which asking is an error: for work whose result is
// a value, such as a sub-agent's, that must not turn to the user.
func Branch(ctx context.Context) context.Context {
	return context.WithValue(ctx, branchKey{}, true)
}

// Close ends the session and returns what it holds against the handler's own
// result: an error if a rule of asking was broken or an answer did not fit, else a *[Pending] if a
// question waits, else nil. Asking afterwards is an error.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if s.broken != nil {
		return s.broken
	}
	if s.pending != nil {
		return s.pending
	}
	return nil
}

// ask returns the content of an answer that fits q, trimmed.
func ask(ctx context.Context, q Question) (json.RawMessage, error) {
	if q.ID == "" {
		return nil, fault.New(fault.Internal, "a question was asked that is not bound to its tool; "+
			"questions come from the generated server")
	}
	s, ok := ctx.Value(sessionKey{}).(*Session)
	if !ok {
		return nil, fault.New(fault.Internal, "question %q was asked outside a tool call", q.ID)
	}
	if ctx.Value(branchKey{}) != nil {
		return nil, s.breach("question %q was asked in a branch; ask before branching and hand the answer in", q.ID)
	}
	answer, err := s.answer(ctx, q)
	if err != nil {
		return nil, err
	}
	switch answer.Action {
	case Decline:
		return nil, fault.Wrap(ErrDeclined, fault.InputDeclined, "question %q was declined: %s", q.ID, q.Message)
	case Cancel:
		return nil, fault.Wrap(ErrCanceled, fault.InputDeclined, "question %q was canceled: %s", q.ID, q.Message)
	}
	if err := q.Check(answer.Content); err != nil {
		return nil, s.breaks(err)
	}
	return bytes.TrimSpace(answer.Content), nil
}

func (s *Session) answer(ctx context.Context, q Question) (Answer, error) {
	s.mu.Lock()
	if a, ok := s.answers[q.ID]; ok && (a.Wording == "" || a.Wording == q.Wording()) {
		s.mu.Unlock()
		return a, nil
	}
	if s.over {
		s.mu.Unlock()
		return Answer{}, fault.New(fault.Internal, "question %q was asked after its call had ended", q.ID)
	}
	if s.pending != nil && s.pending.Question.ID == q.ID {
		defer s.mu.Unlock()
		return Answer{}, s.pending
	}
	if s.open != nil {
		other := s.open.ID
		s.mu.Unlock()
		return Answer{}, s.breach("question %q was asked while question %q was still open; ask one at a time and "+
			"return the error of the first", q.ID, other)
	}
	s.ref.Seq++
	q.Ref = s.ref
	q.Ref.Key = q.ID
	s.open = &q
	s.mu.Unlock()

	a, err := s.asker.Ask(ctx, q)

	s.mu.Lock()
	defer s.mu.Unlock()
	if pending, ok := errors.AsType[*Pending](err); ok {
		s.pending = pending
		return Answer{}, pending
	}
	s.open = nil
	if err != nil {
		return Answer{}, err
	}
	if s.answers == nil {
		s.answers = map[string]Answer{}
	}
	a.Wording = q.Wording()
	s.answers[q.ID] = a
	return a, nil
}

func (s *Session) breach(format string, args ...any) error {
	return s.breaks(fault.New(fault.Internal, format, args...))
}

// breaks records an error that ends the call even if the handler swallows it.
func (s *Session) breaks(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken == nil {
		s.broken = err
	}
	return err
}
