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
)

type parcel struct {
	Name  string  `json:"name"`
	Color color   `json:"color"`
	Count int     `json:"count"`
	Gift  bool    `json:"gift"`
	Note  *string `json:"note"`

	Weight *float64 `json:"weight"`
}

func parcelForm() elicit.Form[parcel] {
	read := func(data json.RawMessage) (p parcel, err error) { return p, json.Unmarshal(data, &p) }
	return elicit.NewForm(elicit.Spec{ID: "parcel", Description: "Parcel asks what to send."}, read,
		elicit.Field{Spec: elicit.Spec{ID: "name", Description: "Name of the receiver.", MinLength: 2}, Kind: elicit.KindText},
		elicit.Field{Spec: elicit.Spec{ID: "color", Description: "Color of the box."}, Kind: elicit.KindChoice, Options: []elicit.Option{{Value: "red"}, {Value: "blue"}}},
		elicit.Field{Spec: elicit.Spec{ID: "count", Description: "Count of boxes.", Minimum: new(1.0)}, Kind: elicit.KindNumber, Integer: true},
		elicit.Field{Spec: elicit.Spec{ID: "gift", Description: "Gift or not."}, Kind: elicit.KindConfirm},
		elicit.Field{Spec: elicit.Spec{ID: "note", Description: "Note to go with it.", MinLength: 3}, Kind: elicit.KindText, Optional: true},
		elicit.Field{Spec: elicit.Spec{ID: "weight", Description: "Weight in kilograms."}, Kind: elicit.KindNumber, Optional: true},
	)
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
		s := elicit.NewSession("send", "1", elicit.Later{Whole: true}, accepted("parcel", answer))
		_, err := parcelForm().Ask(elicit.WithSession(t.Context(), s), "What?")
		if fault.CodeOf(err) != fault.InvalidAnswer || !strings.Contains(err.Error(), `"count" (a whole number of at least 1)`) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func TestFormAsAWhole(t *testing.T) {
	s := elicit.NewSession("send", "1", elicit.Later{Whole: true}, nil)
	_, err := parcelForm().Ask(elicit.WithSession(t.Context(), s), "What shall be sent?")
	pending, ok := errors.AsType[*elicit.Pending](err)
	if !ok {
		t.Fatalf("Ask = %v", err)
	}
	want := `{"type":"object","description":"Parcel asks what to send.","properties":{` +
		`"name":{"type":"string","description":"Name of the receiver.","minLength":2},` +
		`"color":{"type":"string","description":"Color of the box.","enum":["red","blue"]},` +
		`"count":{"type":"integer","description":"Count of boxes.","minimum":1},` +
		`"gift":{"type":"boolean","description":"Gift or not."},` +
		`"note":{"type":"string","description":"Note to go with it.","minLength":3},` +
		`"weight":{"type":"number","description":"Weight in kilograms."}},"required":["name","color","count","gift"]}`
	if got := string(pending.Question.Schema()); got != want {
		t.Errorf("schema %s, want %s", got, want)
	}
	s = elicit.NewSession("send", "2", elicit.Later{Whole: true}, accepted("parcel", `{"gift":false,"name":"Ada","color":"blue","count":2}`))
	got, err := parcelForm().Ask(elicit.WithSession(t.Context(), s), "What shall be sent?")
	if err != nil || got != (parcel{Name: "Ada", Color: blue, Count: 2}) {
		t.Errorf("Ask = %+v, %v", got, err)
	}
}

// Where nobody shows a form, its fields are asked one by one, and the answers
// add up.
func TestFormByFields(t *testing.T) {
	script := []struct{ id, answer string }{
		{"parcel-name", `"Ada"`}, {"parcel-color", `"red"`}, {"parcel-count", `"3"`}, {"parcel-gift", `true`}, {"parcel-note", `""`}, {"parcel-weight", `""`},
	}
	answers := map[string]elicit.Answer{}
	for _, next := range script {
		s := elicit.NewSession("send", "1", elicit.Later{}, answers)
		_, err := parcelForm().Ask(elicit.WithSession(t.Context(), s), "What shall be sent?")
		pending, ok := errors.AsType[*elicit.Pending](err)
		if !ok || pending.Question.ID != next.id || !strings.HasPrefix(pending.Question.Message, "What shall be sent? ") {
			t.Fatalf("Ask = %v, want question %q", err, next.id)
		}
		answers[next.id] = elicit.Answer{Content: json.RawMessage(next.answer)}
	}
	s := elicit.NewSession("send", "1", elicit.Later{}, answers)
	got, err := parcelForm().Ask(elicit.WithSession(t.Context(), s), "What shall be sent?")
	if err != nil || got.Name != "Ada" || got.Color != red || got.Count != 3 || !got.Gift || got.Note != nil || got.Weight != nil {
		t.Errorf("Ask = %+v, %v", got, err)
	}
	s = elicit.NewSession("send", "1", elicit.Later{}, accepted("parcel", `{"gift":false,"name":"Bob","color":"blue","count":2}`))
	if got, err := parcelForm().Ask(elicit.WithSession(t.Context(), s), "What?"); err != nil || got.Name != "Bob" {
		t.Errorf("an answer to the form as a whole: %+v, %v", got, err)
	}
}

func TestElicitor(t *testing.T) {
	var seen []string
	answer := func(_ context.Context, r elicit.Request) (elicit.Response[bool], error) {
		seen = append(seen, fmt.Sprint(r.Ref, r.Message, string(r.Schema), r.Arguments))
		return elicit.Accepted(r.Ref.Key == "sure-b"), nil
	}
	ctx := elicit.WithSession(t.Context(), elicit.NewSession("tool", "c", elicit.Elicitor{
		Arguments: 7, Routes: []elicit.Route{
			elicit.Routed("sure", answer),
			elicit.Routed("name", func(context.Context, elicit.Request) (elicit.Response[string], error) {
				return elicit.Declined[string](), nil
			}),
			elicit.Routed("color", func(context.Context, elicit.Request) (elicit.Response[color], error) {
				return elicit.Accepted[color]("green"), nil
			}),
		}}, nil))
	for _, tc := range []struct {
		q    elicit.Confirm
		want bool
	}{{bound().Sure, false}, {bound().Sure.For("b"), true}} {
		if got, err := tc.q.Ask(ctx, "Sure?"); err != nil || got != tc.want {
			t.Errorf("Ask = %v, %v, want %v", got, err, tc.want)
		}
	}
	if want := []string{`{tool sure c 1}Sure?{"type":"boolean"}7`, `{tool sure-b c 2}Sure?{"type":"boolean"}7`}; !slices.Equal(seen, want) {
		t.Errorf("the elicitor saw %q", seen)
	}
	if _, err := bound().Name.Ask(ctx, "Who?"); !errors.Is(err, elicit.ErrDeclined) {
		t.Errorf("a declined question: %v", err)
	}
	if _, err := bound().Color.Ask(ctx, "Which?"); fault.CodeOf(err) != fault.InvalidAnswer {
		t.Errorf("an answer outside the constants: %v", err)
	}
	if _, err := bound().Count.Ask(ctx, "How many?"); fault.CodeOf(err) != fault.InputUnavailable {
		t.Errorf("a question without a handler: %v", err)
	}
}
