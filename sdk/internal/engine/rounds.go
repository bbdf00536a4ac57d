package engine

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
)

// stateLife is the time a client has to return with an answer.
const stateLife = time.Hour

// byRounds asks in the result of the call and reads the answer from the next request (MCP from
// 2026-07-28, multi round-trip requests). A request has the answers of the last round only;
// the earlier ones are part of the encrypted state that the client returns.
type byRounds struct {
	r        *Request
	contract *manifest.Tool
	state    state
}

// A state is shared by the rounds of a call.
type state struct {
	Rounds  int                        `json:"rounds"` // questions asked so far
	Answers map[string]storedAnswer    `json:"answers,omitempty"`
	Pending map[string]pendingQuestion `json:"pending"` // the pending questions by id
	Once    map[string]json.RawMessage `json:"once,omitempty"`
}

// A pendingQuestion records the kind and the wording of a question.
type pendingQuestion struct {
	Kind     question.Kind `json:"kind"`
	Wording  string        `json:"wording"`
	Message  string        `json:"message"`
	Reworded bool          `json:"reworded,omitempty"`
}

// A storedAnswer is an answer, with the question that it answers.
type storedAnswer struct {
	Action   question.Action `json:"action,omitempty"`
	Content  json.RawMessage `json:"content,omitempty"`
	Question pendingQuestion `json:"put"`
}

// errState is returned for every state that cannot be used, whatever the reason. It is a
// protocol error because no model wrote the state (MCP 2026-07-28, multi round-trip requests).
func errState() *Error {
	return invalid("the requestState of this call is invalid or has expired; call the tool again without it")
}

func (w *byRounds) before(r tool.Request) (tool.Request, error) {
	r.Asker = question.Later(true, true)
	r.Asker.Resend = w.r.session.engine.resend
	r.Asker.Visits, r.Asker.Done = w.r.visits, w.r.visited
	c := &w.r.m.call
	if c.state == nil || c.state.Kind() == 'n' {
		// Responses without a state cannot be matched to questions.
		return r, nil
	}
	text, ok := unquoted(c.state)
	if !ok {
		return r, errState()
	}
	if len(text) == 0 {
		return r, nil
	}
	plain, err := w.r.session.engine.keys().Open(string(text), w.purpose(r))
	if err != nil || json.Unmarshal(plain, &w.state) != nil {
		return r, errState()
	}
	if w.state.Answers == nil {
		w.state.Answers = map[string]storedAnswer{}
	}
	var responses map[string]jsontext.Value
	if c.responses != nil && jsonv2.Unmarshal(c.responses, &responses) != nil {
		return r, invalid(`"inputResponses" must be an object`)
	}
	for _, id := range slices.Sorted(maps.Keys(w.state.Pending)) {
		response, asked := responses[id], w.state.Pending[id]
		if response == nil || response.Kind() == 'n' {
			continue // the handler asks again
		}
		answer, err := answerOf(response, question.Question{Spec: question.Spec{ID: id, Kind: asked.Kind}}, w.r.version)
		if err != nil {
			return r, err
		}
		w.state.Answers[id] = storedAnswer{answer.Action, answer.Content, asked}
	}
	if r.Answers == nil {
		r.Answers = make(map[string]question.Answer, len(w.state.Answers))
	}
	for id, a := range w.state.Answers {
		r.Answers[id] = question.Answer{
			Action: a.Action, Content: a.Content, Person: true,
			Wording: a.Question.Wording, Message: a.Question.Message, Reworded: a.Question.Reworded,
		}
	}
	r.Once, r.Rounds = w.state.Once, w.state.Rounds
	return r, nil
}

func (w *byRounds) pending(r tool.Request, out tool.Result, p *question.Pending) (Appender, error) {
	w.state.Pending = make(map[string]pendingQuestion, len(p.Questions))
	for _, q := range p.Questions {
		w.state.Pending[q.ID] = pendingQuestion{q.Kind, q.Wording(), phrase.Clip(q.Message, mostShown), q.Reworded}
	}
	w.state.Once, w.state.Rounds = out.Once, w.state.Rounds+len(p.Questions)
	plain, err := json.Marshal(w.state)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the call cannot be continued")
	}
	sealed := w.r.session.engine.keys().Seal(plain, w.purpose(r), time.Now().Add(stateLife))
	return appenderFunc(func(out *Writer) {
		out.Name("inputRequests")
		out.Begin('{')
		for _, q := range p.Questions {
			out.Name(q.ID)
			out.Raw(`{"method":"` + methodElicit + `","params":`)
			form(out, q, w.r.version)
			out.End('}')
		}
		out.End('}')
		out.Name("requestState")
		out.String(sealed)
	}), nil
}

// purpose returns the purpose for which the state of a call is sealed. It contains the scope of the
// call.
func (w *byRounds) purpose(r tool.Request) []byte {
	return append([]byte("jptool requestState 3\x00"), w.r.session.engine.Trust.Scope(w.contract.Name, r)...)
}
