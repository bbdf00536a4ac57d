package elicit_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/gen/question"
)

// If a question declares it, a configured answer under the declared id applies to each subject
// without a separate answer.
func TestOneAnswerForAllSubjects(t *testing.T) {
	set := question.NewSet("tool")
	shared := bind.Confirm(set, question.Spec{ID: "shared", Subjects: true})
	each := bind.Confirm(set, question.Spec{ID: "each"})
	type box struct {
		To    string `json:"to"`
		Count int    `json:"count"`
	}
	form := bind.Form(set, question.Spec{ID: "all", Subjects: true, Fields: []question.Spec{
		{ID: "to", Kind: question.KindText}, {ID: "count", Kind: question.KindNumber, Integer: true},
	}}, func(data json.RawMessage) (b box, err error) { return b, json.Unmarshal(data, &b) })
	ask := func(q elicit.Confirm) func(context.Context) (any, error) {
		return func(ctx context.Context) (any, error) { return q.Ask(ctx, "Sure?") }
	}
	whole := func(ctx context.Context) (any, error) { return form.For("a").Ask(ctx, "What?") }
	for name, tc := range map[string]struct {
		ask     func(context.Context) (any, error)
		answers string
		want    string
	}{
		"under the declared id":           {ask(shared.For("a")), `{"shared":true}`, "true"},
		"a subject with a digest":         {ask(shared.For("b c")), `{"shared":true}`, "true"},
		"two subjects":                    {ask(shared.For("a").For("b")), `{"shared":true}`, "true"},
		"its own answer comes first":      {ask(shared.For("a")), `{"shared":true,"shared-a":false}`, "false"},
		"of another subject":              {ask(shared.For("a")), `{"shared-b":true}`, "waiting"},
		"under an empty id":               {ask(shared.For("a")), `{"":true}`, "waiting"},
		"not declared":                    {ask(each.For("a")), `{"each":true}`, "waiting"},
		"not declared, under an empty id": {ask(each.For("a")), `{"":true}`, "waiting"},
		"that does not fit":               {ask(shared.For("a")), `{"shared":"yes"}`, "invalid_answer"},
		"asked about no subject":          {ask(shared), `{"shared":true}`, "internal"},
		"a form":                          {whole, `{"all":{"to":"Ada","count":2}}`, `{"to":"Ada","count":2}`},
		"the fields of a form":            {whole, `{"all-to":"Ada","all-count":"2"}`, `{"to":"Ada","count":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			var given map[string]json.RawMessage
			if err := json.Unmarshal([]byte(tc.answers), &given); err != nil {
				t.Fatal(err)
			}
			answers := map[string]question.Answer{}
			for id, content := range given {
				answers[id] = question.Answer{Content: content}
			}
			s := question.NewSession(t.Context(), question.Run{Tool: "tool", Questions: set, Asker: question.Later(false, false), Answers: answers})
			answer, err := tc.ask(s.With(t.Context()))
			err = s.End(err)
			if got := describeEnd(answer, err); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}

	// The error for an invalid answer names the id under which the user configured it.
	for configured, want := range map[string]string{"shared": `question "shared" must be`, "shared-a": `question "shared-a" must be`, "shared-b c": `question "shared-b c" must be`} {
		subject := "a"
		if configured == "shared-b c" {
			subject = "b c"
		}
		s := question.NewSession(t.Context(), question.Run{Tool: "tool", Questions: set, Asker: question.Later(false, false),
			Answers: map[string]question.Answer{configured: {Content: json.RawMessage(`"yes"`)}}})
		_, err := shared.For(subject).Ask(s.With(t.Context()), "Sure?")
		if f := fault.From(s.End(err)); f.Code != fault.InvalidAnswer || !strings.Contains(f.Message, want) || f.Details["question"] != configured {
			t.Errorf("an answer under %q: %v, with the details %v", configured, f, f.Details)
		}
	}

	// An answer to one wording of a question is not a configured answer.
	worded := map[string]question.Answer{"shared": {Content: json.RawMessage("true"), Person: true, Wording: "x"}}
	s := question.NewSession(t.Context(), question.Run{Tool: "tool", Questions: set, Asker: question.Later(true, true), Answers: worded})
	_, err := shared.For("a").Ask(s.With(t.Context()), "Sure?")
	if got := describeEnd(nil, s.End(err)); got != "waiting" {
		t.Errorf("an answer to one question applies to a subject: %s", got)
	}
}

// describeEnd describes the answer to a question or its error.
func describeEnd(answer any, err error) string {
	if _, pending := errors.AsType[*question.Pending](err); pending {
		return "waiting"
	}
	if err != nil {
		return string(fault.CodeOf(err))
	}
	text, _ := json.Marshal(answer)
	return string(text)
}
