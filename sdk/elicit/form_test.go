package elicit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/gen/question"
)

type parcel struct {
	Name  string  `json:"name"`
	Color color   `json:"color"`
	Count int     `json:"count"`
	Gift  bool    `json:"gift"`
	Note  *string `json:"note"`

	Weight *float64 `json:"weight"`
	Urgent bool     `json:"urgent"`
}

func parcelForm(set *question.Set) elicit.Form[parcel] {
	read := func(data json.RawMessage) (p parcel, err error) { return p, json.Unmarshal(data, &p) }
	return bind.Form(set, question.Spec{ID: "parcel", Description: "Parcel asks what to send.", Fields: []question.Spec{
		{ID: "name", Description: "Name of the receiver.", MinLength: 2, Kind: question.KindText},
		{ID: "color", Description: "Color of the box.", Kind: question.KindChoice, Options: []question.Option{{Value: "red"}, {Value: "blue"}}},
		{ID: "count", Description: "Count of boxes.", Minimum: new(1.0), Kind: question.KindNumber, Integer: true},
		{ID: "gift", Description: "Gift or not.", Kind: question.KindConfirm},
		{ID: "note", Description: "Note to go with it.", MinLength: 3, Kind: question.KindText, Optional: true},
		{ID: "weight", Description: "Weight in kilograms.", Kind: question.KindNumber, Optional: true},
		{ID: "urgent", Description: "Urgent or not.", Kind: question.KindConfirm, Optional: true},
	}}, read)
}

// askForParcel asks for a parcel. It returns the parcel and how the run ended.
func askForParcel(t *testing.T, asker question.Asker, answers map[string]question.Answer) (p parcel, ended error) {
	t.Helper()
	ended, _ = run(t, question.Run{Asker: asker, Answers: answers}, func(ctx context.Context, q questions) (err error) {
		p, err = q.Parcel.Ask(ctx, "What shall be sent?")
		return err
	})
	return p, ended
}

func TestFormsThatDoNotFit(t *testing.T) {
	for _, answer := range []string{
		`null`, `"x"`, `[]`, `{}`,
		`{"name":"Ada","color":"red","count":1}`,
		`{"name":"A","color":"red","count":1,"gift":true}`,
		`{"name":"Ada","color":"green","count":1,"gift":true}`,
		`{"name":"Ada","color":"red","count":1.5,"gift":true}`,
		`{"name":"Ada","color":"red","count":0,"gift":true}`,
		`{"name":"Ada","color":"red","count":1,"gift":"true"}`,
		`{"name":"Ada","color":"red","count":1,"gift":true,"extra":1}`,
		`{"name":"Ada","Name":"Bob","color":"red","count":1,"gift":true}`,
		`{"name":"Ada","name":"Bob","color":"red","count":1,"gift":true}`,
	} {
		_, err := askForParcel(t, question.Later(true, true), acceptedAnswer("parcel", answer))
		if fault.CodeOf(err) != fault.InvalidAnswer || !strings.Contains(err.Error(), `"count" (an integer of at least 1)`) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func TestFormAsAWhole(t *testing.T) {
	_, err := askForParcel(t, question.Later(true, false), nil)
	pending, ok := errors.AsType[*question.Pending](err)
	if !ok {
		t.Fatalf("Ask = %v", err)
	}
	want := `{"type":"object","description":"Parcel asks what to send.","properties":{` +
		`"name":{"type":"string","description":"Name of the receiver.","minLength":2},` +
		`"color":{"type":"string","description":"Color of the box.","enum":["red","blue"]},` +
		`"count":{"type":"integer","description":"Count of boxes.","minimum":1},` +
		`"gift":{"type":"boolean","description":"Gift or not."},` +
		`"note":{"type":"string","description":"Note to go with it.","minLength":3},` +
		`"weight":{"type":"number","description":"Weight in kilograms."},"urgent":{"type":"boolean","description":"Urgent or not."}},"required":["name","color","count","gift"]}`
	if got := string(pending.Questions[0].Schema()); got != want {
		t.Errorf("schema %s, want %s", got, want)
	}
	got, err := askForParcel(t, question.Later(true, false), acceptedAnswer("parcel", `{"gift":false,"name":"Ada","color":"blue","count":2}`))
	if err != nil || got != (parcel{Name: "Ada", Color: blue, Count: 2}) {
		t.Errorf("Ask = %+v, %v", got, err)
	}
}

// If the asker cannot show forms, each field is asked separately, and the answers are
// combined into the answer to the form.
func TestFormByFields(t *testing.T) {
	script := []struct{ id, answer, preset string }{
		{"parcel-name", `"Ada"`, ""}, {"parcel-color", `"red"`, ""}, {"parcel-count", `"3"`, ""}, {"parcel-gift", `true`, ""},
		{"parcel-note", `""`, ""}, {"parcel-weight", `""`, ""}, {"parcel-urgent", `false`, "false"},
	}
	answers := map[string]question.Answer{}
	for _, next := range script {
		_, err := askForParcel(t, question.Later(false, false), answers)
		pending, ok := errors.AsType[*question.Pending](err)
		if !ok || pending.Questions[0].ID != next.id || !strings.HasPrefix(pending.Questions[0].Message, "What shall be sent? ") || string(pending.Questions[0].Default) != next.preset {
			t.Fatalf("Ask = %v, want question %q with the default %q", err, next.id, next.preset)
		}
		answers[next.id] = question.Answer{Content: json.RawMessage(next.answer)}
	}
	got, err := askForParcel(t, question.Later(false, false), answers)
	if err != nil || got.Name != "Ada" || got.Color != red || got.Count != 3 || !got.Gift || got.Note != nil || got.Weight != nil {
		t.Errorf("Ask = %+v, %v", got, err)
	}
	if got, err := askForParcel(t, question.Later(false, false), acceptedAnswer("parcel", `{"gift":false,"name":"Bob","color":"blue","count":2}`)); err != nil || got.Name != "Bob" {
		t.Errorf("an answer to the form as a whole: %+v, %v", got, err)
	}
}

func TestElicitor(t *testing.T) {
	var seen []string
	answer := func(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
		seen = append(seen, fmt.Sprint(r.Ref, r.Message, string(r.Schema), r.Arguments, r.Exclusive))
		return elicit.Accepted(r.Ref.Subject == "b"), nil
	}
	elicitor := bind.Elicitor(7,
		bind.Routed("sure", answer), bind.Routed("strict", answer),
		bind.Routed("name", func(context.Context, elicit.Request) (elicit.Response[string], error) {
			return elicit.Declined[string](), nil
		}),
		bind.Routed("color", func(context.Context, elicit.Request) (elicit.Response[color], error) {
			return elicit.Accepted[color]("green"), nil
		}))
	ended, _ := run(t, question.Run{Asker: elicitor}, func(ctx context.Context, q questions) error {
		for _, tc := range []struct {
			q    elicit.Confirm
			want bool
		}{{q.Sure, false}, {q.Sure.For("b"), true}, {q.Strict, false}} {
			if got, err := tc.q.Ask(ctx, "Sure?"); err != nil || got != tc.want {
				t.Errorf("Ask = %v, %v, want %v", got, err, tc.want)
			}
		}
		if _, err := q.Name.Ask(ctx, "Who?"); !errors.Is(err, elicit.ErrDeclined) {
			t.Errorf("a declined question: %v", err)
		}
		if _, err := q.Count.Ask(ctx, "How many?"); fault.CodeOf(err) != fault.InputUnavailable {
			t.Errorf("a question without a handler: %v", err)
		}
		_, err := q.Color.Ask(ctx, "Which?")
		t.Errorf("an answer outside the constants: %v", err)
		return nil
	})
	want := []string{
		`{tool sure   call 1}Sure?{"type":"boolean"}7 false`, `{tool sure  b call 2}Sure?{"type":"boolean"}7 false`,
		`{tool strict   call 3}Sure?{"type":"boolean"}7 true`,
	}
	if !slices.Equal(seen, want) {
		t.Errorf("the elicitor saw %q", seen)
	}
	if fault.CodeOf(ended) != fault.InvalidAnswer {
		t.Errorf("ended with %v", ended)
	}
}
