package question

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"

	"github.com/jptool/jptool/sdk/fault"
)

// admit returns why q may not be asked here and now.
func (s *Session) admit(ctx context.Context, q Question) error {
	switch {
	case q.set == nil || q.set != s.run.Questions:
		return s.breach("%s", undeclared(s.run.Tool, q.ID))
	case ctx.Value(branchKey{}) != nil:
		return s.breach("question %q was asked in a branch; ask before branching and pass the answer in", q.ID)
	case s.owner.Load() != 0 && s.owner.Load() != goroutine():
		return s.breach("question %q was asked in another goroutine; ask in the handler and pass the answer in", q.ID)
	case s.owner.Load() != 0 && s.ended(): // by a deferred call
		return s.reason()
	case s.ctx.Err() != nil:
		return s.breaks(fault.From(s.ctx.Err()))
	case ctx.Err() != nil: // a handler that drops this error must not go on
		return s.breaks(fault.From(ctx.Err()))
	}
	if problem := q.offers(); problem != "" {
		return s.breach("question %q %s", q.ID, problem)
	}
	if s.observer != nil {
		q.Ref = q.ref(s.run.Tool, s.run.Call, 0)
		s.observer(q)
	}
	return s.count(q)
}

// count counts a question among those of this run. It returns why there may not be
// another, and why not this one again: an answer holds for one wording.
func (s *Session) count(q Question) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return fault.New(fault.Internal, "question %q was asked after its call had ended", q.ID)
	}
	if s.calls++; s.calls > repeats*s.run.MaxRounds {
		return s.fails("question %q is asked in a loop: this run has asked %d times", q.ID, s.calls-1)
	}
	now := wording{q.Wording(), q.Message}
	before, again := s.asked[q.ID]
	switch {
	case again && before != now:
		return s.fails("question %q was asked twice in one run, as %q and as %q, or with other values: "+
			"ask about each thing with For", q.ID, before.message, now.message)
	case !again && len(s.asked) >= s.run.MaxRounds:
		return s.tooMany(q)
	case s.asked == nil:
		s.asked = map[string]wording{}
	}
	s.asked[q.ID] = now
	return nil
}

// tooMany ends a run that asks more than a call may. The caller holds s.mu.
func (s *Session) tooMany(q Question) error {
	return s.fails("question %q is one too many: a call may ask %d questions; start the server with --max-rounds for more",
		q.ID, s.run.MaxRounds)
}

// answer returns the answer to q: one that is known, or that the asker gets.
func (s *Session) answer(ctx context.Context, q Question) (Answer, error) {
	a, reworded, err := s.known(q)
	if a != nil || err != nil {
		return orZero(a), err
	}
	if q, err = s.begin(q); err != nil {
		return Answer{}, err
	}
	got, err := s.run.Asker.Ask(ctx, q)

	s.mu.Lock()
	defer s.mu.Unlock()
	if pending, ok := errors.AsType[*Pending](err); ok {
		pending.Reworded = reworded
		s.pending = pending
		return Answer{}, pending
	}
	s.open = nil
	switch {
	case err != nil && s.ctx.Err() != nil:
		return Answer{}, s.keep(fault.From(s.ctx.Err()))
	case fault.CodeOf(err) == fault.InputUnavailable:
		return Answer{}, s.unanswered(q, fault.From(err)) // without which a handler may go on
	case err != nil:
		return Answer{}, s.keep(err)
	case s.answers == nil:
		s.answers = map[string]Answer{}
	}
	s.answers[q.ID] = got
	return got, nil
}

func orZero(a *Answer) Answer {
	if a == nil {
		return Answer{}
	}
	return *a
}

// known returns the answer to q if there is one, and whether there was one to another
// wording, which is asked again once. An exclusive question takes no answer that may
// come from a configuration, unless its declaration says so and the wire has no other.
func (s *Session) known(q Question) (a *Answer, reworded bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got, ok := s.answers[q.ID]; ok {
		return &got, false, nil
	}
	if q.Exclusive == ByPerson && !s.run.Asker.Person {
		return nil, false, s.unanswered(q, fault.New(fault.InputUnavailable, "question %q must be answered by a person, "+
			"and this caller does not tell a person's answer from a configured one: %s", q.ID, q.Message))
	}
	given, ok := s.run.Answers[q.ID]
	switch {
	case !ok || q.Exclusive != "" && !given.Person && s.run.Asker.Person:
		return nil, false, nil
	case given.Wording == "" || given.Wording == q.Wording():
		return &given, false, nil
	case given.Reworded:
		return nil, false, s.fails("question %q changes from run to run, from %q to %q: its text, values and preamble "+
			"must be the same when the handler runs again", q.ID, given.Message, q.Message)
	}
	return nil, true, nil
}

// begin makes q the open question of the session, and gives it its reference.
func (s *Session) begin(q Question) (Question, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		return q, s.fails("question %q was asked while question %q was still open; ask one at a time and "+
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

// knows reports whether there is an answer to the question of that id already.
func (s *Session) knows(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.run.Answers[id]
	if !ok {
		_, ok = s.answers[id]
	}
	return ok
}

// refuse records that q was declined or canceled, and returns the error that says so.
func (s *Session) refuse(q Question, action Action) error {
	reason := ErrDeclined
	if action == Cancel {
		reason = ErrCanceled
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unanswered(q, fault.Wrap(reason, fault.InputDeclined, "question %q was %s: %s", q.ID, reason, q.Message))
}

// unanswered records that q has no answer and why, and returns the error that says so.
// The caller holds s.mu.
func (s *Session) unanswered(q Question, why *fault.Error) error {
	err := *why
	err.Cause = &refusal{s, q.ID, why.Cause}
	if !slices.ContainsFunc(s.refused, func(r *refusedAnswer) bool { return r.id == q.ID }) {
		s.refused = append(s.refused, &refusedAnswer{id: q.ID, confirm: q.Kind == KindConfirm, fault: why})
	}
	return &err
}

// reason returns why the run cannot go on.
func (s *Session) reason() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	return s.pending
}

// breach ends the run by a broken rule of asking.
func (s *Session) breach(format string, args ...any) error {
	return s.breaks(fault.New(fault.Internal, format, args...))
}

// breaks records an error that ends the run even if the handler swallows it.
func (s *Session) breaks(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keep(err)
}

// fails is [Session.breach] for a caller that holds s.mu.
func (s *Session) fails(format string, args ...any) error {
	return s.keep(fault.New(fault.Internal, format, args...))
}

// keep is [Session.breaks] for a caller that holds s.mu.
func (s *Session) keep(err error) error {
	if s.broken == nil {
		s.broken = err
	}
	return err
}

// goroutine returns the number of the calling goroutine, which the runtime tells in the
// first line of its stack alone.
func goroutine() uint64 {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	n, _ := strconv.ParseUint(string(digits), 10, 64)
	return n
}
