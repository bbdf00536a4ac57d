package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
)

// An event is a line in the response to a call.
type event struct {
	Event    string          `json:"event"` // question, progress, log, line, result or error
	Question *pageQuestion   `json:"question,omitempty"`
	Progress *progress       `json:"progress,omitempty"`
	Text     string          `json:"text,omitempty"` // the text of a log record, or the command line that repeats the call
	Result   json.RawMessage `json:"result,omitempty"`
	Failed   bool            `json:"failed,omitempty"` // the tool failed
	Error    string          `json:"error,omitempty"`
}

// A pageQuestion is a question as the page shows it.
type pageQuestion struct {
	ID       string  `json:"id"` // the id by which the answer refers to the question
	Key      string  `json:"key"`
	Asker    string  `json:"asker"`
	Warning  string  `json:"warning,omitempty"`
	Preamble string  `json:"preamble,omitempty"`
	Message  string  `json:"message"`
	URL      string  `json:"url,omitempty"`
	Host     string  `json:"host,omitempty"`
	Fields   []field `json:"fields"`
}

func askedOf(id, server, kind, tool string, q caller.Question) *pageQuestion {
	q, warning := q.Guard()
	out := &pageQuestion{ID: id, Key: q.ID, Asker: caller.Asker(server, kind, tool), Warning: warning, Preamble: q.Preamble, Message: q.Text, URL: q.URL, Host: q.Host()}
	if out.Fields = formOf(q.Schema); !q.Form {
		out.Fields = []field{fieldOf(shape.Property{Name: caller.AnswerName, Schema: q.Schema, Required: true})}
	}
	return out
}

// A reply is the reply to a question: accept, decline or cancel, and the content of the form.
type reply struct {
	Action  string                    `json:"action"`
	Content map[string]jsontext.Value `json:"content,omitempty"`
}

// value returns the answer to a question.
func (r reply) value(q caller.Question) (jsontext.Value, error) {
	switch {
	case r.Action == "decline":
		return nil, terminal.ErrDeclined
	case r.Action == "cancel":
		return nil, terminal.ErrCanceled
	case q.Form && r.Content == nil:
		return jsontext.Value("{}"), nil
	case q.Form:
		return jsonv2.Marshal(r.Content, jsonv2.Deterministic(true))
	case r.Content[caller.AnswerName] == nil:
		return nil, errors.New("the page did not send an answer")
	}
	return r.Content[caller.AnswerName], nil
}

type progress struct {
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitempty"`
	Message string  `json:"message,omitempty"`
}

// calls holds the running calls and the pending questions.
type calls struct {
	slots   chan struct{}
	mu      sync.Mutex
	next    int
	waiting map[string]chan reply
}

// ask registers a question. It returns the id of the question, the channel for the answer, and a function that
// withdraws the question.
func (c *calls) ask() (string, <-chan reply, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	id, answer := strconv.Itoa(c.next), make(chan reply, 1)
	c.waiting[id] = answer
	return id, answer, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, id)
	}
}

// answer delivers a reply to the question with the given id. It reports whether the question was pending.
func (c *calls) answer(id string, r reply) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting, ok := c.waiting[id]
	if ok {
		delete(c.waiting, id)
		waiting <- r
	}
	return ok
}

// call runs a call and sends a line of JSON for each event. The call is canceled if the browser disconnects.
func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	var req Request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || req.Tool == "" {
		http.Error(w, "invalid call", http.StatusBadRequest)
		return
	}
	select {
	case s.calls.slots <- struct{}{}:
		defer func() { <-s.calls.slots }()
	default:
		http.Error(w, "too many concurrent calls; wait until one of them has finished", http.StatusTooManyRequests)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var mu sync.Mutex
	send := func(e event) {
		mu.Lock()
		defer mu.Unlock()
		data, err := json.Marshal(e)
		if err == nil {
			data, err = markHidden(data)
		}
		if err == nil {
			_, err = w.Write(append(data, '\n'))
		}
		if err == nil {
			err = http.NewResponseController(w).Flush()
		}
		if err != nil {
			cancel()
		}
	}
	result, err := s.console.Call(ctx, req, Hooks{
		Ask: func(ctx context.Context, q caller.Question) (jsontext.Value, error) {
			id, answer, withdraw := s.calls.ask()
			defer withdraw()
			send(event{Event: "question", Question: askedOf(id, s.console.Server, req.Kind, req.Tool, q)})
			select {
			case a := <-answer:
				return a.value(q)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
		Log:  func(text string) { send(event{Event: "log", Text: text}) },
		Line: func(text string) { send(event{Event: "line", Text: text}) },
		Progress: func(done, total float64, message string) {
			send(event{Event: "progress", Progress: &progress{done, total, message}})
		},
	})
	if err != nil {
		send(event{Event: "error", Error: err.Error()})
		return
	}
	send(event{Event: "result", Result: result.Value, Failed: result.Failed})
}

// answer receives the answer to a question.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	var a struct {
		ID string `json:"id"`
		reply
	}
	if json.NewDecoder(r.Body).Decode(&a) != nil {
		http.Error(w, "invalid answer", http.StatusBadRequest)
		return
	}
	if !slices.Contains([]string{"accept", "decline", "cancel"}, a.Action) {
		http.Error(w, "the action must be accept, decline or cancel", http.StatusBadRequest)
		return
	}
	if !s.calls.answer(a.ID, a.reply) {
		http.Error(w, "no pending question has this id", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
