package wires

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// stateLife is the time that a client has to send an answer.
const stateLife = time.Hour

// A state is shared by the rounds of a call. It holds the answers of all rounds but the last, whose
// answers are in the request.
type state struct {
	Rounds  int                        `json:"rounds"` // questions asked so far
	Answers map[string]storedAnswer    `json:"answers,omitempty"`
	Pending map[string]pendingQuestion `json:"pending"` // keyed by id
	Once    map[string]json.RawMessage `json:"once,omitempty"`
	Origin  string                     `json:"origin"`          // the id of the first run
	Trace   string                     `json:"trace,omitempty"` // see handler.Run
}

// A round is what the wire carries from the begin of a run to its outcome.
type round struct {
	state  state
	asked  []question.Question
	sealed string // the state, sealed for the client; "" if the run asks nothing
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

// errState returns the error for every state that cannot be used. It is a protocol error because no model
// wrote the state (MCP 2026-07-28, multi round-trip requests).
func (r rounds) errState() error {
	again := "call the tool again"
	if r.Offer != nil {
		again = "send the request again"
	}
	return rpc.Invalid("the requestState of this call is invalid or has expired; " + again + " without it")
}

// rounds asks questions in the result of a call. The client sends the answers with its next request, together with
// the sealed state of the call (MCP 2026-07-28, multi round-trip requests).
type rounds struct{ mcp }

// Begin adds the state that the client returned, and the answers of the last round, to the run.
func (r rounds) Begin(run *handler.Run, o *Outcome) error {
	r.ask(run, o)
	text, ok := rpc.Unquote(r.Message.State)
	if !ok && !rpc.IsNull(r.Message.State) {
		return r.errState()
	}
	if len(text) == 0 {
		return nil // responses without a state cannot be matched to questions
	}
	s := &o.round.state
	plain, err := r.set.keys().Open(string(text), purpose(run))
	if err != nil || json.Unmarshal(plain, s) != nil {
		return r.errState()
	}
	responses, ok := rpc.Members(r.Message.Responses)
	if !ok && !rpc.IsNull(r.Message.Responses) {
		return rpc.Invalid(`"inputResponses" must be an object`)
	}
	for _, id := range slices.Sorted(maps.Keys(s.Pending)) {
		if err := s.answer(id, responses[id], r.Client); err != nil {
			return err
		}
	}
	s.restore(run)
	return nil
}

// ask sets the asker.
func (r rounds) ask(run *handler.Run, o *Outcome) {
	run.Asker = question.Later(true, true)
	o.round = new(round)
	run.Asker.Resend, run.Asker.Visits, run.Asker.Done = resend, r.Visits, r.notifyVisited
}

// answer stores the client's response to a pending question. Without a response, the handler asks again.
func (s *state) answer(id string, response jsontext.Value, c Client) error {
	asked, ok := s.Pending[id]
	if !ok || rpc.IsNull(response) {
		return nil
	}
	answer, err := answerOf(response, question.Question{Spec: question.Spec{ID: id, Kind: asked.Kind}}, c)
	if err != nil {
		return err
	}
	if s.Answers == nil {
		s.Answers = map[string]storedAnswer{}
	}
	s.Answers[id] = storedAnswer{answer.Action, slices.Clone(answer.Content), asked}
	return nil
}

// restore adds what earlier runs left to a run.
func (s *state) restore(run *handler.Run) {
	if run.Answers == nil {
		run.Answers = make(map[string]question.Answer, len(s.Answers))
	}
	for id, a := range s.Answers {
		run.Answers[id] = question.Answer{
			Action: a.Action, Content: a.Content, Person: true,
			Wording: a.Question.Wording, Message: a.Question.Message, Reworded: a.Question.Reworded,
		}
	}
	run.Once, run.Rounds, run.Trace = s.Once, s.Rounds, s.Trace
	run.Origin = cmp.Or(s.Origin, run.Origin)
}

// wait records the questions of a run that ended with them.
func (s *state) wait(run *handler.Run, pending *question.Pending, once map[string]json.RawMessage) {
	s.Once, s.Rounds, s.Origin = once, s.Rounds+len(pending.Questions), cmp.Or(run.Origin, run.ID)
	s.Trace = run.Trace
	s.Pending = make(map[string]pendingQuestion, len(pending.Questions))
	for _, q := range pending.Questions {
		s.Pending[q.ID] = pendingQuestion{q.Kind, q.Wording(), phrase.Clip(q.Message, rpc.MaxShown), q.Reworded}
	}
}

// End seals the state of a call that asks questions.
func (r rounds) End(run *handler.Run, o *Outcome) {
	pending, ok := o.Err.(*question.Pending)
	if !ok {
		return
	}
	s := &o.round.state
	s.wait(run, pending, o.Result.Once)
	plain, err := json.Marshal(s)
	if err != nil {
		o.Err = fault.Wrap(err, fault.Internal, "the call cannot be continued")
		return
	}
	o.round.asked, o.round.sealed = pending.Questions, r.set.keys().Seal(plain, purpose(run), time.Now().Add(stateLife))
}

// Render appends the questions with the sealed state, or the result.
func (r rounds) Render(w *rpc.Writer, o *Outcome) {
	if o.round == nil || o.round.sealed == "" {
		r.mcp.Render(w, o)
		return
	}
	r.Open(w, "input_required")
	w.Name("inputRequests").Begin('{')
	for _, q := range o.round.asked {
		w.Name(q.ID)
		r.appendRequest(w, q)
	}
	w.End('}')
	w.Name("requestState").String(o.round.sealed)
	r.close(w, nil, false)
}

// appendRequest appends the request that asks q.
func (c *Call) appendRequest(w *rpc.Writer, q question.Question) {
	w.Raw(`{"method":"` + rpc.MethodElicit + `","params":`)
	w.Value(form(q, c.Client))
	w.End('}')
}

// purpose returns the purpose for which the state of a call is sealed.
func purpose(run *handler.Run) []byte {
	return append([]byte("jptool requestState 3\x00"), run.Scope()...)
}
