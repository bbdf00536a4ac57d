package elicit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// askTogether asks for a name and a count.
func askTogether(ctx context.Context, q questions) (name string, count float64, err error) {
	err = elicit.Together(ctx, q.Name.Into(&name, "Who?"), q.Count.Into(&count, "How many?"))
	return name, count, err
}

// If one question has no answer, the other answers are kept, and each question has its own error.
func TestTogetherWithoutSomeAnswers(t *testing.T) {
	for _, tc := range []struct {
		name, count question.Answer
		acknowledge bool
		want        string
	}{
		{question.Answer{Content: []byte(`"ann"`)}, question.Answer{Content: []byte(`2`)}, false, `ann 2 <nil>`},
		{question.Answer{Action: elicit.Decline}, question.Answer{Content: []byte(`2`)}, false, ` 2 input_declined: question "name" was declined: Who?`},
		{question.Answer{Action: elicit.Decline}, question.Answer{Action: elicit.Cancel}, false,
			` 0 input_declined: question "name" was declined: Who?; question "count" was canceled: How many?`},
		{question.Answer{Action: elicit.Decline}, question.Answer{Action: elicit.Cancel}, true, ` 0 <nil>`},
	} {
		answers := map[string]question.Answer{"name": tc.name, "count": tc.count}
		got, causes := "", error(nil)
		ended, _ := run(t, question.Run{Asker: question.Asker{Forms: true, Person: true, Ask: func(_ context.Context, q question.Question) (question.Answer, error) {
			return answers[q.ID], nil
		}}}, func(ctx context.Context, q questions) error {
			name, count, err := askTogether(ctx, q)
			got, causes = fmt.Sprint(name, " ", count, " "), err
			if tc.acknowledge && !elicit.Acknowledge(err) {
				t.Error("the error is not that of a question")
			} else if tc.acknowledge {
				err = nil
			}
			return err
		})
		if got += fmt.Sprint(ended); got != tc.want {
			t.Errorf("%+v: got %s, want %s", tc, got, tc.want)
		}
		if errors.Is(causes, elicit.ErrDeclined) != (tc.name.Action == elicit.Decline) || errors.Is(causes, elicit.ErrCanceled) != (tc.count.Action == elicit.Cancel) {
			t.Errorf("%+v: the error is %v", tc, causes)
		}
	}
}

// If one of the questions cannot be asked, no question is asked. The number of questions in a call
// is limited.
func TestTogetherThatCannotBeAsked(t *testing.T) {
	for name, tc := range map[string]struct {
		run  question.Run
		ask  func(ctx context.Context, q questions) error
		code fault.Code
		want string
	}{
		"a secret": {question.Run{}, func(ctx context.Context, q questions) error {
			var name, word string
			return elicit.Together(ctx, q.Name.Into(&name, "Who?"), q.Word.Into(&word, "Which password?"))
		}, fault.InputUnavailable, "cannot ask for a secret"},
		"an exclusive one": {question.Run{Asker: question.Later(true, false)}, func(ctx context.Context, q questions) error {
			var name string
			var sure bool
			return elicit.Together(ctx, q.Name.Into(&name, "Who?"), q.Strict.Into(&sure, "Sure?"))
		}, fault.InputUnavailable, "A person must answer it"},
		"one twice": {question.Run{}, func(ctx context.Context, q questions) error {
			var a, b string
			return elicit.Together(ctx, q.Name.Into(&a, "Who?"), q.Name.Into(&b, "Who?"))
		}, fault.Internal, `"name" occurs twice`},
		"an undeclared one": {question.Run{}, func(ctx context.Context, q questions) error {
			return elicit.Together(ctx, elicit.Part{})
		}, fault.Internal, "does not declare"},
		"an undeclared one after another": {question.Run{}, func(ctx context.Context, q questions) error {
			var name string
			return elicit.Together(ctx, q.Name.Into(&name, "Who?"), elicit.Part{})
		}, fault.Internal, "does not declare"},
		"an incomplete one after a refused one": {question.Run{}, func(ctx context.Context, q questions) error {
			var word, note string
			return elicit.Together(ctx, q.Word.Into(&word, "Which password?"), q.Note.Into(&note, "Which?"))
		}, fault.Internal, "nothing to pick from"},
		"reworded": {question.Run{Answers: map[string]question.Answer{"name": {Content: []byte(`"ann"`)}}}, func(ctx context.Context, q questions) error {
			var name string
			var count float64
			if _, err := q.Name.Ask(ctx, "Who?"); err != nil {
				return err
			}
			return elicit.Together(ctx, q.Count.Into(&count, "How many?"), q.Name.Into(&name, "Whose?"))
		}, fault.Internal, `"name" was asked twice in one run with different texts`},
		"too many": {question.Run{MaxRounds: 1}, func(ctx context.Context, q questions) error {
			_, _, err := askTogether(ctx, q)
			return err
		}, fault.Internal, `"count" exceeds the maximum number of questions per call (1)`},
	} {
		asks := 0
		if tc.run.Asker.Ask == nil {
			tc.run.Asker = question.Later(true, true)
		}
		later := tc.run.Asker.Ask
		tc.run.Asker.Ask = func(ctx context.Context, q question.Question) (question.Answer, error) {
			asks++
			return later(ctx, q)
		}
		ended, _ := run(t, tc.run, tc.ask)
		if asks > 0 {
			t.Errorf("%s: asked %d questions", name, asks)
		}
		if fault.CodeOf(ended) != tc.code || !strings.Contains(fmt.Sprint(ended), tc.want) {
			t.Errorf("%s: ended with %v, want %s", name, ended, tc.want)
		}
	}
}

// An asker with forms gets all open questions together; other askers get the first one.
func TestTogetherPending(t *testing.T) {
	for forms, want := range map[bool][]string{true: {"name", "count"}, false: {"name"}} {
		after := false
		ended, _ := run(t, question.Run{Asker: question.Later(forms, false)}, func(ctx context.Context, q questions) error {
			_, _, err := askTogether(ctx, q)
			after = true
			return err
		})
		pending, ok := errors.AsType[*question.Pending](ended)
		if !ok || !slices.Equal(pending.IDs(), want) || after {
			t.Errorf("forms %t: ended with %v, went on: %t", forms, ended, after)
		}
	}
	if err := elicit.Together(t.Context()); err != nil {
		t.Errorf("without questions: %v", err)
	}
}
