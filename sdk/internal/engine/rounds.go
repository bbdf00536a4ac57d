package engine

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
)

// stateLife is the time a client has to return with an answer.
const stateLife = time.Hour

// A state is shared by the rounds of a call. A request has the answers of the last round only; the
// earlier ones are part of the state, which the client returns.
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

// byRounds asks in the result of the call and reads the answer from the next request (MCP from
// 2026-07-28, multi round-trip requests).
func (r *Request) byRounds(call *tool.Request) (suspend, error) {
	call.Asker = question.Later(true, true)
	call.Asker.Resend = r.session.engine.resend
	call.Asker.Visits, call.Asker.Done = r.visits, r.visited
	var s state
	if err := r.restore(&s, call); err != nil {
		return nil, err
	}
	return func(call tool.Request, out tool.Result, p *question.Pending) (Appender, error) {
		s.Once, s.Rounds = out.Once, s.Rounds+len(p.Questions)
		return r.store(&s, call, p.Questions)
	}, nil
}

// restore reads the state that the client returned and the answers of the last round, and adds them to
// the call.
func (r *Request) restore(s *state, call *tool.Request) error {
	c := r.m
	if isNull(c.state) {
		// Responses without a state cannot be matched to questions.
		return nil
	}
	text, ok := unquoted(c.state)
	if !ok {
		return errState()
	}
	if len(text) == 0 {
		return nil
	}
	plain, err := r.session.engine.keys().Open(string(text), r.purpose(*call))
	if err != nil || json.Unmarshal(plain, s) != nil {
		return errState()
	}
	if s.Answers == nil {
		s.Answers = map[string]storedAnswer{}
	}
	responses, ok := members(c.responses)
	if !ok && !isNull(c.responses) {
		return invalid(`"inputResponses" must be an object`)
	}
	for _, id := range slices.Sorted(maps.Keys(s.Pending)) {
		response, asked := responses[id], s.Pending[id]
		if isNull(response) {
			continue // the handler asks again
		}
		answer, err := answerOf(response, question.Question{Spec: question.Spec{ID: id, Kind: asked.Kind}}, r.version)
		if err != nil {
			return err
		}
		s.Answers[id] = storedAnswer{answer.Action, answer.Content, asked}
	}
	if call.Answers == nil {
		call.Answers = make(map[string]question.Answer, len(s.Answers))
	}
	for id, a := range s.Answers {
		call.Answers[id] = question.Answer{
			Action: a.Action, Content: a.Content, Person: true,
			Wording: a.Question.Wording, Message: a.Question.Message, Reworded: a.Question.Reworded,
		}
	}
	call.Once, call.Rounds = s.Once, s.Rounds
	return nil
}

// store returns the members of a result that asks questions: the questions, and the state that the
// client returns with the answers.
func (r *Request) store(s *state, call tool.Request, asked []question.Question) (Appender, error) {
	s.Pending = make(map[string]pendingQuestion, len(asked))
	for _, q := range asked {
		s.Pending[q.ID] = pendingQuestion{q.Kind, q.Wording(), phrase.Clip(q.Message, mostShown), q.Reworded}
	}
	plain, err := json.Marshal(s)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the call cannot be continued")
	}
	sealed := r.session.engine.keys().Seal(plain, r.purpose(call), time.Now().Add(stateLife))
	return appenderFunc(func(out *Writer) {
		out.Name("inputRequests").Begin('{')
		for _, q := range asked {
			out.Name(q.ID).Raw(`{"method":"` + methodElicit + `","params":`)
			out.Value(form(q, r.version))
			out.End('}')
		}
		out.End('}')
		out.Name("requestState").String(sealed)
	}), nil
}

// purpose returns the purpose for which the state of a call is sealed. It contains the scope of the
// call.
func (r *Request) purpose(call tool.Request) []byte {
	return append([]byte("jptool requestState 3\x00"), r.session.engine.Trust.Scope(r.entry.Contract.Name, call)...)
}
