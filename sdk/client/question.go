package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/gen/question"
)

// metaQuestion is the _meta key that identifies the question of a form.
const metaQuestion = "computer.jp/question"

// A Question is a question that a tool asks.
type Question struct {
	// Tool and ID identify the question; both are "" for servers that do not send them. If a
	// question is asked again because the answer was invalid, its id ends with two dashes and the
	// number of times it has been asked.
	Tool, ID string
	Subject  string          // what the question is about, if it is asked for each of several subjects
	Message  string          // the question, possibly with a preamble before it
	Schema   json.RawMessage // the schema of the answer (MCP, ElicitRequest)
}

// An Answerer answers a question with a value that encodes as JSON: a bool, a string, a number, a
// list of strings, or a struct for a form. It may return [ErrDeclined] or [ErrCanceled]; with any
// other error, the question fails. A client calls it for one question at a time.
type Answerer func(ctx context.Context, q Question) (any, error)

// A Declared is a question in the contract, with the function that answers it.
type Declared struct {
	Tool, ID string
	Answer   Answerer
}

// Dispatch returns an Answerer that passes each question to its handler and sets Subject. For a
// question without a handler, it returns an error.
func Dispatch(all ...Declared) Answerer {
	all = slices.Clone(all)
	// One id may be a prefix of another, so the longest id that matches is the declared one.
	slices.SortStableFunc(all, func(a, b Declared) int { return len(b.ID) - len(a.ID) })
	return func(ctx context.Context, q Question) (any, error) {
		id, _ := question.Try(q.ID)
		for _, d := range all {
			subject, ok := strings.CutPrefix(id, d.ID)
			if d.Tool == q.Tool && ok && (subject == "" || subject[0] == '-') {
				q.Subject = strings.TrimPrefix(subject, "-")
				return d.Answer(ctx, q)
			}
		}
		return nil, fmt.Errorf("the contract has no question %q for tool %q", q.ID, q.Tool)
	}
}

func elicit(ctx context.Context, answer Answerer, params *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	q := Question{Message: params.Message}
	if ref, ok := params.Meta[metaQuestion].(map[string]any); ok {
		q.Tool, _ = ref["tool"].(string)
		q.ID, _ = ref["id"].(string)
	}
	var err error
	if q.Schema, err = json.Marshal(params.RequestedSchema); err != nil {
		return nil, fmt.Errorf("reading the form: %w", err)
	}
	value, err := answer(ctx, q)
	switch {
	case errors.Is(err, ErrDeclined):
		return &mcp.ElicitResult{Action: "decline"}, nil
	case errors.Is(err, ErrCanceled):
		return &mcp.ElicitResult{Action: "cancel"}, nil
	case err != nil:
		return nil, err
	}
	content, err := fields(q.Schema, value)
	if err != nil {
		return nil, fmt.Errorf("the answer to %q: %w", q.ID, err)
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

// fields returns the content of a form: the members of an object or, for another value, the
// form's only field.
func fields(schema json.RawMessage, value any) (map[string]any, error) {
	var plain any
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, &plain)
	}
	if err != nil {
		return nil, err
	}
	if members, ok := plain.(map[string]any); ok {
		return members, nil
	}
	var form struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(schema, &form); err != nil {
		return nil, err
	}
	if len(form.Properties) != 1 {
		return nil, fmt.Errorf("the form has %d fields, but the answer is not an object", len(form.Properties))
	}
	name := slices.Collect(maps.Keys(form.Properties))[0]
	return map[string]any{name: plain}, nil
}
