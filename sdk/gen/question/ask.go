package question

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
)

// A Part is a question and the function that receives a valid answer to it.
type Part struct {
	Question Question
	Read     func(json.RawMessage) error
}

// Ask asks the questions of parts and passes each valid answer to its part. It returns an error if a question
// was declined, canceled or cannot be asked. If the run cannot continue, Ask ends the goroutine that called
// [Session.Own]; in other goroutines it returns the error.
func Ask(ctx context.Context, parts ...Part) error {
	if len(parts) == 0 {
		return nil
	}
	switch s := ctx.Value(sessionKey{}).(type) {
	case *Session:
		s.mu.Lock()
		defer s.mu.Unlock()
		err := s.together(ctx, parts)
		if err != nil && s.stopReason() != nil {
			s.endOwner()
		}
		return err
	case *Bare:
		s.broken.CompareAndSwap(nil, fault.New(fault.Internal, "%s", undeclaredMessage(s.State.Tool(), parts[0].Question.ID)))
		return s.broken.Load()
	}
	return parts[0].Question.checkGoroutine()
}

// together asks the questions of parts, all of them together if the asker supports it. It passes the answers
// to their parts, even if some are missing. If one question cannot be asked, it asks no question.
func (s *Session) together(ctx context.Context, parts []Part) error {
	var refused []*refusedAnswer
	if len(parts) > 1 {
		if err := s.check(ctx, parts); err != nil {
			return err
		}
		for _, p := range parts {
			_, _, err := s.knownAnswer(&p.Question)
			if err != nil && unanswered(err) == nil {
				return err
			}
			refused = append(refused, unanswered(err)...)
		}
	}
	if len(refused) > 0 {
		return refusedError(refused)
	}
	var waiting []Question
	for _, p := range parts {
		err := s.one(ctx, p)
		if pending, ok := err.(*Pending); ok {
			waiting = append(waiting, pending.Questions...)
			if !s.run.Asker.Forms {
				break
			}
			s.open = nil // lets the next question be asked
			continue
		}
		if err != nil && unanswered(err) == nil {
			return err
		}
		refused = append(refused, unanswered(err)...)
	}
	switch {
	case len(waiting) > 0:
		s.pending = &Pending{waiting}
		s.open = &s.pending.Questions[0]
		return s.pending
	case len(refused) > 0:
		return refusedError(refused)
	}
	return nil
}

// asksFields reports whether the asker cannot show q, a form without a known answer, and is asked for each field.
func (s *Session) asksFields(q Question) bool {
	if q.Kind.Traits().Prompt != Fields || q.set != s.run.Questions || s.run.Asker.Forms {
		return false
	}
	_, known := s.find(q)
	return !known
}

func (s *Session) one(ctx context.Context, p Part) error {
	q := p.Question
	ask := s.ask
	if s.asksFields(q) {
		ask = s.fields
	}
	content, err := ask(ctx, q)
	if err != nil {
		return err
	}
	if s.withoutLock(func() { err = p.Read(content) }); err != nil {
		return s.breaks(fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q must be %s: %s", q.ID, q.Accepts(), err))
	}
	return nil
}

// withoutLock calls f, which may block, without holding s.mu.
func (s *Session) withoutLock(f func()) {
	s.mu.Unlock()
	defer s.mu.Lock()
	f()
}

// fields returns the answer to a form for an asker that cannot show forms: it asks for each field.
func (s *Session) fields(ctx context.Context, q Question) (json.RawMessage, error) {
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

// ask returns a valid answer to q, in the form that [Spec.plain] returns. A person who mistypes an answer is
// asked again.
func (s *Session) ask(ctx context.Context, q Question) (json.RawMessage, error) {
	first := q
	for try := 2; ; try++ {
		answer, err := s.acceptedAnswer(ctx, q)
		if err != nil {
			return nil, err
		}
		spec := q.Spec
		spec.ID = cmp.Or(answer.configured, spec.ID) // the user knows the id in the configuration
		problem := spec.Check(answer.Content)
		if problem == nil {
			return q.plain(answer.Content), nil
		}
		if try > Tries || !s.mayBeTypo(q, answer) {
			return nil, s.breaks(problem)
		}
		q = first.retry(answer.Content, try)
	}
}

// mayBeTypo reports whether a person may have typed this invalid answer. If the asker cannot tell,
// the answer must have the form in which a JP host returns what a person typed. Other answers were selected
// or configured.
func (s *Session) mayBeTypo(q Question, a Answer) bool {
	asker := s.run.Asker
	switch {
	case asker.Person:
		return a.Person && len(a.Content) > 0
	case a.configured != "":
		return false
	}
	return q.mayBeTyped(asker, a.Content)
}

// acceptedAnswer returns the answer to q if the user accepted the question. The answer may be invalid.
func (s *Session) acceptedAnswer(ctx context.Context, q Question) (Answer, error) {
	if err := s.admit(ctx, q); err != nil {
		return Answer{}, err
	}
	_, known := s.find(q)
	answer, err := s.answer(ctx, q)
	if q.Kind.Traits().Needs == NeedsPage && string(answer.Content) == "false" {
		answer.Action = Decline
	}
	if s.run.OnAnswer != nil {
		q.Ref = q.ref(s.run.Tool, s.run.Call, s.seq)
		s.withoutLock(func() { s.run.OnAnswer(q, answer.Action, known, err) })
	}
	if err == nil && answer.Action != Accept {
		reason := ErrDeclined
		if answer.Action == Cancel {
			reason = ErrCanceled
		}
		err = s.recordUnanswered(q, fault.Wrap(reason, fault.InputDeclined, "question %q was %s: %s", q.ID, reason, q.Message))
	}
	return answer, err
}

// answer returns the answer to q, from an earlier round or from the asker.
func (s *Session) answer(ctx context.Context, q Question) (Answer, error) {
	got, ok, err := s.knownAnswer(&q)
	switch {
	case ok || err != nil:
		return got, err
	case s.open != nil:
		return Answer{}, s.breach("question %q was asked while question %q was still pending; ask one question at a time, "+
			"and return the error of the first question", q.ID, s.open.ID)
	case s.run.Rounds+s.seq >= s.run.MaxRounds:
		return Answer{}, s.tooManyQuestions(q)
	}
	s.seq++
	q.Ref = q.ref(s.run.Tool, s.run.Call, s.seq)
	s.open = &q
	s.withoutLock(func() { got, err = s.run.Asker.Ask(ctx, q) })
	if _, pending := err.(*Pending); pending {
		return Answer{}, err
	}
	s.open = nil
	switch {
	case err != nil && s.ctx.Err() != nil:
		return Answer{}, s.breaks(fault.From(s.ctx.Err()))
	case fault.CodeOf(err) == fault.InputUnavailable:
		return Answer{}, s.recordUnanswered(q, fault.From(err)) // the handler may continue without the answer
	case err != nil:
		return Answer{}, s.breaks(err)
	case s.run.Answers == nil:
		s.run.Answers = map[string]Answer{}
	}
	got.fresh = true
	s.run.Answers[q.ID] = got
	return got, nil
}

// knownAnswer returns the answer to q from an earlier round, if there is one, or an error if there is none
// and q cannot be asked. If there is only an answer to a different wording, knownAnswer sets q.Reworded, and
// q is asked again once. An exclusive question ignores answers that may come from a configuration, unless its
// declaration permits them and the asker cannot tell whether a person answered.
func (s *Session) knownAnswer(q *Question) (a Answer, ok bool, err error) {
	a, ok = s.find(*q)
	switch {
	case a.fresh:
		return a, true, nil
	case q.Exclusive == ByPerson && !s.run.Asker.Person:
		return Answer{}, false, s.recordUnanswered(*q, unavailable(*q, s.run.Asker))
	case !ok || q.Exclusive != "" && !a.Person && s.run.Asker.Person:
	case a.Wording == "" || a.Wording == q.Wording():
		return a, true, nil
	case a.Reworded:
		return Answer{}, false, s.breach("question %q changes from run to run, from %q to %q: its text, values and preamble "+
			"must be the same when the handler runs again", q.ID, a.Message, q.Message)
	default:
		q.Reworded = true
	}
	asker := s.run.Asker
	if q.isUnmet(asker) {
		err = s.recordUnanswered(*q, unavailable(*q, asker))
	}
	return Answer{}, false, err
}

// find returns the answer to q, possibly to a different wording of q. Only a configured answer, which has
// no wording, may have the id as a user writes it, or apply to all subjects.
func (s *Session) find(q Question) (Answer, bool) {
	if q.isExposed(s.run.Asker) {
		return Answer{}, false
	}
	if a, ok := s.run.Answers[q.ID]; ok {
		return a, true
	}
	first, try := Try(q.ID)
	for _, id := range []string{q.writtenID(), q.sharedID()} {
		if try > 1 && id == first {
			continue // the answer to the first try, which was invalid
		}
		if a, ok := s.run.Answers[id]; ok && id != "" && a.Wording == "" {
			a.configured = id
			return a, true
		}
	}
	return Answer{}, false
}

// isExposed reports whether the answer to a secret would be where other programs can read it. Such an answer is
// ignored.
func (s Spec) isExposed(asker Asker) bool {
	return asker.Exposed && s.Kind.Traits().Needs == NeedsSecrecy
}

// recordUnanswered records why q has no answer and returns the error for it.
func (s *Session) recordUnanswered(q Question, why *fault.Error) error {
	i := slices.IndexFunc(s.refused, func(r *refusedAnswer) bool { return r.id == q.ID })
	if i < 0 {
		i = len(s.refused)
		s.refused = append(s.refused, &refusedAnswer{id: q.ID, consent: q.Kind.Traits().Consent, fault: why})
	}
	return refusedError(s.refused[i : i+1])
}

// stopReason returns why the run cannot continue, or nil.
func (s *Session) stopReason() error {
	if s.broken == nil && s.pending != nil {
		return s.pending
	}
	return s.broken
}

// breach ends the run because the handler broke a rule about questions.
func (s *Session) breach(format string, args ...any) error {
	return s.breaks(fault.New(fault.Internal, format, args...))
}

// breaks records an error that ends the run even if the handler ignores it.
func (s *Session) breaks(err error) error {
	s.broken = cmp.Or(s.broken, err)
	return err
}
