package profile

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/peer"
)

// A Runner makes the calls of examples one after another, and answers their questions.
type Runner struct{ example Example }

// Elicit answers a question as the example specifies, and declines other questions. The session in which the
// examples run uses it as its [peer.Options].Elicit.
func (r *Runner) Elicit(_ context.Context, e peer.Elicitation) (peer.Response, error) {
	answer, ok := r.example.Answers[e.Key]
	if !ok {
		return peer.Response{Action: "decline"}, nil
	}
	if answer.Kind() == '{' {
		return peer.Response{Action: "accept", Content: answer}, nil
	}
	form := shape.Read(e.Schema)
	if len(form.Properties) != 1 {
		return peer.Response{}, fmt.Errorf("the answer to %q must be an object with the fields of its form", e.Key)
	}
	content, err := json.Marshal(map[string]jsontext.Value{form.Properties[0].Name: answer})
	return peer.Response{Action: "accept", Content: content}, err
}

// Run makes the call of an example and returns an error if the result is not as expected.
func (r *Runner) Run(ctx context.Context, s interface {
	Call(context.Context, peer.Call) (*peer.Result, error)
}, e Example) error {
	r.example = e
	arguments := e.Arguments
	if len(arguments) == 0 {
		arguments = jsontext.Value(`{}`)
	}
	result, err := s.Call(ctx, peer.Call{Tool: e.Tool, Arguments: arguments})
	if err != nil {
		return err
	}
	return e.check(result)
}

// check compares a result with the expected result.
func (e Example) check(r *peer.Result) error {
	var all strings.Builder
	for _, block := range r.Content {
		all.WriteString(block.Text + "\n" + block.Resource.Text + "\n")
	}
	all.Write(r.Structured)
	text := all.String()
	switch {
	case e.Error == "" && r.IsError:
		return fmt.Errorf("the call failed: %.200s", strings.TrimSpace(text))
	case e.Error != "" && !r.IsError:
		return fmt.Errorf("the call succeeded, but should have failed with %s", e.Error)
	case e.Error != "" && e.Error != "*" && code(r, text) != e.Error:
		return fmt.Errorf("the call failed, but not with %s; the result is: %.200s", e.Error, strings.TrimSpace(text))
	}
	for _, want := range e.Contains {
		if !strings.Contains(text, want) {
			return fmt.Errorf("the result does not contain %.80q: %.200s", want, strings.TrimSpace(text))
		}
	}
	return nil
}

// code returns the code of a failed result. For a server built with jptool, the code is in the metadata. For
// other servers, it is the first word of the text.
func code(r *peer.Result, text string) string {
	if code, _ := r.Fault(); code != "" {
		return code
	}
	word, _, _ := strings.Cut(strings.TrimSpace(text), ":")
	return word
}
