package mcpbridge

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// stateLife is how long a client may take to come back with an answer.
const stateLife = time.Hour

// byRounds asks by the result of the call, and is asked again with the answer:
// MCP from 2026-07-28, multi round-trip requests. Only the last round's answers
// come back in the request; the earlier ones are in the state that the client
// returns, sealed.
type byRounds struct {
	b     *Bridge
	call  call
	state state
}

// A state is what crosses the rounds of a call.
type state struct {
	Answers map[string]kept            `json:"answers,omitempty"`
	Pending string                     `json:"pending"`
	Wording string                     `json:"wording"`
	Kind    elicit.Kind                `json:"kind"`
	Once    map[string]json.RawMessage `json:"once,omitempty"`
}

// A kept answer, with the wording it was given to.
type kept struct {
	Action  elicit.Action   `json:"action,omitempty"`
	Content json.RawMessage `json:"content,omitempty"`
	Wording string          `json:"wording"`
}

// errState is the one error for a state that cannot be used, whatever is wrong. It is
// the protocol's, since no model wrote the state (MCP 2026-07-28, multi round-trip
// requests).
func errState() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid params: the requestState of this call is not valid or no longer valid; call the tool again without it"}
}

func (w *byRounds) before(r tool.Request) (tool.Request, error) {
	r.Asker = elicit.Later{Whole: true}
	if w.call.state == "" {
		// Responses alone say nothing of what they respond to.
		return r, nil
	}
	plain, err := w.b.keys().Open(w.call.state, purpose(w.call.name, w.call.arguments))
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
		answer, err := answerOf(reply, elicit.Question{Spec: elicit.Spec{ID: w.state.Pending}, Kind: w.state.Kind})
		if err != nil {
			return r, err
		}
		w.state.Answers[w.state.Pending] = kept{Action: answer.Action, Content: answer.Content, Wording: w.state.Wording}
	}
	if r.Answers == nil {
		r.Answers = make(map[string]elicit.Answer, len(w.state.Answers))
	}
	for id, a := range w.state.Answers {
		r.Answers[id] = elicit.Answer{Action: a.Action, Content: a.Content, Wording: a.Wording}
	}
	r.Once = w.state.Once
	return r, nil
}

func (w *byRounds) pending(_ tool.Request, out tool.Result, p *elicit.Pending) (*mcp.CallToolResult, error) {
	w.state.Pending, w.state.Wording, w.state.Kind = p.Question.ID, p.Question.Wording(), p.Question.Kind
	w.state.Once = out.Once
	plain, err := json.Marshal(w.state)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the call cannot be continued")
	}
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{p.Question.ID: form(p.Question)},
		RequestState:  w.b.keys().Seal(plain, purpose(w.call.name, w.call.arguments), time.Now().Add(stateLife)),
	}, nil
}

// purpose binds a state to one tool and its arguments.
func purpose(name string, arguments json.RawMessage) []byte {
	h := sha256.New()
	h.Write([]byte("jptool requestState 1\x00" + name + "\x00"))
	h.Write(canonical(arguments))
	return h.Sum(nil)
}

// canonical returns arguments without what may differ between two sendings of the
// same: blanks and the order of names. Numbers keep their digits.
func canonical(arguments json.RawMessage) []byte {
	if len(arguments) == 0 {
		return []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	var tree any
	if d.Decode(&tree) != nil {
		return arguments
	}
	if tree == nil {
		return []byte("{}")
	}
	data, err := json.Marshal(tree)
	if err != nil {
		return arguments
	}
	return data
}
