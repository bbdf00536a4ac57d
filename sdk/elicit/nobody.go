package elicit

import (
	"context"
	"encoding/json"

	"github.com/jptool/jptool/sdk/fault"
)

// Nobody is the Asker of callers that cannot ask.
type Nobody struct {
	// Resend says, for a question's id, how the call is made again with the answer.
	Resend func(id string) string
}

// Forms reports that a form stays whole: it is answered by one answer.
func (Nobody) Forms() bool { return true }

// Ask returns the declared default, and without one an
// [fault.InputUnavailable] that names the question and what it accepts.
func (n Nobody) Ask(_ context.Context, q Question) (Answer, error) {
	if q.Default != "" {
		return Answer{Content: json.RawMessage(q.Default)}, nil
	}
	e := fault.New(fault.InputUnavailable, "this tool must ask question %q and nobody can be asked here: %s It accepts %s.",
		q.ID, q.Message, q.Accepts())
	if n.Resend != nil {
		e.Message += " " + n.Resend(q.ID)
	}
	e.Details = map[string]any{"question": q.ID, "message": q.Message, "expected": q.Accepts(), "schema": q.Schema()}
	if q.Preamble != "" {
		e.Details["preamble"] = q.Preamble
	}
	return Answer{}, e
}
