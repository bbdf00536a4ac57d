package bind

import (
	"context"
	"encoding/json"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Route takes a question to what answers it. [Routed] makes one.
type Route struct {
	id     string
	answer func(ctx context.Context, q question.Question, arguments any) (question.Answer, error)
}

// Routed returns the route of the question of that id, and of what is asked about
// its subjects. An error of handle ends the call.
func Routed[T any](id string, handle func(context.Context, elicit.Request) (elicit.Response[T], error)) Route {
	return Route{id: id, answer: func(ctx context.Context, q question.Question, arguments any) (question.Answer, error) {
		request := elicit.Request{
			Ref: q.Ref, Message: q.Message, Preamble: q.Preamble, Schema: q.Schema(),
			Options: q.Options, Exclusive: q.Exclusive != "", Arguments: arguments,
		}
		if q.Default != "" {
			request.Default = json.RawMessage(q.Default)
		}
		response, err := handle(ctx, request)
		if err != nil || response.Action != elicit.Accept {
			return question.Answer{Action: response.Action}, err
		}
		content, err := json.Marshal(response.Content)
		if err != nil {
			return question.Answer{}, fault.Wrap(err, fault.InvalidAnswer, "the answer to question %q cannot be encoded as JSON", q.ID)
		}
		return question.Answer{Content: content}, nil
	}}
}

// Elicitor returns the asker of a tool that is called in this process with arguments.
// The embedding program counts as a person.
func Elicitor(arguments any, routes ...Route) question.Asker {
	return question.Asker{Forms: true, Person: true, Ask: func(ctx context.Context, q question.Question) (question.Answer, error) {
		for _, r := range routes {
			if r.id == q.Ref.Key {
				return r.answer(ctx, q, arguments)
			}
		}
		return question.Answer{}, fault.New(fault.InputUnavailable, "question %q has no handler in this program", q.ID)
	}}
}
