package question

import (
	"cmp"
	"context"
	"slices"

	"github.com/jptool/jptool/sdk/fault"
)

// check returns an error, which ends the run, if one of the questions of parts must not be asked. It records
// nothing else.
func (s *Session) check(ctx context.Context, parts []Part) error {
	var asks []Question
	for i, p := range parts {
		q := p.Question
		if slices.ContainsFunc(parts[:i], func(other Part) bool { return other.Question.ID == q.ID }) {
			return s.breach("question %q occurs twice in one Together: ask about each subject with For", q.ID)
		}
		if err := s.permits(ctx, q); err != nil {
			return err
		}
		if !s.asksFields(q) {
			asks = append(asks, q)
			continue
		}
		for _, field := range q.Fields {
			asks = append(asks, q.part(field))
		}
	}
	first, rounds := len(s.asked), s.run.Rounds+s.seq // the numbers of questions with those of parts
	for _, q := range asks {
		if err := s.checkWording(q); err != nil {
			return err
		}
		if _, again := s.asked[q.ID]; !again {
			first++
		}
		if _, known := s.find(q); !known {
			rounds++
		}
		if max(first, rounds) > s.run.MaxRounds {
			return s.tooManyQuestions(q)
		}
	}
	return nil
}

// permits returns an error, which ends the run, if q must not be asked in this state, or is incomplete.
func (s *Session) permits(ctx context.Context, q Question) error {
	ended := cmp.Or(s.ctx.Err(), ctx.Err())
	switch {
	case q.set == nil || q.set != s.run.Questions:
		return s.breach("%s", undeclaredMessage(s.run.Tool, q.ID))
	case ctx.Value(branchKey{}) != nil:
		return s.breach("question %q was asked in a branch; ask before the branch, and pass the answer to it", q.ID)
	case s.isForeign():
		return s.breach("question %q was asked in another goroutine; ask in the handler, and pass the answer to the goroutine", q.ID)
	case s.owner != 0 && s.stopReason() != nil: // asked by a deferred call
		return s.stopReason()
	case ended != nil: // a handler that ignores this error must not continue
		return s.breaks(fault.From(ended))
	case q.ID == q.sharedID():
		return s.breach("question %q has the subjects option in its ask tag: ask about each subject with For", q.declared.ID)
	}
	if problem := q.kind().lacks(q); problem != "" {
		return s.breach("question %q %s", q.ID, problem)
	}
	return nil
}

// admit counts q as a question of this run. It returns an error if q must not be asked in this state, if
// there are too many questions, or if q was asked with a different message, since an answer applies to one
// message.
func (s *Session) admit(ctx context.Context, q Question) error {
	if err := s.permits(ctx, q); err != nil {
		return err
	}
	if s.run.OnAsk != nil {
		q.Ref = q.ref(s.run.Tool, s.run.Call, 0)
		s.withoutLock(func() { s.run.OnAsk(q) })
	}
	if s.over {
		return fault.New(fault.Internal, "question %q was asked after its call had ended", q.ID)
	}
	if s.calls++; s.calls > repeats*s.run.MaxRounds {
		return s.breach("question %q is asked in a loop: this run has called Ask %d times", q.ID, s.calls-1)
	}
	if err := s.checkWording(q); err != nil {
		return err
	}
	_, again := s.asked[q.ID]
	switch {
	case !again && len(s.asked) >= s.run.MaxRounds:
		return s.tooManyQuestions(q)
	case s.asked == nil:
		s.asked = map[string]wording{}
	}
	s.asked[q.ID] = wording{q.Wording(), q.Message}
	return nil
}

// checkWording returns an error, which ends the run, if q was asked with different texts or values in this run.
func (s *Session) checkWording(q Question) error {
	before, again := s.asked[q.ID]
	if !again || before == (wording{q.Wording(), q.Message}) {
		return nil
	}
	return s.breach("question %q was asked twice in one run with different texts or values, first as %q and then as %q: "+
		"ask about each subject with For", q.ID, before.message, q.Message)
}

func (s *Session) tooManyQuestions(q Question) error {
	return s.breach("question %q exceeds the maximum number of questions per call (%d); to raise it, start the server with --max-rounds",
		q.ID, s.run.MaxRounds)
}
