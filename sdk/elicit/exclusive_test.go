package elicit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

func TestCannotAsk(t *testing.T) {
	asker := question.CannotAsk(func(q question.Question) string { return "Resend " + q.ID + "." })
	ended, _ := run(t, question.Run{Asker: asker}, func(ctx context.Context, q questions) error {
		if got, err := q.Color.Ask(ctx, "Which?"); err != nil || got != red {
			t.Errorf("a question with a default = %v, %v", got, err)
		}
		if got, err := q.Note.Among("a", "b").Default("b").Ask(ctx, "Which?"); err != nil || got != "b" {
			t.Errorf("a pick with a default = %v, %v", got, err)
		}
		_, err := q.Sure.Ask(ctx, "Delete it?")
		if fault.CodeOf(err) != fault.InputUnavailable {
			t.Fatalf("Ask = %v, want input_unavailable", err)
		}
		for _, want := range []string{`"sure"`, "Delete it?", "true or false", "Resend sure."} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the message lacks %q: %v", want, err)
			}
		}
		_, err = q.Strict.Ask(ctx, "Delete it?")
		if fault.CodeOf(err) != fault.InputUnavailable || strings.Contains(err.Error(), "Resend") {
			t.Errorf("an exclusive question: %v", err)
		}
		return nil
	})
	if fault.CodeOf(ended) != fault.InputUnavailable || !strings.Contains(ended.Error(), `"sure"`) {
		t.Errorf("a confirmation that could not be asked did not end the call: %v", ended)
	}
}

// An exclusive question accepts an answer from a person. It accepts an answer from a host that
// cannot distinguish persons from its configuration only if its declaration permits that.
func TestExclusive(t *testing.T) {
	given := map[string]question.Answer{}
	for _, id := range []string{"sure", "strict", "host"} {
		given[id] = question.Answer{Content: json.RawMessage("true")}
	}
	persons := map[string]question.Answer{}
	for id, a := range given {
		a.Person = true
		persons[id] = a
	}
	for name, tc := range map[string]struct {
		asker   question.Asker
		answers map[string]question.Answer
		want    map[string]string
	}{
		"configured, of a client that asks persons": {question.Later(true, true), given, map[string]string{"sure": "true", "strict": "asked", "host": "asked"}},
		"configured, where no one can be asked":     {question.CannotAsk(nil), given, map[string]string{"sure": "true", "strict": "input_unavailable", "host": "input_unavailable"}},
		"of a person":                               {question.Later(true, true), persons, map[string]string{"sure": "true", "strict": "true", "host": "true"}},
		"of a host that cannot tell":                {question.Later(true, false), given, map[string]string{"sure": "true", "strict": "input_unavailable", "host": "true"}},
		"not yet of a host that cannot tell":        {question.Later(true, false), nil, map[string]string{"sure": "asked", "strict": "input_unavailable", "host": "asked"}},
	} {
		for id, want := range tc.want {
			var answer any
			ended, _ := run(t, question.Run{Asker: tc.asker, Answers: tc.answers}, func(ctx context.Context, q questions) (err error) {
				answer, err = q.ask(ctx, id)
				return err
			})
			got := fmt.Sprint(answer)
			if _, pending := errors.AsType[*question.Pending](ended); pending {
				got = "asked"
			} else if ended != nil {
				got = string(fault.CodeOf(ended))
			}
			if got != want {
				t.Errorf("%s: question %s is %s, want %s (%v)", name, id, got, want, ended)
			}
		}
	}
}
