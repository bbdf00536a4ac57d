package elicit

import (
	"context"
	"encoding/json"

	"github.com/jptool/jptool/sdk/fault"
)

// A Request is a question as an elicitor in this process receives it.
type Request struct {
	// Ref identifies the question: its tool, key and call, and the how-manieth of
	// the call it is.
	Ref Ref
	// Message is the question, one line; Preamble is what goes before it.
	Message, Preamble string
	// Schema is the JSON Schema of the answer.
	Schema json.RawMessage
	// Default is the declared default as JSON, nil for none.
	Default json.RawMessage
	// Options are what a choice or a pick accepts.
	Options []Option
	// Arguments is what the tool was called with, the value of its input struct.
	Arguments any
}

// A Response is what an elicitor returns: [Accepted], [Declined] or [Canceled].
type Response[T any] struct {
	Action  Action
	Content T
}

// Accepted returns the response that answers a question.
func Accepted[T any](content T) Response[T] { return Response[T]{Content: content} }

// Declined returns the response of somebody who will not answer.
func Declined[T any]() Response[T] { return Response[T]{Action: Decline} }

// Canceled returns the response of somebody who dismissed the question.
func Canceled[T any]() Response[T] { return Response[T]{Action: Cancel} }

// A Handler answers one question of a tool. An error ends the call.
type Handler[T any] func(ctx context.Context, r Request) (Response[T], error)

// A Route takes a question to its handler. [Routed] makes one.
type Route struct {
	id     string
	answer func(ctx context.Context, q Question, arguments any) (Answer, error)
}

// Routed returns the route of the question of that id, and of what is asked about
// its subjects. Generated code calls it.
func Routed[T any](id string, handle Handler[T]) Route {
	return Route{id: id, answer: func(ctx context.Context, q Question, arguments any) (Answer, error) {
		request := Request{
			Ref: q.Ref, Message: q.Message, Preamble: q.Preamble, Schema: q.Schema(),
			Options: q.Options, Arguments: arguments,
		}
		if q.Default != "" {
			request.Default = json.RawMessage(q.Default)
		}
		response, err := handle(ctx, request)
		if err != nil || response.Action != Accept {
			return Answer{Action: response.Action}, err
		}
		content, err := json.Marshal(response.Content)
		if err != nil {
			return Answer{}, fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q has no JSON", q.ID)
		}
		return Answer{Content: content}, nil
	}}
}

// An Elicitor is the Asker of tools that are called in this process.
type Elicitor struct {
	// Arguments are handed to every handler.
	Arguments any
	// Routes are the questions of the tool.
	Routes []Route
}

// Forms reports that forms are asked as a whole.
func (Elicitor) Forms() bool { return true }

// Ask has q answered by the handler of its id.
func (e Elicitor) Ask(ctx context.Context, q Question) (Answer, error) {
	about := -1
	for i, r := range e.Routes {
		if r.id == q.ID {
			return r.answer(ctx, q, e.Arguments)
		}
		if len(q.ID) > len(r.id) && q.ID[:len(r.id)] == r.id && q.ID[len(r.id)] == '-' && (about < 0 || len(r.id) > len(e.Routes[about].id)) {
			about = i
		}
	}
	if about >= 0 {
		return e.Routes[about].answer(ctx, q, e.Arguments)
	}
	return Answer{}, fault.New(fault.InputUnavailable, "nobody answers question %q", q.ID)
}
