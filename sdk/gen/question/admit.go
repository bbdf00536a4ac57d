package question

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"

	"github.com/jptool/jptool/sdk/fault"
)

// admit returns an error if q may not be asked in this state.
func (s *Session) admit(ctx context.Context, q Question) error {
	switch {
	case q.set == nil || q.set != s.run.Questions:
		return s.breach("%s", undeclared(s.run.Tool, q.ID))
	case ctx.Value(branchKey{}) != nil:
		return s.breach("question %q was asked in a branch; ask before branching and pass the answer in", q.ID)
	case s.owner.Load() != 0 && s.owner.Load() != goroutine():
		return s.breach("question %q was asked in another goroutine; ask in the handler and pass the answer in", q.ID)
	case s.owner.Load() != 0 && s.ended(): // asked by a deferred call
		return s.reason()
	case s.ctx.Err() != nil:
		return s.breaks(fault.From(s.ctx.Err()))
	case ctx.Err() != nil: // a handler that ignores this error must not go on
		return s.breaks(fault.From(ctx.Err()))
	}
	if q.ID == q.shared() {
		return s.breach("question %q has the subjects option in its ask tag: ask about each subject with For", q.declared.ID)
	}
	if problem := cmp.Or(q.offers(), q.unsafe()); problem != "" {
		return s.breach("question %q %s", q.ID, problem)
	}
	if s.observer != nil {
		q.Ref = q.ref(s.run.Tool, s.run.Call, 0)
		s.observer(q)
	}
	return s.count(q)
}

// count counts a question of this run. It returns an error if there are too many, or if the
// question was asked with a different message, since an answer applies to one message.
func (s *Session) count(q Question) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return fault.New(fault.Internal, "question %q was asked after its call had ended", q.ID)
	}
	if s.calls++; s.calls > repeats*s.run.MaxRounds {
		return s.breach("question %q is asked in a loop: this run has asked %d times", q.ID, s.calls-1)
	}
	now := wording{q.Wording(), q.Message}
	before, again := s.asked[q.ID]
	switch {
	case again && before != now:
		return s.breach("question %q was asked twice in one run, as %q and as %q, or with different values: "+
			"ask about each subject with For", q.ID, before.message, now.message)
	case !again && len(s.asked) >= s.run.MaxRounds:
		return s.tooMany(q)
	case s.asked == nil:
		s.asked = map[string]wording{}
	}
	s.asked[q.ID] = now
	return nil
}

// tooMany ends a run that exceeds the maximum number of questions.
func (s *Session) tooMany(q Question) error {
	return s.breach("question %q is one too many: a call may ask %d questions; start the server with --max-rounds for more",
		q.ID, s.run.MaxRounds)
}

// answer returns the answer to q, from an earlier round or from the asker.
func (s *Session) answer(ctx context.Context, q Question) (Answer, error) {
	a, reworded, err := s.known(q)
	switch {
	case err != nil:
		return Answer{}, err
	case a != nil:
		return *a, nil
	}
	q.Reworded = reworded
	if q, err = s.begin(q); err != nil {
		return Answer{}, err
	}
	got, err := s.run.Asker.Ask(ctx, q)

	s.mu.Lock()
	defer s.mu.Unlock()
	if _, pending := errors.AsType[*Pending](err); pending {
		return Answer{}, err
	}
	s.open = nil
	switch {
	case err != nil && s.ctx.Err() != nil:
		return Answer{}, s.breaks(fault.From(s.ctx.Err()))
	case fault.CodeOf(err) == fault.InputUnavailable:
		return Answer{}, s.unanswered(q, fault.From(err)) // the handler may go on without the answer
	case err != nil:
		return Answer{}, s.breaks(err)
	case s.answers == nil:
		s.answers = map[string]Answer{}
	}
	s.answers[q.ID] = got
	return got, nil
}

// known returns the answer to q from an earlier round. If there was only an answer to a different
// wording, reworded is true, and q is asked again once. The error is set if there is no answer and
// q cannot be asked. An exclusive question ignores answers that may come from a configuration,
// unless its declaration permits them and the asker cannot tell whether a person answered.
func (s *Session) known(q Question) (a *Answer, reworded bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got, ok := s.answers[q.ID]; ok {
		return &got, false, nil
	}
	if q.Exclusive == ByPerson && !s.run.Asker.Person {
		return nil, false, s.unanswered(q, fault.New(fault.InputUnavailable, "question %q must be answered by a person, "+
			"and this caller does not distinguish a person's answer from a configured one: %s", q.ID, q.Message))
	}
	given, ok := s.given(q)
	switch {
	case !ok || q.Exclusive != "" && !given.Person && s.run.Asker.Person:
	case given.Wording == "" || given.Wording == q.Wording():
		return &given, false, nil
	case given.Reworded:
		return nil, false, s.breach("question %q changes from run to run, from %q to %q: its text, values and preamble "+
			"must be the same when the handler runs again", q.ID, given.Message, q.Message)
	default:
		reworded = true
	}
	if !s.run.Asker.can(q.Kind) {
		return nil, false, s.unanswered(q, unavailable(q, s.run.Asker.Resend))
	}
	return nil, reworded, nil
}

// begin marks q as the open question and assigns its reference.
func (s *Session) begin(q Question) (Question, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		return q, s.breach("question %q was asked while question %q was still open; ask one at a time and "+
			"return the error of the first", q.ID, s.open.ID)
	}
	if s.run.Rounds+s.seq >= s.run.MaxRounds {
		return q, s.tooMany(q)
	}
	s.seq++
	q.Ref = q.ref(s.run.Tool, s.run.Call, s.seq)
	s.open = &q
	return q, nil
}

// given returns the answer to q that was known when the run started, or false if there was none.
// Only a configured answer, which has no wording, applies to all subjects. The caller holds s.mu.
func (s *Session) given(q Question) (Answer, bool) {
	if a, ok := s.run.Answers[q.ID]; ok {
		return a, true
	}
	id := q.shared()
	a, ok := s.run.Answers[id]
	a.shared = true
	return a, ok && id != "" && a.Wording == ""
}

// knows reports whether q has been answered.
func (s *Session) knows(q Question) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.given(q)
	if !ok {
		_, ok = s.answers[q.ID]
	}
	return ok
}

// refuse records that q was declined or canceled and returns the error for it.
func (s *Session) refuse(q Question, action Action) error {
	reason := ErrDeclined
	if action == Cancel {
		reason = ErrCanceled
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unanswered(q, fault.Wrap(reason, fault.InputDeclined, "question %q was %s: %s", q.ID, reason, q.Message))
}

// unanswered records why q has no answer and returns the error for it. The caller holds s.mu.
func (s *Session) unanswered(q Question, why *fault.Error) error {
	i := slices.IndexFunc(s.refused, func(r *refusedAnswer) bool { return r.id == q.ID })
	if i < 0 {
		i = len(s.refused)
		s.refused = append(s.refused, &refusedAnswer{id: q.ID, confirm: q.Kind == KindConfirm, fault: why})
	}
	return s.refusal(s.refused[i])
}

// refusal returns the error for unanswered questions.
func (s *Session) refusal(of ...*refusedAnswer) error {
	err := merged(of)
	err.Cause = &refusal{s, of, err.Cause}
	return err
}

// reason returns why the run cannot continue.
func (s *Session) reason() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if broken := s.broken.Load(); broken != nil {
		return *broken
	}
	return s.pending
}

// breach ends the run because the handler broke a rule about questions.
func (s *Session) breach(format string, args ...any) error {
	return s.breaks(fault.New(fault.Internal, format, args...))
}

// breaks records an error that ends the run even if the handler ignores it.
func (s *Session) breaks(err error) error {
	s.broken.CompareAndSwap(nil, &err)
	return err
}

// goroutine returns the id of the calling goroutine, which only its stack trace contains.
func goroutine() uint64 {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	n, _ := strconv.ParseUint(string(digits), 10, 64)
	return n
}
