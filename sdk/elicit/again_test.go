package elicit_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// If a person may have mistyped an answer, the question is asked again, with the reason and under
// another id. A configured answer is never asked for again.
func TestMistypedAnswers(t *testing.T) {
	var (
		persons = question.Later(true, true)
		outcome = question.Later(false, false)
		blocks  = question.Later(true, false)
	)
	for name, tc := range map[string]struct {
		asker      question.Asker
		id, answer string
		person     bool
		want       string // the beginning of the question that is asked again, or "" for a fault
	}{
		"a person's text":              {persons, "name", `"x"`, true, `The answer must be a string of 2 to 5 characters matching ^[a-zé]+$, got "x". Who?`},
		"a person's yes":               {persons, "sure", `"yes"`, true, `The answer must be true or false, got "yes". Sure?`},
		"a person's choice":            {persons, "color", `"green"`, true, `The answer must be one of "red", "blue", got "green". Which?`},
		"what a reader does not see":   {persons, "name", "\"a\u202eb\"", true, `The answer must be a string of 2 to 5 characters matching ^[a-zé]+$, got "a\u202eb". Who?`},
		"an empty acceptance":          {persons, "name", ``, true, ""},
		"configured":                   {persons, "name", `"x"`, false, ""},
		"a JP host's text":             {outcome, "name", `"x"`, false, "The answer must be"},
		"a JP host's number":           {outcome, "count", `"many"`, false, `The answer must be a number from 1 to 9.5, got "many". How many?`},
		"a number that is not text":    {outcome, "count", `12`, false, ""},
		"a text that is a number":      {outcome, "name", `12`, false, ""},
		"a JP host's yes":              {outcome, "sure", `"no"`, false, ""},
		"a JP host's choice":           {outcome, "color", `"green"`, false, ""},
		"a JP host's pick":             {outcome, "note", `"z"`, false, ""},
		"a number of a host of blocks": {blocks, "count", `12`, false, "The answer must be"},
		"a yes of a host of blocks":    {blocks, "sure", `"no"`, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			answers := map[string]question.Answer{tc.id: {Content: json.RawMessage(tc.answer), Person: tc.person}}
			for try := 2; try <= 3; try++ {
				ended, _ := run(t, question.Run{Asker: tc.asker, Answers: answers}, func(ctx context.Context, q questions) error {
					_, err := q.ask(ctx, tc.id)
					return err
				})
				pending, waits := ended.(*question.Pending)
				if waits != (tc.want != "") || !waits && fault.CodeOf(ended) != fault.InvalidAnswer {
					t.Fatalf("ended with %v", ended)
				}
				if !waits {
					return
				}
				q := pending.Questions[0]
				if first, n := question.Try(q.ID); first != tc.id || n != try || !strings.HasPrefix(q.Message, tc.want) {
					t.Errorf("asked %q: %s", q.ID, q.Message)
				}
				if q.Ref.Key != tc.id {
					t.Errorf("the question has the key %q", q.Ref.Key)
				}
				answers[q.ID] = answers[tc.id]
			}
			ended, _ := run(t, question.Run{Asker: tc.asker, Answers: answers}, func(ctx context.Context, q questions) error {
				_, err := q.ask(ctx, tc.id)
				return err
			})
			if fault.CodeOf(ended) != fault.InvalidAnswer {
				t.Errorf("a third invalid answer: %v", ended)
			}
		})
	}
}

// A person who gives an invalid answer to a form is asked again, and the question names the field.
// A person is not asked again about a default.
func TestMistypedForm(t *testing.T) {
	_, ended := askForParcel(t, question.Later(true, false), acceptedAnswer("parcel", `{"name":"Ada","color":"red","count":0,"gift":true}`))
	pending, ok := ended.(*question.Pending)
	if !ok || pending.Questions[0].Message != `"count" must be an integer of at least 1, got 0. What shall be sent?` {
		t.Errorf("ended with %v: %s", ended, pending.Questions[0].Message)
	}
	ended, _ = run(t, question.Run{Asker: question.CannotAsk(nil)}, func(ctx context.Context, q questions) error {
		_, err := q.Note.Among("a").Default("b").Ask(ctx, "Which?")
		return err
	})
	if fault.CodeOf(ended) != fault.InvalidAnswer {
		t.Errorf("an invalid default: %v", ended)
	}
}

func acceptedAnswer(id, content string) map[string]question.Answer {
	return map[string]question.Answer{id: {Content: json.RawMessage(content)}}
}
