package wires

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// elicitation asks the client in a request of the server, while the handler waits for the answer (MCP 2025-06-18 to
// 2025-11-25, Elicitation).
type elicitation struct{ mcp }

// Begin sets the asker.
func (e elicitation) Begin(run *handler.Run, _ *Outcome) error {
	run.Asker = question.Asker{
		Ask: e.ask, Forms: true, Person: true, Resend: resend, Visits: e.Visits, Done: e.notifyVisited,
	}
	return nil
}

// ask sends q to the client and waits for the answer.
func (e elicitation) ask(ctx context.Context, q question.Question) (question.Answer, error) {
	m, err := e.Line.Ask(ctx, rpc.MethodElicit, form(q, e.Client))
	switch {
	case ctx.Err() != nil:
		return question.Answer{}, ctx.Err()
	case err != nil:
		return question.Answer{}, fault.Wrap(err, fault.Canceled, "the client has disconnected")
	case m.Failure != nil:
		var failure struct{ Message string }
		_ = json.Unmarshal(m.Failure, &failure) // an error without a message is reported without one
		return question.Answer{}, fault.New(fault.InputUnavailable, "the client did not ask question %q: %s",
			q.ID, cmp.Or(phrase.Clip(failure.Message, rpc.MaxShown), "it gave no reason"))
	}
	return answerOf(m.Result, q, e.Client)
}
