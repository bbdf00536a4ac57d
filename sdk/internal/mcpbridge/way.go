package mcpbridge

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/manifest"
	"github.com/jptool/jptool/sdk/tool"
)

// A way is how the questions of one call reach somebody.
type way interface {
	// before returns r with what the way knows of earlier rounds, and where it asks.
	before(r tool.Request) (tool.Request, error)
	// pending renders a question that is to be answered in a later round. An error
	// ends the call instead.
	pending(r tool.Request, out tool.Result, p *elicit.Pending) (*mcp.CallToolResult, error)
}

// way returns how the questions of a call are asked.
func (b *Bridge) way(c *call, e Entry) way {
	switch {
	case b.Reply != nil:
		return &byReply{b: b, version: c.version, contract: e.Contract}
	case len(e.Contract.Questions) == 0 || !c.elicits():
		return nobody{}
	case c.rounds:
		return &byRounds{b: b, call: *c}
	}
	return inPlace{session: c.session}
}

// nobody is the way of clients that did not say they can be asked.
type nobody struct{}

func (nobody) before(r tool.Request) (tool.Request, error) {
	r.Asker = elicit.Nobody{Resend: func(id string) string {
		return `Use a client that can ask its user, or call again with the answer in ` +
			`_meta["computer.jp/tool"].answers[` + quote(id) + `].`
	}}
	return r, nil
}

func (nobody) pending(_ tool.Request, _ tool.Result, p *elicit.Pending) (*mcp.CallToolResult, error) {
	return nil, fault.Wrap(p, fault.InputUnavailable, "%s", p)
}

func quote(s string) string { return `"` + s + `"` }

// inPlace asks while the tool waits: MCP from 2025-06-18 to 2025-11-25,
// Elicitation.
type inPlace struct{ session *mcp.ServerSession }

func (w inPlace) before(r tool.Request) (tool.Request, error) {
	r.Asker = w
	return r, nil
}

func (inPlace) pending(_ tool.Request, _ tool.Result, p *elicit.Pending) (*mcp.CallToolResult, error) {
	return nil, fault.Wrap(p, fault.Internal, "%s, though it was asked in place", p)
}

// Forms reports that MCP has forms.
func (inPlace) Forms() bool { return true }

// Ask puts q to the client's user and waits for the answer.
func (w inPlace) Ask(ctx context.Context, q elicit.Question) (elicit.Answer, error) {
	reply, err := w.session.Elicit(ctx, form(q))
	if err == nil {
		return answerOf(reply, q)
	}
	if ctx.Err() != nil {
		return elicit.Answer{}, ctx.Err()
	}
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return elicit.Answer{}, fault.Wrap(refused, fault.InputUnavailable, "the client did not ask question %q: %s", q.ID, clip(refused.Message))
	}
	if errors.Is(err, mcp.ErrConnectionClosed) {
		return elicit.Answer{}, fault.Wrap(err, fault.Canceled, "the client is gone")
	}
	// go-sdk checks the answer against the form, and says so in words alone.
	return elicit.Answer{}, fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q must be %s, the client sent another", q.ID, q.Accepts())
}

// byReply is the way of a Reply that renders questions itself, to a host that
// keeps the answers.
type byReply struct {
	b        *Bridge
	version  string
	contract *manifest.Tool
}

func (w *byReply) before(r tool.Request) (tool.Request, error) {
	r.Asker = elicit.Later{Whole: w.b.Whole}
	r.Once = w.b.memory.recall(runOf(w.contract, r), time.Now())
	return r, nil
}

func (w *byReply) pending(r tool.Request, out tool.Result, p *elicit.Pending) (*mcp.CallToolResult, error) {
	w.b.memory.keep(runOf(w.contract, r), p.Question.ID, out.Once, time.Now())
	return w.b.Reply(w.version, out, p), nil
}

// answerName is the one field of a question's form.
const answerName = "answer"

// metaQuestion is where a form says which question of the contract it is. A client
// that knows the contract answers by it; others show the message.
const metaQuestion = "computer.jp/question"

// form returns q as a form, of one field if it is none itself.
func form(q elicit.Question) *mcp.ElicitParams {
	meta := mcp.Meta{metaQuestion: questionRef{q.Ref.Tool, q.ID}}
	message := q.Message
	if q.Preamble != "" {
		message = q.Preamble + "\n\n" + q.Message
	}
	if q.Kind == elicit.KindForm {
		return &mcp.ElicitParams{Meta: meta, Mode: "form", Message: message, RequestedSchema: q.FormSchema()}
	}
	return &mcp.ElicitParams{Meta: meta, Mode: "form", Message: message, RequestedSchema: formSchema{
		Type: "object", Properties: map[string]json.RawMessage{answerName: q.FormSchema()}, Required: []string{answerName},
	}}
}

type questionRef struct {
	Tool string `json:"tool"`
	ID   string `json:"id"`
}

type formSchema struct {
	Type       string                     `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// answerOf returns the answer that a form brought.
func answerOf(reply *mcp.ElicitResult, q elicit.Question) (elicit.Answer, error) {
	switch reply.Action {
	case "accept":
		var value any = reply.Content
		if q.Kind != elicit.KindForm {
			value = reply.Content[answerName]
		}
		content, err := json.Marshal(value)
		if err != nil {
			return elicit.Answer{}, fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q cannot be read", q.ID)
		}
		return elicit.Answer{Content: content}, nil
	case "decline":
		return elicit.Answer{Action: elicit.Decline}, nil
	case "cancel":
		return elicit.Answer{Action: elicit.Cancel}, nil
	}
	return elicit.Answer{}, fault.New(fault.InvalidAnswer, "the action on question %q must be accept, decline or cancel, got %q", q.ID, clip(reply.Action))
}
