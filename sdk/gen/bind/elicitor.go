package bind

import (
	"context"
	"encoding/json"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// An Answerer answers questions with JSON. An error ends the call.
type Answerer = func(context.Context, elicit.Request) (elicit.Response[json.RawMessage], error)

// A Route answers one declared question.
type Route struct {
	id     string
	answer Answerer
}

// Routed returns the route for the question with the given id. An error of handle ends the call.
func Routed[T any](id string, handle func(context.Context, elicit.Request) (elicit.Response[T], error)) Route {
	return Route{id: id, answer: func(ctx context.Context, r elicit.Request) (elicit.Response[json.RawMessage], error) {
		response, err := handle(ctx, r)
		if err != nil || response.Action != elicit.Accept {
			return elicit.Response[json.RawMessage]{Action: response.Action}, err
		}
		content, err := json.Marshal(response.Content)
		if err != nil {
			err = fault.Wrap(err, fault.InvalidAnswer, "the answer to the question %q cannot be encoded as JSON", id)
		}
		return elicit.Accepted[json.RawMessage](content), err
	}}
}

// Elicitor returns the asker for an in-process call to a tool with these arguments.
func Elicitor(arguments any, routes ...Route) question.Asker {
	return Asker(arguments, func(ctx context.Context, r elicit.Request) (elicit.Response[json.RawMessage], error) {
		for _, route := range routes {
			if route.id == r.Ref.Key {
				return route.answer(ctx, r)
			}
		}
		return elicit.Response[json.RawMessage]{}, fault.New(fault.InputUnavailable, "question %q has no handler in this program", r.Ref.Key)
	})
}

// Asker returns the asker for an in-process call to a tool with these arguments. The program's
// answers count as a person's answers.
func Asker(arguments any, answer Answerer) question.Asker {
	return question.Asker{Forms: true, Person: true, Secrets: true, Visits: true, Ask: func(ctx context.Context, q question.Question) (question.Answer, error) {
		request := elicit.Request{
			Ref: q.Ref, Message: q.Message, Preamble: q.Preamble, Shown: q.Context, Schema: q.Schema(),
			Options: q.Options, URL: q.URL, Exclusive: q.Exclusive != "", Arguments: arguments,
		}
		if q.Default != "" {
			request.Default = json.RawMessage(q.Default)
		}
		response, err := answer(ctx, request)
		if err != nil || response.Action != elicit.Accept {
			return question.Answer{Action: response.Action}, err
		}
		return question.Answer{Content: response.Content, Person: true}, nil
	}}
}
