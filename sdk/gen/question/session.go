package question

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
)

// MaxRounds is the default maximum number of questions in a call.
const MaxRounds = 100

// repeats limits how many times a run may ask, as a multiple of the maximum number of questions. It ends
// loops over answers that are already known.
const repeats = 10

// A Run describes one run of a tool.
type Run struct {
	// Tool is the name of the tool; Call is the id of the run.
	Tool, Call string
	// Questions is the set of questions that the tool may ask, or nil for a tool without questions.
	Questions *Set
	// Asker answers new questions.
	Asker Asker
	// Answers are the known answers by question id. Answers to other questions are ignored.
	Answers map[string]Answer
	// Rounds is the number of questions that earlier runs of the call asked.
	Rounds int
	// MaxRounds is the maximum number of questions in a call; 0 means [MaxRounds].
	MaxRounds int
	// Told is called with the result of each question, and whether the answer was known before; it may
	// be nil.
	Told func(q Question, action Action, known bool, err error)
	// Memo is a value that the function [Memo] returns during the run.
	Memo any
}

// A Session tracks the questions and answers of one run. It is safe for concurrent use, and
// has at most one open question.
type Session struct {
	run      Run
	ctx      context.Context
	observer func(Question)
	owner    atomic.Uint64         // the goroutine that Ask may end; 0 means none
	broken   atomic.Pointer[error] // the first error that the handler cannot override

	mu      sync.Mutex
	answers map[string]Answer
	asked   map[string]wording // the questions of this run by id
	calls   int
	seq     int
	open    *Question // being asked or pending
	pending *Pending
	refused []*refusedAnswer // in the order of questions
	over    bool
}

// A wording identifies the text of a question.
type wording struct{ digest, message string }

// A refusedAnswer is an unanswered question of this run.
type refusedAnswer struct {
	id           string
	confirm      bool
	acknowledged bool
	fault        *fault.Error
}

// NewSession returns a session that ends with ctx.
func NewSession(ctx context.Context, run Run) *Session {
	if run.MaxRounds == 0 {
		run.MaxRounds = MaxRounds
	}
	if !run.Asker.Person { // with hosts that store answers, each answer is a round
		for id := range run.Answers {
			if run.Questions.Has(id) {
				run.Rounds++
			}
		}
	}
	observer, _ := ctx.Value(observerKey{}).(func(Question))
	return &Session{run: run, ctx: ctx, observer: observer}
}

// Memo returns the Memo of the session in ctx, or nil if there is no session.
func Memo(ctx context.Context) any {
	switch s := ctx.Value(sessionKey{}).(type) {
	case *Session:
		return s.run.Memo
	case *Bare:
		return s.Memo
	}
	return nil
}

// Own lets Ask end the calling goroutine when the run cannot go on, as t.FailNow ends a test. Deferred
// functions of the goroutine run.
func (s *Session) Own() {
	s.owner.Store(goroutine())
	s.run.Questions.running.Store(s.owner.Load(), s)
}

type sessionKey struct{}
type branchKey struct{}
type observerKey struct{}

// With returns a context whose questions belong to s.
func (s *Session) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// Branch returns a context in which asking is an error. It is for work that must not ask the user, such as
// the work of a sub-agent.
func Branch(ctx context.Context) context.Context {
	return context.WithValue(ctx, branchKey{}, true)
}

// Observe returns a context with which a run calls observe for every question that it asks, in order,
// including questions whose answers are known. If ctx already has an observer, it is called, too.
func Observe(ctx context.Context, observe func(Question)) context.Context {
	outer, observed := ctx.Value(observerKey{}).(func(Question))
	return context.WithValue(ctx, observerKey{}, func(q Question) {
		if observed {
			outer(q)
		}
		observe(q)
	})
}

// End ends the session of a handler that returned err, and returns the outcome of the run.
// Some outcomes take precedence over err: a violated rule or an invalid answer, then a pending
// question, then an unanswered confirmation that was not acknowledged. A refusal stays a
// refusal however err wraps it. Asking afterwards is an error.
func (s *Session) End(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if owner := s.owner.Load(); owner != 0 {
		s.run.Questions.running.Delete(owner)
	}
	if broken := s.broken.Load(); broken != nil {
		return *broken
	}
	if s.pending != nil {
		return cmp.Or(s.misconfigured(), error(s.pending))
	}
	var carried []*refusedAnswer
	if r, ok := errors.AsType[*refusal](err); ok && r.session == s {
		carried = r.of
	}
	ends := slices.DeleteFunc(slices.Clone(s.refused), func(r *refusedAnswer) bool {
		return r.acknowledged || !r.confirm && !slices.Contains(carried, r)
	})
	if len(ends) > 0 {
		return merged(ends)
	}
	return err
}

// merged returns one fault for unanswered questions: the fault of the first one, with the messages of
// all.
func merged(refused []*refusedAnswer) *fault.Error {
	first := *refused[0].fault
	for _, r := range refused[1:] {
		first.Message = strings.TrimSuffix(first.Message, ".") + "; " + r.fault.Message
		first.Cause = errors.Join(first.Cause, r.fault.Cause)
	}
	return &first
}

// misconfigured returns why a configured answer is invalid, or nil. A host that stores its user's
// answers sends them only for questions that were asked before, so an answer to a question that this run
// did not reach is a configured one. The caller holds s.mu.
func (s *Session) misconfigured() error {
	if s.run.Asker.Person {
		return nil
	}
	for _, spec := range s.run.Questions.specs {
		_, reached := s.asked[spec.ID]
		answer, ok := s.run.Answers[spec.ID]
		if !ok || reached || answer.Action != Accept || spec.Kind == KindPick {
			continue
		}
		q := Question{Spec: *spec, set: s.run.Questions, declared: spec}
		if problem := q.Check(answer.Content); problem != nil {
			return problem
		}
	}
	return nil
}

func (s *Session) acknowledge(refused []*refusedAnswer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range refused {
		r.acknowledged = true
	}
}

// A Part is a question and the function that receives a valid answer to it.
type Part struct {
	Question Question
	Read     func(json.RawMessage) error
}

// Ask asks the questions of parts and passes each valid answer to its part. It returns an error if a
// question was declined, canceled or cannot be asked. If the run cannot go on, Ask ends the goroutine
// that called [Session.Own]; in other goroutines it returns the error.
func Ask(ctx context.Context, parts ...Part) error {
	if len(parts) == 0 {
		return nil
	}
	s, ok := ctx.Value(sessionKey{}).(*Session)
	if !ok {
		if bare, ok := ctx.Value(sessionKey{}).(*Bare); ok {
			return bare.refuse(parts[0].Question)
		}
		return parts[0].Question.strayed()
	}
	err := s.together(ctx, parts)
	if err != nil && s.ended() && s.owner.Load() == goroutine() {
		runtime.Goexit()
	}
	return err
}

// strayed returns the error for a question that was asked without the handler's context. If the calling
// goroutine belongs to a run, strayed ends that run.
func (q Question) strayed() error {
	const said = "question %q was asked outside a tool call: ask with the context of the handler"
	if q.set != nil {
		if s, ok := q.set.running.Load(goroutine()); ok {
			_ = s.(*Session).breach(said, q.ID) // ends the run
			runtime.Goexit()
		}
	}
	return fault.New(fault.Internal, said, q.ID)
}

// whole returns the answer to q. If the asker cannot show forms, it asks each field
// separately, under the id of the form, a dash and the name of the field.
func (s *Session) whole(ctx context.Context, q Question) (json.RawMessage, error) {
	if q.Kind != KindForm || q.set != s.run.Questions || s.run.Asker.Forms || s.knows(q) {
		return s.ask(ctx, q)
	}
	var members []rawjson.Member
	for _, field := range q.Fields {
		answer, err := s.ask(ctx, q.part(field))
		if err != nil {
			return nil, err
		}
		if !field.Optional || string(answer) != `""` {
			members = append(members, rawjson.Member{Name: field.ID, Value: jsontext.Value(answer)})
		}
	}
	return json.RawMessage(rawjson.Object(members)), nil
}

// asking returns the number of questions that this run has asked.
func (s *Session) asking() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq
}

// ended reports whether the run cannot go on.
func (s *Session) ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken.Load() != nil || s.pending != nil
}

// ask returns a valid answer to q in the form of [Spec.plain]. A person who mistypes an answer is asked
// again.
func (s *Session) ask(ctx context.Context, q Question) (json.RawMessage, error) {
	first := q
	for try := 2; ; try++ {
		answer, err := s.accepted(ctx, q)
		if err != nil {
			return nil, err
		}
		problem := q.Check(answer.Content)
		if problem == nil {
			return q.plain(answer.Content), nil
		}
		if try > Tries || !s.mistyped(q, answer) {
			return nil, s.breaks(problem)
		}
		q = first.again(answer.Content, try)
	}
}

// mistyped reports whether a person may have typed this invalid answer. If the asker cannot tell, an answer
// in a form that the host's prompt does not return counts as configured.
func (s *Session) mistyped(q Question, a Answer) bool {
	if s.run.Asker.Person {
		return a.Person && len(a.Content) > 0
	}
	return !a.shared && q.isTyped(a.Content, s.run.Asker)
}

// accepted returns the answer to q, which may be invalid.
func (s *Session) accepted(ctx context.Context, q Question) (Answer, error) {
	if err := s.admit(ctx, q); err != nil {
		return Answer{}, err
	}
	known := s.run.Told != nil && s.knows(q)
	answer, err := s.answer(ctx, q)
	if q.Kind == KindVisit && string(answer.Content) == "false" {
		answer.Action = Decline
	}
	if s.run.Told != nil {
		q.Ref = q.ref(s.run.Tool, s.run.Call, s.asking())
		s.run.Told(q, answer.Action, known, err)
	}
	if err == nil && answer.Action != Accept {
		err = s.refuse(q, answer.Action)
	}
	return answer, err
}
