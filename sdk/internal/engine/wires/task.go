package wires

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A TaskStatus is the state of a task (io.modelcontextprotocol/tasks, Task Status).
type TaskStatus string

// The states of tasks.
const (
	Working       TaskStatus = "working"
	InputRequired TaskStatus = "input_required"
	Completed     TaskStatus = "completed"
	Failed        TaskStatus = "failed"
	Cancelled     TaskStatus = "cancelled"
)

// A Task is a call whose client fetches the result later. It is the JSON that a server seals and stores.
type Task struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"` // of the tool, as the client called it
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Settings is an object with what the caller may set in _meta, for a caller that the server trusts.
	Settings json.RawMessage `json:"settings,omitempty"`
	Caller   handler.Caller  `json:"caller,omitzero"`
	Client   Client          `json:"client"`
	Level    string          `json:"level,omitempty"` // the minimum level of log records for the caller
	Origin   string          `json:"origin"`          // as in handler.Run
	Created  time.Time       `json:"created"`
	Updated  time.Time       `json:"updated"`
	TTL      int             `json:"ttl"` // in milliseconds, as is Poll
	Poll     int             `json:"poll"`

	Status  TaskStatus `json:"status"`
	Message string     `json:"message,omitempty"`
	// Runner identifies the run that may change the task. Runs counts the runs that began since the last answer.
	Runner string          `json:"runner,omitempty"`
	Runs   int             `json:"runs,omitempty"`
	Begun  map[string]bool `json:"begun,omitempty"` // keys of tool.Once whose function began
	State  state           `json:"state,omitzero"`
	// Requests are the requests that the client has not answered, keyed as the client sees them, and Asked counts how
	// often a question was asked, because a key is never used again.
	Requests map[string]taskRequest `json:"requests,omitempty"`
	Asked    map[string]int         `json:"asked,omitempty"`
	Result   json.RawMessage        `json:"result,omitempty"`
	Error    *rpc.Error             `json:"error,omitempty"`
}

// A taskRequest is a request to the client that asks a question.
type taskRequest struct {
	Question string          `json:"question"` // its id
	Request  json.RawMessage `json:"request"`
}

// Ended reports whether the task does not change any more.
func (t *Task) Ended() bool { return t.Status != Working && t.Status != InputRequired }

// End ends the task. What only its runs need is dropped.
func (t *Task) End(status TaskStatus) {
	t.Status, t.Runner, t.Requests, t.Asked, t.Begun, t.State = status, "", nil, nil, nil, state{}
	t.Arguments, t.Settings = nil, nil
}

// Answer stores the client's responses to requests. Others are ignored. It reports whether any response was stored.
// The error is about a response that is malformed; then nothing is stored.
func (t *Task) Answer(responses map[string]jsontext.Value) (changed bool, err error) {
	before := maps.Clone(t.State.Answers)
	for _, key := range slices.Sorted(maps.Keys(t.Requests)) {
		response := responses[key]
		if rpc.IsNull(response) {
			continue
		}
		if err := t.State.answer(t.Requests[key].Question, response, t.Client); err != nil {
			t.State.Answers = before
			return false, err
		}
		changed = true
	}
	if changed {
		maps.DeleteFunc(t.Requests, func(key string, _ taskRequest) bool { return !rpc.IsNull(responses[key]) })
	}
	return changed, nil
}

// AppendMembers appends the members of a task. If detailed is set, they include its requests, its result or its error.
func (t *Task) AppendMembers(w *rpc.Writer, detailed bool) {
	w.Name("taskId").String(t.ID)
	w.Name("status").String(string(t.Status))
	w.Member("statusMessage", t.Message)
	w.Name("createdAt").String(t.Created.UTC().Format(time.RFC3339Nano))
	w.Name("lastUpdatedAt").String(t.Updated.UTC().Format(time.RFC3339Nano))
	w.Name("ttlMs").Raw(strconv.Itoa(t.TTL))
	w.Name("pollIntervalMs").Raw(strconv.Itoa(t.Poll))
	switch {
	case !detailed:
	case t.Status == InputRequired:
		w.Name("inputRequests").Begin('{')
		for _, key := range slices.Sorted(maps.Keys(t.Requests)) {
			w.Name(key).Bytes(t.Requests[key].Request)
		}
		w.End('}')
	case t.Status == Completed:
		w.Name("result").Bytes(t.Result)
	case t.Status == Failed:
		w.Name("error").Value(t.Error)
	}
}

// task is the wire of a call that is a task, or that may become one. It is another wire until then.
type task struct {
	rounds
	first Wire  // for the run that the client's request began; nil for later runs
	of    *Task // nil until the call is a task
}

// TaskWire returns a wire for a call that may become a task: rounds, or nobody if the client cannot ask.
func (c *Call) TaskWire() Wire { return &task{rounds: rounds{mcp{c}}, first: c.Wire} }

// Become makes the call a task, or a plain call again if t is nil. It must not be called after the handler has returned.
func Become(w Wire, t *Task, o *Outcome) {
	w.(*task).of = t
	if t != nil && o.round != nil {
		t.State = o.round.state
	}
}

// Resume returns the wire for a later run of a task.
func (s *Set) Resume(contract *manifest.Tool, former *manifest.Alias, t *Task) Wire {
	c := &Call{Client: t.Client, Line: silent{}, Contract: contract, Former: former}
	s.Admit(c)
	return &task{rounds: rounds{mcp{c}}, of: t}
}

// Ring returns the keys with which the server seals what it stores.
func (s *Set) Ring() *seal.Ring { return s.keys() }

// Begin begins the first run as the other wire does, and restores what earlier runs left in a later run.
func (w *task) Begin(run *handler.Run, o *Outcome) error {
	if w.first != nil {
		return w.first.Begin(run, o)
	}
	if _, asks := w.Wire.(rounds); asks {
		w.ask(run, o)
		run.Asker.Done = nil // notifications are not sent for a task
	} else if err := w.Wire.Begin(run, o); err != nil {
		return err
	}
	w.of.State.restore(run)
	return nil
}

// End records the questions of a run in its task.
func (w *task) End(run *handler.Run, o *Outcome) {
	if w.of == nil {
		w.first.End(run, o)
		return
	}
	pending, ok := o.Err.(*question.Pending)
	if !ok {
		return
	}
	t := w.of
	t.State.wait(run, pending, o.Result.Once)
	t.Requests = make(map[string]taskRequest, len(pending.Questions))
	if t.Asked == nil {
		t.Asked = map[string]int{}
	}
	for _, q := range pending.Questions {
		out := rpc.NewWriter(nil)
		w.appendRequest(out, q)
		request, _ := out.Held()
		key := q.ID
		if t.Asked[q.ID]++; t.Asked[q.ID] > 1 {
			key += "." + strconv.Itoa(t.Asked[q.ID]) // ids of questions have no dots
		}
		t.Requests[key] = taskRequest{q.ID, slices.Clone(request)}
		out.Free()
	}
	t.Status = InputRequired
}

// Render appends the result of a call that is not a task, or the result of the task.
func (w *task) Render(out *rpc.Writer, o *Outcome) {
	if w.of == nil {
		w.first.Render(out, o)
		return
	}
	w.mcp.Render(out, o)
}

// silent is the line of a task, which sends nothing.
type silent struct{}

func (silent) Ask(context.Context, string, any) (*rpc.Message, error) { return nil, errSilent }
func (silent) Notify(string, any) error                               { return errSilent }
func (silent) CanAsk() bool                                           { return false }

var errSilent = errors.New("the client of a task receives no messages")
