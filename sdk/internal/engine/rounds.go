package engine

import (
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/rpc"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
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

// errState is returned for every state that cannot be used. It is a protocol error because no model
// wrote the state (MCP 2026-07-28, multi round-trip requests).
var errState = rpc.Invalid("the requestState of this call is invalid or has expired; call the tool again without it")

// byRounds asks questions in the result of the call and reads the answer from the next request.
func (r *Request) byRounds(call *handler.Request) (suspend, error) {
	call.Asker = question.Later(true, true)
	call.Asker.Resend = r.session.engine.resend
	call.Asker.Visits, call.Asker.Done = r.visits, r.notifyVisited
	var s state
	if err := r.restore(&s, call); err != nil {
		return nil, err
	}
	return func(call handler.Request, out handler.Result, p *question.Pending) (rpc.Appender, error) {
		s.Once, s.Rounds = out.Once, s.Rounds+len(p.Questions)
		return r.store(&s, call, p.Questions)
	}, nil
}

// restore adds the state that the client returned, and the answers of the last round, to the call.
func (r *Request) restore(s *state, call *handler.Request) error {
	c := r.m
	text, ok := rpc.Unquote(c.State)
	if !ok && !rpc.IsNull(c.State) {
		return errState
	}
	if len(text) == 0 {
		return nil // responses without a state cannot be matched to questions
	}
	plain, err := r.session.engine.keys().Open(string(text), r.purpose(*call))
	if err != nil || json.Unmarshal(plain, s) != nil {
		return errState
	}
	if s.Answers == nil {
		s.Answers = map[string]storedAnswer{}
	}
	responses, ok := rpc.Members(c.Responses)
	if !ok && !rpc.IsNull(c.Responses) {
		return rpc.Invalid(`"inputResponses" must be an object`)
	}
	for _, id := range slices.Sorted(maps.Keys(s.Pending)) {
		response, asked := responses[id], s.Pending[id]
		if rpc.IsNull(response) {
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

// store returns the members of a result that asks questions and contains the state.
func (r *Request) store(s *state, call handler.Request, asked []question.Question) (rpc.Appender, error) {
	s.Pending = make(map[string]pendingQuestion, len(asked))
	for _, q := range asked {
		s.Pending[q.ID] = pendingQuestion{q.Kind, q.Wording(), phrase.Clip(q.Message, rpc.MaxShown), q.Reworded}
	}
	plain, err := json.Marshal(s)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the call cannot be continued")
	}
	sealed := r.session.engine.keys().Seal(plain, r.purpose(call), time.Now().Add(stateLife))
	return rpc.AppenderFunc(func(out *rpc.Writer) {
		out.Name("inputRequests").Begin('{')
		for _, q := range asked {
			out.Name(q.ID).Raw(`{"method":"` + rpc.MethodElicit + `","params":`)
			out.Value(form(q, r.version))
			out.End('}')
		}
		out.End('}')
		out.Name("requestState").String(sealed)
	}), nil
}

// purpose returns the purpose for which the state of a call is sealed.
func (r *Request) purpose(call handler.Request) []byte {
	return append([]byte("jptool requestState 3\x00"), r.session.engine.Trust.Scope(r.entry.Contract.Name, call)...)
}

// memory stores results of [tool.Once] for hosts that run a tool again without saying so. A run
// that follows questions has the same scope and the same answers as the run that asked them, plus
// answers to some of these questions. If two calls have the same scope and answers, memory cannot
// distinguish them, so neither gets its results back.
type memory struct {
	mu    sync.Mutex
	calls []*waitingCall // oldest first
	blind time.Time      // the end of the time in which nothing is returned, because some calls were not stored
}

// A waitingCall holds the stored work of a call that waits for answers.
type waitingCall struct {
	key     [sha256.Size]byte // of the run, and the questions that it asked
	asked   []string
	once    map[string]json.RawMessage
	expires time.Time
}

// maxRemembered is the maximum number of calls. If it is exceeded, no results are returned for
// [stateLife], after which all of them have expired.
const maxRemembered = 1000

// A run identifies one run of a call: its scope and the answers to declared questions. Hosts may
// send other answers, which differ from run to run.
type run struct {
	scope   []byte
	answers map[string]question.Answer
}

// declaredAnswers returns the answers to questions that the tool declares.
func declaredAnswers(t *manifest.Tool, answers map[string]question.Answer) map[string]question.Answer {
	answers = maps.Clone(answers)
	maps.DeleteFunc(answers, func(id string, _ question.Answer) bool {
		return !slices.ContainsFunc(t.Questions, func(q manifest.Question) bool {
			return id == q.ID || strings.HasPrefix(id, q.ID+"-")
		})
	})
	return answers
}

// keep stores the work that a run did before it asked questions, even if the run did no such work.
func (m *memory) keep(r run, asked []string, once map[string]json.RawMessage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Before(m.blind) {
		return
	}
	m.calls = slices.DeleteFunc(m.calls, func(w *waitingCall) bool { return !now.Before(w.expires) })
	if len(m.calls) >= maxRemembered {
		m.calls, m.blind = nil, now.Add(stateLife)
		return
	}
	m.calls = append(m.calls, &waitingCall{r.key(asked), asked, once, now.Add(stateLife)})
}

// recall removes and returns the work of the run before r, or nothing while several calls wait for
// the same answers.
func (m *memory) recall(r run, log *slog.Logger) map[string]json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []*waitingCall
	for _, w := range m.calls {
		before := run{scope: r.scope, answers: maps.Clone(r.answers)}
		for _, id := range w.asked {
			delete(before.answers, id)
		}
		if len(before.answers) < len(r.answers) && before.key(w.asked) == w.key && time.Now().Before(w.expires) {
			found = append(found, w)
		}
	}
	if len(found) == 0 {
		return nil
	}
	m.calls = slices.DeleteFunc(m.calls, func(w *waitingCall) bool { return w == found[0] })
	if len(found) > 1 {
		if slices.ContainsFunc(found, func(w *waitingCall) bool { return len(w.once) > 0 }) {
			log.Info("identical calls are waiting for answers: functions passed to tool.Once run again", "questions", found[0].asked)
		}
		for _, w := range found {
			w.once = nil
		}
	}
	return found[0].once
}

// key returns a digest of the run and the questions that it asked.
func (r run) key(asked []string) [sha256.Size]byte {
	h := sha256.New()
	part := func(data []byte) {
		sum := sha256.Sum256(data)
		h.Write(sum[:])
	}
	part(r.scope)
	part([]byte(strings.Join(asked, "\x00")))
	for _, id := range slices.Sorted(maps.Keys(r.answers)) {
		part([]byte(id))
		part(r.answers[id].Content)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
