package handler

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/internal/callstate"
)

// Cursors converts between cursors and positions in the list that a request returns.
type Cursors interface {
	// SealCursor returns the cursor that the caller sees for a position.
	SealCursor(r Request, position string) string
	// OpenCursor returns the position of a cursor, or false if it is not a cursor of the list.
	OpenCursor(r Request, cursor string) (position string, ok bool)
}

// A Caller describes who calls and what the call may use.
type Caller = callstate.Caller

// A Request is a call as it was received over a protocol. Every field is optional.
type Request struct {
	Caller
	Arguments json.RawMessage            // as the model sent them; nil and null mean an empty object
	Options   []json.RawMessage          // layers; later layers override earlier ones
	Answers   map[string]question.Answer // the known answers, keyed by question id
	Asker     question.Asker             // answers new questions; with the zero value, asking fails
	Once      map[string]json.RawMessage // the results of [tool.Once] from an earlier run, by key
	Remarks   []string                   // sentences about the call, for the result's warnings
	// Rounds is the number of questions in earlier runs, and MaxRounds the maximum; 0 means 100.
	Rounds, MaxRounds int
	Contract          *manifest.Tool     // the published contract; nil for a tool without a server
	Interceptors      []tool.Interceptor // run around the call; the first is outermost
	Timeout           time.Duration      // the time limit for a tool that does not declare one; 0 means none
	Cursors           Cursors            // seals and opens cursors; nil means that a cursor is the position itself
	// HideErrors replaces the text of errors without a code with an incident id, and hides causes.
	HideErrors bool

	onQuestion func(q question.Question, action question.Action, known bool, err error) // see trace
	keep       func(out any)                                                            // see Invoke
}

// trace logs a run for debugging. Arguments, options, messages and answers are never logged,
// because they may be secret.
func (c *call) trace() (ended func(error)) {
	r := &c.request
	if !r.Log.Enabled(context.Background(), slog.LevelDebug) {
		return func(error) {}
	}
	log, began := c.state.ServerLog(), time.Now()
	log.Debug("call begins", "round", r.Rounds+1, "answers", len(r.Answers), "principal", r.Principal)
	r.onQuestion = func(q question.Question, action question.Action, known bool, err error) {
		how := map[question.Action]string{question.Accept: "accept", question.Decline: "decline", question.Cancel: "cancel"}[action]
		if err != nil {
			how = outcomeOf(err)
		}
		log.Debug("question", "key", q.Ref.Key, "subject", q.Ref.Subject, "seq", q.Ref.Seq, "answer", how, "known", known)
	}
	return func(err error) {
		log.Debug("call ends", "outcome", outcomeOf(err), "took", time.Since(began))
	}
}

func outcomeOf(err error) string {
	if tool.Asks(err) != nil {
		return "waits"
	}
	return cmp.Or(string(fault.CodeOf(err)), "result")
}
