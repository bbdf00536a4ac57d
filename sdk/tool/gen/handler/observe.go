package handler

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
)

// An Observer is called for each event of a run, in order.
type Observer func(*Event)

// A Moment is the kind of an [Event].
type Moment int

// The moments of a run.
const (
	Began    Moment = iota // the run begins
	Asked                  // the handler asks a question, whose answer may be known
	Answered               // the question has an answer, or cannot have one in this run
	Ended                  // the run has ended
)

// An Event is something that happens in a run.
type Event struct {
	Run    *Run
	Moment Moment
	// Question is set for Asked and Answered.
	Question question.Question
	// Action is what the user did, and Known is set if the answer was known before the question was asked.
	Action question.Action
	Known  bool
	// Err is why a question has no answer, or the outcome of the run.
	Err error
	// Again runs the handler once more, with the same answers, after a run that ended with a question. Only a test
	// uses it.
	Again func(Observer) error
}

type observerKey struct{}

// Observe returns a context in which calls are observed. If ctx already has an observer, it is called first.
func Observe(ctx context.Context, o Observer) context.Context {
	return context.WithValue(ctx, observerKey{}, observers(observerOf(ctx), o))
}

func observerOf(ctx context.Context) Observer {
	o, _ := ctx.Value(observerKey{}).(Observer)
	return o
}

// observers returns an observer that calls each of two observers, which may be nil.
func observers(one, other Observer) Observer {
	if one == nil || other == nil {
		if one == nil {
			return other
		}
		return one
	}
	return func(e *Event) {
		one(e)
		other(e)
	}
}

// emit reports an event to the observer of the run, which must not be nil: an event costs an allocation.
func (r *Run) emit(e Event) {
	e.Run = r
	r.observe(&e)
}

// Oversized returns the size of the result and the budget of the tool, if the result was truncated and has no link to
// the whole.
func (r *Run) Oversized() (size, budget int) { return r.over, r.budget() }

// Tool returns the name of the tool.
func (r *Run) Tool() string { return r.of.name }

// debugLog returns an observer that logs a run for debugging, or nil if nobody reads such a log. Arguments, options,
// messages and answers are never logged, because they may be secret.
func (r *Run) debugLog() Observer {
	if !r.Log.Enabled(context.Background(), slog.LevelDebug) {
		return nil
	}
	log, began := r.state.ServerLog(), time.Now()
	return func(e *Event) {
		switch e.Moment {
		case Began:
			log.Debug("call begins", "round", r.Rounds+1, "answers", len(r.Answers), "principal", r.Caller.Subject)
		case Answered:
			how := map[question.Action]string{question.Accept: "accept", question.Decline: "decline", question.Cancel: "cancel"}[e.Action]
			if e.Err != nil {
				how = outcomeOf(e.Err)
			}
			log.Debug("question", "key", e.Question.Ref.Key, "subject", e.Question.Ref.Subject, "seq", e.Question.Ref.Seq,
				"answer", how, "known", e.Known)
		case Ended:
			log.Debug("call ends", "outcome", outcomeOf(e.Err), "took", time.Since(began))
		}
	}
}

func outcomeOf(err error) string {
	if tool.Asks(err) != nil {
		return "waits"
	}
	return cmp.Or(string(fault.CodeOf(err)), "result")
}
