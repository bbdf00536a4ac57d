package wires

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// nobody asks no questions, because the client cannot show them or the tool has none. A question gets its default or
// an answer that the model relays, or the call fails.
type nobody struct{ mcp }

// Begin sets the asker, and moves relayed answers from the arguments.
func (n nobody) Begin(run *handler.Run, _ *Outcome) error {
	run.Asker = n.set.cannotAsk
	if n.set.relays && n.Offer == nil && len(n.Contract.Questions) > 0 { // a model may relay its user's answers to some questions
		relay(n.Contract, run)
		run.Asker = question.CannotAsk(n.resend)
	}
	return nil
}

// resend tells the model how to relay the answer to q, or which clients can ask q.
func (n nobody) resend(q question.Question) string {
	for _, declared := range n.Contract.Questions {
		if declared.ID != q.Ref.Key || q.Ref.Subject != "" && !declared.Subjects {
			continue
		}
		var names []string
		for _, a := range declared.Arguments() {
			names = append(names, strconv.Quote(a.Name))
		}
		if len(names) == 1 {
			return "Ask the user, and call the tool again with the answer as the argument " + names[0] + "."
		}
		if len(names) > 1 {
			return "Ask the user, and call the tool again with the answers as the arguments " + strings.Join(names, ", ") + "."
		}
	}
	return resend(q)
}

// resend tells the model how its user can receive the question.
func resend(q question.Question) string {
	switch q.Kind {
	case question.KindSecret:
		return "Tell the user: only a client that hides the answer can ask this question."
	case question.KindVisit:
		return "Tell the user: a client that supports MCP's URL mode elicitation can ask this question."
	}
	return "Tell the user: a client that supports MCP elicitation can ask this question."
}

// isRelayed reports whether a model may relay the answers to a question of the tool.
func isRelayed(t *manifest.Tool) bool {
	return slices.ContainsFunc(t.Questions, func(q manifest.Question) bool { return q.Relay != "" })
}
