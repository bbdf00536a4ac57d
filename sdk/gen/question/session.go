package question

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/jptool/jptool/sdk/fault"
)

// MaxRounds is how many questions a call may ask if nothing else is said.
const MaxRounds = 100

// repeats is how often a run may ask, for each question that its call may ask: a loop
// over answers that are known already ends by it.
const repeats = 10

// A Run is what a session is told of one run of a tool.
type Run struct {
	// Tool is the name of the tool, Call identifies the run.
	Tool, Call string
	// Questions are what the tool may ask; nil for nothing.
	Questions *Set
	// Asker is where new questions go.
	Asker Asker
	// Answers are those already known, by the id of the question. Answers to questions
	// that the tool does not ask are ignored.
	Answers map[string]Answer
	// Rounds is how many questions earlier runs of the call have asked.
	Rounds int
	// MaxRounds is how many a call may ask; 0 is [MaxRounds].
	MaxRounds int
	// Told hears how each question was answered, and whether that was known before; nil for
	// nobody.
	Told func(q Question, action Action, known bool, err error)
	// Memo is what else belongs to the run, see [Memo].
	Memo any
}

// A Session keeps the questions and answers of one run of a tool. It is safe for
// use by several goroutines, but holds at most one question at a time.
type Session struct {
	run      Run
	ctx      context.Context
	observer func(Question)
	owner    atomic.Uint64 // the goroutine that the run may end; 0 for a run that Ask does not end

	mu      sync.Mutex
	answers map[string]Answer
	asked   map[string]wording // the questions of this run, by id
	calls   int
	seq     int
	open    *Question // being asked, or pending
	pending *Pending
	broken  error            // the first error that a handler cannot overrule
	refused []*refusedAnswer // in the order of their questions
	over    bool
}

// A wording is how a question was put.
type wording struct{ digest, message string }

// A refusedAnswer is a question of this run that was not answered.
type refusedAnswer struct {
	id           string
	confirm      bool
	acknowledged bool
	fault        error
}

// NewSession returns the session of a run. The run has ended when ctx has.
func NewSession(ctx context.Context, run Run) *Session {
	if run.MaxRounds == 0 {
		run.MaxRounds = MaxRounds
	}
	if !run.Asker.Person { // the answers of a host that keeps them are the rounds
		for id := range run.Answers {
			if run.Questions.Has(id) {
				run.Rounds++
			}
		}
	}
	observer, _ := ctx.Value(observerKey{}).(func(Question))
	return &Session{run: run, ctx: ctx, observer: observer}
}

// Memo returns what [Run.Memo] or [Bare.Memo] says in the session of a context, nil outside
// of one.
func Memo(ctx context.Context) any {
	switch s := ctx.Value(sessionKey{}).(type) {
	case *Session:
		return s.run.Memo
	case *Bare:
		return s.Memo
	}
	return nil
}

// Own has Ask end the calling goroutine where the run cannot go on, as t.FailNow ends a
// test: its deferred calls run, and nothing else of it does.
func (s *Session) Own() {
	s.owner.Store(goroutine())
	s.run.Questions.running.Store(s.owner.Load(), s)
}

type sessionKey struct{}
type branchKey struct{}
type observerKey struct{}

// With returns a context in which questions are asked through s.
func (s *Session) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// Branch returns a context in which asking is an error: for work whose result is
// a value, such as a sub-agent's, that must not turn to the user.
func Branch(ctx context.Context) context.Context {
	return context.WithValue(ctx, branchKey{}, true)
}

// Observe returns a context whose calls have observe told of every question that a run
// asks, in order, whether or not its answer is known.
func Observe(ctx context.Context, observe func(Question)) context.Context {
	return context.WithValue(ctx, observerKey{}, observe)
}

// End ends the session of a handler that returned err, and returns how the run ended.
// What a handler cannot overrule wins over err: a broken rule of asking or an answer
// that does not fit, then a question that waits, then a confirmation that was not given
// nor its absence acknowledged. A refusal that err carries stays one, however it is wrapped.
// Asking afterwards is an error.
func (s *Session) End(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if owner := s.owner.Load(); owner != 0 {
		s.run.Questions.running.Delete(owner)
	}
	if s.broken != nil {
		return s.broken
	}
	if s.pending != nil {
		return s.pending
	}
	carried := ""
	if r, ok := errors.AsType[*refusal](err); ok && r.session == s {
		carried = r.id
	}
	for _, r := range s.refused {
		if !r.acknowledged && (r.confirm || r.id == carried) {
			return r.fault
		}
	}
	return err
}

func (s *Session) acknowledge(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.refused {
		if r.id == id {
			r.acknowledged = true
		}
	}
}

// Ask gives read the answer to q, which fits it. It returns an error if the question was
// declined, canceled or cannot be asked. Where the run cannot go on, it ends the goroutine
// that [Session.Own] was called in, and returns the error in others.
func Ask(ctx context.Context, q Question, read func(json.RawMessage) error) error {
	s, ok := ctx.Value(sessionKey{}).(*Session)
	if !ok {
		if bare, ok := ctx.Value(sessionKey{}).(*Bare); ok {
			return bare.refuse(q)
		}
		return q.strayed()
	}
	content, err := s.whole(ctx, q)
	if err == nil {
		if err = read(content); err == nil {
			return nil
		}
		err = s.breaks(fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q must be %s: %s", q.ID, q.Accepts(), err))
	}
	if s.ended() && s.owner.Load() == goroutine() {
		runtime.Goexit()
	}
	return err
}

// strayed returns the error of a question whose context is not that of a call, and ends the
// run of the goroutine that asks it.
func (q Question) strayed() error {
	const said = "question %q was asked outside a tool call: ask with the context of the handler"
	if q.set != nil {
		if s, ok := q.set.running.Load(goroutine()); ok {
			_ = s.(*Session).breach(said, q.ID) // which ends the run
			runtime.Goexit()
		}
	}
	return fault.New(fault.Internal, said, q.ID)
}

// whole returns the answer to q. Where the asker shows no forms, each field of one is
// asked by itself, under the id of the form, a dash and the field's name.
func (s *Session) whole(ctx context.Context, q Question) (json.RawMessage, error) {
	if q.Kind != KindForm || q.set != s.run.Questions || s.run.Asker.Forms || s.knows(q.ID) {
		return s.ask(ctx, q)
	}
	var b bytes.Buffer
	for _, field := range q.Fields {
		answer, err := s.ask(ctx, q.part(field))
		if err != nil {
			return nil, err
		}
		if field.Optional && string(answer) == `""` {
			continue
		}
		name, err := json.Marshal(field.ID)
		if err != nil {
			return nil, fault.Wrap(err, fault.Internal, "field %q cannot be encoded as JSON", field.ID)
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

// plain returns the content of an answer as a field of an object: a number that
// came as text as a number.
func (s Spec) plain(content []byte) []byte {
	if text, ok := text(content); ok && s.Kind == KindNumber {
		return []byte(text)
	}
	return content
}

// asking returns how many questions this run has asked.
func (s *Session) asking() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq
}

// ended reports whether the run cannot go on.
func (s *Session) ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken != nil || s.pending != nil
}

// ask returns the content of an answer that fits q, trimmed.
func (s *Session) ask(ctx context.Context, q Question) (json.RawMessage, error) {
	if err := s.admit(ctx, q); err != nil {
		return nil, err
	}
	known := s.run.Told != nil && s.knows(q.ID)
	answer, err := s.answer(ctx, q)
	if s.run.Told != nil {
		q.Ref = q.ref(s.run.Tool, s.run.Call, s.asking())
		s.run.Told(q, answer.Action, known, err)
	}
	if err != nil {
		return nil, err
	}
	if answer.Action != Accept {
		return nil, s.refuse(q, answer.Action)
	}
	if err := q.Check(answer.Content); err != nil {
		return nil, s.breaks(err)
	}
	return bytes.TrimSpace(answer.Content), nil
}
