package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
)

// An event is a line in the response of a call.
type event struct {
	Event    string          `json:"event"` // question, progress, result or error
	Question *asked          `json:"question,omitempty"`
	Progress *progress       `json:"progress,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
	Error    string          `json:"error,omitempty"`
}

type asked struct {
	ID string `json:"id"` // id of the question, for its answer
	Question
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
	waiting map[string]chan Reply
}

func newCalls() *calls {
	return &calls{slots: make(chan struct{}, maxCalls), waiting: map[string]chan Reply{}}
}

// ask registers a question. It returns the id, the channel for the answer, and a function that withdraws the
// question.
func (c *calls) ask() (string, <-chan Reply, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	id, answer := strconv.Itoa(c.next), make(chan Reply, 1)
	c.waiting[id] = answer
	return id, answer, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, id)
	}
}

// answer delivers a reply to the question with an id. It reports whether the question was pending.
func (c *calls) answer(id string, r Reply) bool {
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
		http.Error(w, "too many concurrent calls", http.StatusTooManyRequests)
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
		Ask: func(ctx context.Context, q Question) (Reply, error) {
			id, answer, withdraw := s.calls.ask()
			defer withdraw()
			send(event{Event: "question", Question: &asked{id, q}})
			select {
			case a := <-answer:
				return a, nil
			case <-ctx.Done():
				return Reply{}, ctx.Err()
			}
		},
		Progress: func(done, total float64, message string) {
			send(event{Event: "progress", Progress: &progress{done, total, message}})
		},
	})
	if err != nil {
		send(event{Event: "error", Error: err.Error()})
		return
	}
	send(event{Event: "result", Result: result})
}

// answer receives the answer to a question.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	var a struct {
		ID string `json:"id"`
		Reply
	}
	if err := readAnswer(r, &a); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch a.Action {
	case "accept", "decline", "cancel":
	default:
		http.Error(w, "the action must be accept, decline or cancel", http.StatusBadRequest)
		return
	}
	if !s.calls.answer(a.ID, a.Reply) {
		http.Error(w, "no pending question has this id", http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func readAnswer(r *http.Request, into any) error {
	if json.NewDecoder(r.Body).Decode(into) != nil {
		return errors.New("invalid answer")
	}
	return nil
}
