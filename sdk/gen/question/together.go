package question

import (
	"context"
	"errors"

	"github.com/jptool/jptool/sdk/fault"
)

// together asks several questions, all at once if the asker supports it. It passes the answers to
// their parts, even if some questions are not answered. If one question cannot be asked, it asks no
// question.
func (s *Session) together(ctx context.Context, parts []Part) error {
	ids := make(map[string]bool, len(parts))
	var unasked refusals
	for _, p := range parts {
		id := p.Question.ID
		if ids[id] {
			return s.breach("question %q occurs twice in one Together: ask about each subject with For", id)
		}
		ids[id] = true
		if len(parts) == 1 {
			break
		}
		if _, _, err := s.known(p.Question); !unasked.take(err) && err != nil {
			return err
		}
	}
	if len(unasked) > 0 {
		return s.refusal(unasked...)
	}
	var refused refusals
	var waiting []Question
	for _, p := range parts {
		err := s.one(ctx, p)
		if pending, ok := errors.AsType[*Pending](err); ok {
			waiting = append(waiting, pending.Questions...)
			if !s.run.Asker.Forms {
				break
			}
			s.wait(nil)
		} else if !refused.take(err) && err != nil {
			return err
		}
	}
	switch {
	case len(waiting) > 0:
		return s.wait(&Pending{waiting})
	case len(refused) > 0:
		return s.refusal(refused...)
	}
	return nil
}

// one asks the question of a part and passes the answer to the part.
func (s *Session) one(ctx context.Context, p Part) error {
	content, err := s.whole(ctx, p.Question)
	if err != nil {
		return err
	}
	if err = p.Read(content); err != nil {
		return s.breaks(fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q must be %s: %s", p.Question.ID, p.Question.Accepts(), err))
	}
	return nil
}

// wait records and returns p, which ends the run. If p is nil, the run may ask another question.
func (s *Session) wait(p *Pending) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open, s.pending = nil, p
	if p == nil {
		return nil
	}
	s.open = &p.Questions[0]
	return p
}

// refusals are the unanswered questions of one call to Together.
type refusals []*refusedAnswer

// take adds the questions of err and reports whether err is the error for unanswered questions.
func (all *refusals) take(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	if ok {
		*all = append(*all, r.of...)
	}
	return ok
}
