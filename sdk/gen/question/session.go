package question

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jptool/jptool/sdk/fault"
)

// MaxRounds is the default maximum number of questions in a call.
const MaxRounds = 100

// A run may ask repeats times the maximum number of questions, including questions with known
// answers. This limit ends loops that ask only such questions.
const repeats = 10

// A Run describes one run of a tool.
type Run struct {
	// Tool is the name of the tool; Call is the id of the run.
	Tool, Call string
	// Questions is the set of questions that the tool may ask, or nil for a tool without questions.
	Questions *Set
	// Asker answers new questions.
	Asker Asker
	// Answers are the known answers, keyed by question id. Answers to other questions are ignored.
	Answers map[string]Answer
	// Rounds is the number of questions that earlier runs of the call asked.
	Rounds int
	// MaxRounds is the maximum number of questions in a call; 0 means [MaxRounds].
	MaxRounds int
	// OnAsk, if set, receives each question that the run asks, in order, including questions whose answers are known.
	OnAsk func(q Question)
	// OnAnswer, if set, receives the result of each question, and whether the answer was known before.
	OnAnswer func(q Question, action Action, known bool, err error)
	// State is a value that the function [State] returns during the run.
	State any
}

// A Session tracks the questions and answers of one run. It is safe for concurrent use.
type Session struct {
	run Run
	ctx context.Context

	// Ask holds mu, except while it calls functions that may block: the asker, OnAsk, OnAnswer and Read.
	mu      sync.Mutex
	owner   uint64             // the goroutine that Ask may end; 0 means none
	asked   map[string]wording // the questions of this run, keyed by id
	calls   int
	seq     int       // the number of questions that the asker was asked
	open    *Question // the only question that is being asked or is pending
	pending *Pending
	broken  error            // the first error that the handler cannot override
	refused []*refusedAnswer // in the order of questions
	over    bool
}

// A wording identifies the text of a question.
type wording struct{ digest, message string }

// A refusedAnswer is an unanswered question of this run.
type refusedAnswer struct {
	id           string
	consent      bool
	acknowledged atomic.Bool
	fault        *fault.Error
}

// NewSession returns a session that ends with ctx.
func NewSession(ctx context.Context, run Run) *Session {
	run.MaxRounds = cmp.Or(run.MaxRounds, MaxRounds)
	for id := range run.Answers {
		if !run.Asker.Person && run.Questions.Has(id) { // with hosts that store answers, each answer is a round
			run.Rounds++
		}
	}
	run.Answers = maps.Clone(run.Answers) // answers of this run are added
	return &Session{run: run, ctx: ctx}
}

// State returns the State of the session in ctx, or nil if there is no session.
func State(ctx context.Context) any {
	switch s := ctx.Value(sessionKey{}).(type) {
	case *Session:
		return s.run.State
	case *Bare:
		return s.State
	}
	return nil
}

type sessionKey struct{}
type branchKey struct{}

// With returns a context whose questions belong to s.
func (s *Session) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// Branch returns a context in which asking is an error, for work such as that of a sub-agent.
func Branch(ctx context.Context) context.Context {
	return context.WithValue(ctx, branchKey{}, true)
}

// End ends the session of a handler that returned err, and returns the outcome of the run. Some
// outcomes take precedence over err: a violated rule or an invalid answer, then a pending question,
// then an unanswered confirmation that was not acknowledged. An error from a question keeps its code,
// however err wraps it. Asking afterwards is an error.
func (s *Session) End(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if s.owner != 0 {
		s.run.Questions.running.Delete(s.owner)
	}
	switch {
	case s.broken != nil:
		return s.broken
	case s.pending != nil:
		return cmp.Or(s.checkConfigured(), error(s.pending))
	}
	carried := unanswered(err)
	ends := slices.DeleteFunc(slices.Clone(s.refused), func(r *refusedAnswer) bool {
		return r.acknowledged.Load() || !r.consent && !slices.Contains(carried, r)
	})
	if len(ends) > 0 {
		return mergeFaults(ends)
	}
	return err
}

// mergeFaults returns the fault of the first question, with the messages of all of them.
func mergeFaults(refused []*refusedAnswer) *fault.Error {
	first := *refused[0].fault
	for _, r := range refused[1:] {
		first.Message = strings.TrimSuffix(first.Message, ".") + "; " + r.fault.Message
		first.Cause = errors.Join(first.Cause, r.fault.Cause)
	}
	return &first
}

// checkConfigured returns why a configured answer is invalid, or nil. Hosts send stored answers only
// for earlier questions, so an answer to a question that was not reached is configured.
func (s *Session) checkConfigured() error {
	if s.run.Asker.Person {
		return nil
	}
	for _, spec := range s.run.Questions.specs {
		_, reached := s.asked[spec.ID]
		answer, ok := s.run.Answers[spec.ID]
		if ok && !reached && answer.Action == Accept && spec.Kind.Traits().Source != Runtime && !spec.isExposed(s.run.Asker) {
			if problem := spec.Check(answer.Content); problem != nil {
				return problem
			}
		}
	}
	return nil
}

// A Bare is the session of a run without questions. Most runs have no questions.
type Bare struct {
	// State is as in [Run]. Its method Tool returns the name of the tool.
	State interface{ Tool() string }

	broken atomic.Pointer[fault.Error] // set if a question was asked
}

// With returns a context in which asking ends the run with an error.
func (b *Bare) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, b)
}

// End returns the outcome of a run whose handler returned err.
func (b *Bare) End(err error) error {
	if broken := b.broken.Load(); broken != nil {
		return broken
	}
	return err
}
