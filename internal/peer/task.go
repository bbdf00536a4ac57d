package peer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

const (
	tasksExtension = "io.modelcontextprotocol/tasks"
	methodGetTask  = "tasks/get"
)

// A Task is the state of a call whose result the client fetches later (io.modelcontextprotocol/tasks).
type Task struct {
	// Raw is the unparsed state.
	Raw        jsontext.Value `json:"-"`
	ResultType string         `json:"resultType"`
	ID         string         `json:"taskId"`
	// Status is working, input_required, completed, failed or cancelled.
	Status   string         `json:"status"`
	Message  string         `json:"statusMessage"`
	Poll     float64        `json:"pollIntervalMs"`
	Requests jsontext.Value `json:"inputRequests"`
	Result   jsontext.Value `json:"result"`
	Error    *RemoteError   `json:"error"`
}

// Ended reports whether the task does not change any more.
func (t *Task) Ended() bool {
	return t.Status == "completed" || t.Status == "failed" || t.Status == "cancelled"
}

// Outcome returns the result of a completed task.
func (t *Task) Outcome() (*Result, error) { return readResult(t.Result) }

// ErrTaskCanceled means that a task was canceled.
var ErrTaskCanceled = errors.New("the task was canceled")

// Task returns the state of a task.
func (s *Session) Task(ctx context.Context, id string) (*Task, error) {
	raw, err := s.request(ctx, methodGetTask, params{TaskID: id}, s.options.Limits.Silence)
	if err != nil {
		return nil, err
	}
	t := &Task{Raw: raw}
	if err := json.Unmarshal(raw, t); err != nil || t.ID != id {
		return nil, malformed(methodGetTask, fmt.Errorf("it is not the state of task %.60q", id))
	}
	return t, nil
}

// CancelTask asks the server to cancel a task. The server may still finish it.
func (s *Session) CancelTask(ctx context.Context, id string) error {
	_, err := s.request(ctx, "tasks/cancel", params{TaskID: id}, s.options.Limits.Silence)
	return err
}

// Follow waits for the end of a task, answers its questions with [Options].Elicit, and returns its result. It shows the
// status as progress. If ctx ends first, the task goes on.
func (s *Session) Follow(ctx context.Context, id string) (*Result, error) {
	t, err := s.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.follow(ctx, t)
}

func (s *Session) follow(ctx context.Context, t *Task) (_ *Result, err error) {
	id := t.ID
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("task %s goes on: %w", id, err)
		}
	}()
	answered := map[string]bool{}
	for shown := ""; ; {
		if t.Message != shown && t.Message != "" && !t.Ended() && s.options.Progress != nil {
			s.options.Progress(Progress{Message: t.Message})
			shown = t.Message
		}
		switch t.Status {
		case "completed":
			return t.Outcome()
		case "failed":
			if t.Error == nil {
				return nil, malformed(methodGetTask, errors.New("the failed task has no error"))
			}
			return nil, t.Error
		case "cancelled":
			return nil, ErrTaskCanceled
		case "input_required":
			if len(answered) >= MaxRounds {
				return nil, errRounds
			}
			if err := s.answerTask(ctx, t, answered); err != nil {
				return nil, err
			}
		}
		if err := wait(ctx, t.Poll); err != nil {
			return nil, err
		}
		if t, err = s.Task(ctx, id); err != nil {
			return nil, err
		}
	}
}

// answerTask answers the questions of a task, except those that it has answered before.
func (s *Session) answerTask(ctx context.Context, t *Task, answered map[string]bool) error {
	responses, err := s.respond(ctx, methodGetTask, inputRequired{InputRequests: unanswered(t.Requests, answered), RequestState: t.ID})
	if err != nil || len(responses) == 0 {
		return err
	}
	for key := range responses {
		answered[key] = true
	}
	_, err = s.request(ctx, "tasks/update", params{TaskID: t.ID, InputResponses: responses}, s.options.Limits.Silence)
	return err
}

// unanswered returns the requests whose keys are new.
func unanswered(requests jsontext.Value, answered map[string]bool) jsontext.Value {
	return rawjson.Object(slices.DeleteFunc(rawjson.Parts(requests), func(m rawjson.Member) bool { return answered[m.Name] }))
}

// wait waits for an interval in milliseconds, which a server chooses.
func wait(ctx context.Context, poll float64) error {
	const least, most, usual = 50, 60_000, 1000
	if !(poll > 0) {
		poll = usual
	}
	timer := time.NewTimer(time.Duration(min(max(poll, least), most)) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
