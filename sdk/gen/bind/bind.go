// Package bind creates the questions of a tool for generated code, and routes the questions of
// an in-process call to the functions that answer them. Handwritten code uses package elicit.
package bind

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Confirm adds the question that spec declares to the set.
func Confirm(set *question.Set, spec question.Spec) elicit.Confirm {
	return elicit.Bound[elicit.Confirm](declare(set, question.KindConfirm, spec), isTrue)
}

// Choice adds the question that spec declares to the set. The answer is one of its options.
func Choice[T ~string](set *question.Set, spec question.Spec) elicit.Choice[T] {
	return elicit.Bound[elicit.Choice[T]](declare(set, question.KindChoice, spec), text[T])
}

// Text adds the question that spec declares to the set.
func Text(set *question.Set, spec question.Spec) elicit.Text {
	return elicit.Bound[elicit.Text](declare(set, question.KindText, spec), text[string])
}

// Number adds the question that spec declares to the set.
func Number(set *question.Set, spec question.Spec) elicit.Number {
	return elicit.Bound[elicit.Number](declare(set, question.KindNumber, spec), func(answer json.RawMessage) (float64, error) {
		return strconv.ParseFloat(string(answer), 64)
	})
}

// Pick adds the question that spec declares to the set.
func Pick(set *question.Set, spec question.Spec) elicit.Pick {
	return elicit.Bound[elicit.Pick](declare(set, question.KindPick, spec), text[string])
}

// Several adds the question that spec declares to the set. The answer contains some of its
// options.
func Several[T ~string](set *question.Set, spec question.Spec) elicit.Several[T] {
	return elicit.Bound[elicit.Several[T]](declare(set, question.KindSeveral, spec), func(answer json.RawMessage) (values []T, err error) {
		err = json.Unmarshal(answer, &values)
		return values, err
	})
}

// Secret adds the question that spec declares to the set.
func Secret(set *question.Set, spec question.Spec) elicit.Secret {
	return elicit.Bound[elicit.Secret](declare(set, question.KindSecret, spec), text[string])
}

// Visit adds the question that spec declares to the set.
func Visit(set *question.Set, spec question.Spec) elicit.Visit {
	return elicit.Bound[elicit.Visit](declare(set, question.KindVisit, spec), isTrue)
}

// Form adds the question that spec declares to the set; read decodes a validated answer.
func Form[T any](set *question.Set, spec question.Spec, read func(json.RawMessage) (T, error)) elicit.Form[T] {
	return elicit.Bound[elicit.Form[T]](declare(set, question.KindForm, spec), read)
}

// An Answerer answers questions with JSON. An error ends the call.
type Answerer = func(context.Context, elicit.Request) (elicit.Response[json.RawMessage], error)

// A Route answers one declared question.
type Route struct {
	id     string
	answer Answerer
}

// Routed returns the route for the question with the given id. An error from handle ends the
// call.
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

func declare(set *question.Set, kind question.Kind, spec question.Spec) question.Question {
	spec.Kind = kind
	return set.Declare(spec)
}

func isTrue(answer json.RawMessage) (bool, error) { return string(answer) == "true", nil }

// text returns a validated answer as a string.
func text[T ~string](answer json.RawMessage) (T, error) {
	var s string
	err := json.Unmarshal(answer, &s)
	return T(s), err
}
