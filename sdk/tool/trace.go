package tool

import (
	"context"
	"log/slog"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// trace logs a run for debugging: its start, its questions with the kind of answer, and its
// end. Arguments, options, messages and answers are never logged, because they may be secret.
func (c *Call) trace() (ended func(error)) {
	r := &c.request
	if !r.Log.Enabled(context.Background(), slog.LevelDebug) {
		return func(error) {}
	}
	log, began := c.operator(), time.Now()
	log.Debug("call begins", "round", r.Rounds+1, "answers", len(r.Answers), "principal", r.Principal)
	r.told = func(q question.Question, action question.Action, known bool, err error) {
		how := "accept"
		switch {
		case err != nil:
			how = outcomeOf(err)
		case action == question.Decline:
			how = "decline"
		case action == question.Cancel:
			how = "cancel"
		}
		log.Debug("question", "key", q.Ref.Key, "subject", q.Ref.Subject, "seq", q.Ref.Seq, "answer", how, "known", known)
	}
	return func(err error) {
		log.Debug("call ends", "outcome", outcomeOf(err), "took", time.Since(began))
	}
}

// outcomeOf names the outcome of a run or a question.
func outcomeOf(err error) string {
	if Asks(err) != nil {
		return "waits"
	}
	if err == nil {
		return "result"
	}
	return string(fault.CodeOf(err))
}
