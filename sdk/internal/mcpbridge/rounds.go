package mcpbridge

import (
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/manifest"
	"github.com/jptool/jptool/sdk/tool"
)

// stateLife is how long a client may take to come back with an answer.
const stateLife = time.Hour

// byRounds asks by the result of the call, and is asked again with the answer:
// MCP from 2026-07-28, multi round-trip requests. Only the last round's answers
// come back in the request; the earlier ones are in the state that the client
// returns, sealed.
type byRounds struct {
	b        *Bridge
	call     call
	contract *manifest.Tool
	state    state
}

// A state is what crosses the rounds of a call.
type state struct {
	Rounds  int                        `json:"rounds"` // questions so far
	Answers map[string]kept            `json:"answers,omitempty"`
	Pending string                     `json:"pending"` // the id of the question
	Kind    question.Kind              `json:"kind"`
	Put     put                        `json:"put"`
	Once    map[string]json.RawMessage `json:"once,omitempty"`
}

// A put is how a question was worded.
type put struct {
	Wording  string `json:"wording"`
	Message  string `json:"message"`
	Reworded bool   `json:"reworded,omitempty"`
}

// A kept answer, with the wording it was given to.
type kept struct {
	Action  question.Action `json:"action,omitempty"`
	Content json.RawMessage `json:"content,omitempty"`
	Put     put             `json:"put"`
}

// errState is the one error for a state that cannot be used, whatever is wrong. It is
// the protocol's, since no model wrote the state (MCP 2026-07-28, multi round-trip
// requests).
func errState() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid params: the requestState of this call is not valid or no longer valid; call the tool again without it"}
}

func (w *byRounds) before(r tool.Request) (tool.Request, error) {
	r.Asker = question.Later(true, true)
	if w.call.state == "" {
		// Responses alone say nothing of what they respond to.
		return r, nil
	}
	plain, err := w.b.keys().Open(w.call.state, w.purpose(r))
	if err != nil || json.Unmarshal(plain, &w.state) != nil {
		return r, errState()
	}
	if w.state.Answers == nil {
		w.state.Answers = map[string]kept{}
	}
	if response, ok := w.call.responses[w.state.Pending]; ok {
		reply, ok := response.(*mcp.ElicitResult)
		if !ok || reply == nil {
			return r, fault.New(fault.InvalidAnswer, "the response to question %q is none to an elicitation", w.state.Pending)
		}
		answer, err := answerOf(reply, question.Question{Spec: question.Spec{ID: w.state.Pending, Kind: w.state.Kind}})
		if err != nil {
			return r, err
		}
		w.state.Answers[w.state.Pending] = kept{answer.Action, answer.Content, w.state.Put}
	}
	if r.Answers == nil {
		r.Answers = make(map[string]question.Answer, len(w.state.Answers))
	}
	for id, a := range w.state.Answers {
		r.Answers[id] = question.Answer{
			Action: a.Action, Content: a.Content, Person: true,
			Wording: a.Put.Wording, Message: a.Put.Message, Reworded: a.Put.Reworded,
		}
	}
	r.Once, r.Rounds = w.state.Once, w.state.Rounds
	return r, nil
}

func (w *byRounds) pending(r tool.Request, out tool.Result, p *question.Pending) (*mcp.CallToolResult, error) {
	w.state.Pending, w.state.Kind = p.Question.ID, p.Question.Kind
	w.state.Put = put{p.Question.Wording(), clip(p.Question.Message), p.Reworded}
	w.state.Once, w.state.Rounds = out.Once, w.state.Rounds+1
	plain, err := json.Marshal(w.state)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the call cannot be continued")
	}
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{p.Question.ID: form(p.Question)},
		RequestState:  w.b.keys().Seal(plain, w.purpose(r), time.Now().Add(stateLife)),
	}, nil
}

// purpose binds a state to the scope of its call.
func (w *byRounds) purpose(r tool.Request) []byte {
	return append([]byte("jptool requestState 2\x00"), w.b.Trust.Scope(w.contract.Name, r)...)
}
