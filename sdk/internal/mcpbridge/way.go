package mcpbridge

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/manifest"
	"github.com/jptool/jptool/sdk/tool"
)

// A way is how the questions of one call reach somebody.
type way interface {
	// before returns r with what the way knows of earlier rounds, and where it asks.
	before(r tool.Request) (tool.Request, error)
	// pending renders a question that is to be answered in a later round. An error
	// ends the call instead.
	pending(r tool.Request, out tool.Result, p *question.Pending) (*mcp.CallToolResult, error)
}

// way returns how the questions of a call are asked.
func (b *Bridge) way(c *call, e Entry) way {
	switch {
	case b.Reply != nil:
		return &byReply{b: b, version: c.version, contract: e.Contract}
	case len(e.Contract.Questions) == 0 || !c.elicits():
		return nobody{trusted: b.Trust.Trusted}
	case c.rounds:
		return &byRounds{b: b, call: *c, contract: e.Contract}
	}
	return inPlace{session: c.session}
}

// nobody is the way of clients that did not say they can be asked.
type nobody struct{ trusted bool }

func (w nobody) before(r tool.Request) (tool.Request, error) {
	r.Asker = question.Nobody(func(id string) string {
		if !w.trusted {
			return "Use a client that can ask its user."
		}
		return `Use a client that can ask its user, or call again with the answer in ` +
			`_meta["computer.jp/tool"].answers["` + id + `"].`
	})
	return r, nil
}

func (nobody) pending(_ tool.Request, _ tool.Result, p *question.Pending) (*mcp.CallToolResult, error) {
	return nil, fault.Wrap(p, fault.InputUnavailable, "%s", p)
}

// inPlace asks while the tool waits: MCP from 2025-06-18 to 2025-11-25,
// Elicitation.
type inPlace struct{ session *mcp.ServerSession }

func (w inPlace) before(r tool.Request) (tool.Request, error) {
	r.Asker = question.Asker{Ask: w.ask, Forms: true, Person: true}
	return r, nil
}

func (inPlace) pending(_ tool.Request, _ tool.Result, p *question.Pending) (*mcp.CallToolResult, error) {
	return nil, fault.Wrap(p, fault.Internal, "%s, though it was asked in place", p)
}

// ask puts q to the client's user and waits for the answer.
func (w inPlace) ask(ctx context.Context, q question.Question) (question.Answer, error) {
	reply, err := w.session.Elicit(ctx, form(q))
	if err == nil {
		return answerOf(reply, q)
	}
	if ctx.Err() != nil {
		return question.Answer{}, ctx.Err()
	}
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return question.Answer{}, fault.Wrap(refused, fault.InputUnavailable, "the client did not ask question %q: %s", q.ID, clip(refused.Message))
	}
	if errors.Is(err, mcp.ErrConnectionClosed) {
		return question.Answer{}, fault.Wrap(err, fault.Canceled, "the client is gone")
	}
	// go-sdk checks the answer against the form, and says so in words alone.
	return question.Answer{}, fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q must be %s, the client sent another", q.ID, q.Accepts())
}

// byReply is the way of a Reply that renders questions itself, to a host that
// keeps the answers.
type byReply struct {
	b        *Bridge
	version  string
	contract *manifest.Tool
}

func (w *byReply) before(r tool.Request) (tool.Request, error) {
	r.Asker = question.Later(w.b.Whole, false)
	said := w.run(r)
	r.Once = w.b.memory.recall(said, w.b.Log)
	if r.Once == nil && r.WorkspaceID != "" {
		// The first call of a host that has nothing to say does not name its workspace
		// (JP RFD D31).
		unsaid := r
		unsaid.WorkspaceID = ""
		r.Once = w.b.memory.recall(w.run(unsaid), w.b.Log)
	}
	return r, nil
}

func (w *byReply) pending(r tool.Request, out tool.Result, p *question.Pending) (*mcp.CallToolResult, error) {
	w.b.memory.keep(w.run(r), p.Question.ID, out.Once)
	return w.b.Reply(w.version, out, p), nil
}

func (w *byReply) run(r tool.Request) run {
	return run{scope: w.b.Trust.Scope(w.contract.Name, r), answers: declared(w.contract, r.Answers)}
}

// answerName is the one field of a question's form.
const answerName = "answer"

// metaQuestion is where a form says which question of the contract it is. A client
// that knows the contract answers by it; others show the message.
const metaQuestion = "computer.jp/question"

// form returns q as a form, of one field if it is none itself.
func form(q question.Question) *mcp.ElicitParams {
	meta := mcp.Meta{metaQuestion: questionRef{q.Ref.Tool, q.ID, q.Exclusive != ""}}
	message := q.Message
	if q.Preamble != "" {
		message = q.Preamble + "\n\n" + q.Message
	}
	if q.Kind == question.KindForm {
		return &mcp.ElicitParams{Meta: meta, Mode: "form", Message: message, RequestedSchema: q.FormSchema()}
	}
	return &mcp.ElicitParams{Meta: meta, Mode: "form", Message: message, RequestedSchema: formSchema{
		Type: "object", Properties: map[string]json.RawMessage{answerName: q.FormSchema()}, Required: []string{answerName},
	}}
}

type questionRef struct {
	Tool string `json:"tool"`
	ID   string `json:"id"`
	// Exclusive says that a person must answer.
	Exclusive bool `json:"exclusive,omitempty"`
}

type formSchema struct {
	Type       string                     `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// answerOf returns the answer that a form brought.
func answerOf(reply *mcp.ElicitResult, q question.Question) (question.Answer, error) {
	switch reply.Action {
	case "accept":
		var value any = reply.Content
		if q.Kind != question.KindForm {
			value = reply.Content[answerName]
		}
		content, err := json.Marshal(value)
		if err != nil {
			return question.Answer{}, fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q cannot be read", q.ID)
		}
		return question.Answer{Content: content}, nil
	case "decline":
		return question.Answer{Action: question.Decline}, nil
	case "cancel":
		return question.Answer{Action: question.Cancel}, nil
	}
	return question.Answer{}, fault.New(fault.InvalidAnswer, "the action on question %q must be accept, decline or cancel, got %q", q.ID, clip(reply.Action))
}
