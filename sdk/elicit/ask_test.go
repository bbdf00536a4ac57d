package elicit_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

type color string

const (
	red  color = "red"
	blue color = "blue"
)

// questions is a surface with one question of each kind.
type questions struct {
	Sure  elicit.Confirm
	Color elicit.Choice[color]
	Name  elicit.Text
	Count elicit.Number
	Note  elicit.Pick
}

func bound() questions {
	return questions{
		Sure:  elicit.NewConfirm(elicit.Spec{ID: "sure"}),
		Color: elicit.NewChoice(elicit.Spec{ID: "color", Default: `"red"`}, elicit.Value(red, "Red."), elicit.Value(blue, "Blue.")),
		Name:  elicit.NewText(elicit.Spec{ID: "name", MinLength: 2, MaxLength: 5, Pattern: "^[a-zé]+$"}),
		Count: elicit.NewNumber(elicit.Spec{ID: "count", Minimum: new(1.0), Maximum: new(9.5)}),
		Note:  elicit.NewPick(elicit.Spec{ID: "note"}),
	}
}

func accepted(id, content string) map[string]elicit.Answer {
	return map[string]elicit.Answer{id: {Content: json.RawMessage(content)}}
}

// ask asks the question of that id with the answers there are.
func ask(ctx context.Context, id string) (any, error) {
	q := bound()
	switch id {
	case "sure":
		return q.Sure.Ask(ctx, "Sure?")
	case "color":
		return q.Color.Ask(ctx, "Which?")
	case "name":
		return q.Name.Ask(ctx, "Who?")
	case "count":
		return q.Count.Ask(ctx, "How many?")
	}
	return q.Note.Among("a", "b").Ask(ctx, "Which note?")
}

func TestAnswersThatDoNotFit(t *testing.T) {
	for _, tc := range []struct{ id, answer, expected string }{
		{"sure", `"true"`, "true or false"},
		{"sure", `1`, "true or false"},
		{"sure", `null`, "true or false"},
		{"sure", ``, "true or false"},
		{"color", `"Red"`, `one of "red", "blue"`},
		{"color", `["red"]`, `one of "red", "blue"`},
		{"color", `true`, `one of "red", "blue"`},
		{"name", `"x"`, "a string of 2 to 5 characters"},
		{"name", `"abcdef"`, "a string of 2 to 5 characters"},
		{"name", `"ABC"`, "matching ^[a-zé]+$"},
		{"name", `7`, "a string"},
		{"count", `0.5`, "a number of 1 to 9.5"},
		{"count", `"many"`, "a number"},
		{"count", `""`, "a number"},
		{"count", `"\"5\""`, "a number"},
		{"count", `true`, "a number"},
		{"count", `null`, "a number"},
		{"note", `"c"`, `one of "a", "b"`},
		{"note", `"` + strings.Repeat("x", 1<<16) + `"`, `one of "a", "b"`},
	} {
		t.Run(tc.id+"/"+tc.answer[:min(len(tc.answer), 12)], func(t *testing.T) {
			s := elicit.NewSession("tool", "call", elicit.Later{}, accepted(tc.id, tc.answer))
			_, err := ask(elicit.WithSession(t.Context(), s), tc.id)
			if fault.CodeOf(err) != fault.InvalidAnswer {
				t.Fatalf("Ask with answer %s = %v, want invalid_answer", tc.answer, err)
			}
			if msg := err.Error(); !strings.Contains(msg, tc.expected) || !strings.Contains(msg, tc.id) || len(msg) > 400 {
				t.Errorf("the message does not say %q and %q, or too much: %.300s", tc.id, tc.expected, msg)
			}
			if held := s.Close(); fault.CodeOf(held) != fault.InvalidAnswer {
				t.Errorf("a handler could swallow the answer: Close = %v", held)
			}
		})
	}
}

func TestAnswersThatFit(t *testing.T) {
	for _, tc := range []struct {
		id, answer string
		want       any
	}{
		{"sure", ` true `, true},
		{"sure", `false`, false},
		{"color", `"blue"`, blue},
		{"name", `"été"`, "été"},
		{"count", `9.5`, 9.5},
		{"count", `"3"`, 3.0},
		{"note", `"b"`, "b"},
	} {
		s := elicit.NewSession("tool", "call", elicit.Later{}, accepted(tc.id, tc.answer))
		got, err := ask(elicit.WithSession(t.Context(), s), tc.id)
		if err != nil || got != tc.want {
			t.Errorf("%s answered %s = %v, %v, want %v", tc.id, tc.answer, got, err, tc.want)
		}
		if held := s.Close(); held != nil {
			t.Errorf("%s: Close = %v", tc.id, held)
		}
	}
}

func TestPendingQuestion(t *testing.T) {
	s := elicit.NewSession("note_delete", "c1", elicit.Later{}, accepted("unheard-of", "1"))
	ctx := elicit.WithSession(t.Context(), s)
	_, err := bound().Sure.Ask(ctx, "Delete %q\nfor good?", "Plan")
	pending, ok := errors.AsType[*elicit.Pending](err)
	if !ok {
		t.Fatalf("Ask = %v, want a pending question", err)
	}
	q := pending.Question
	if want := (elicit.Ref{Tool: "note_delete", Key: "sure", Call: "c1", Seq: 1}); q.Ref != want {
		t.Errorf("Ref = %+v, want %+v", q.Ref, want)
	}
	if q.Message != `Delete "Plan" for good?` || q.Preamble != "Delete \"Plan\"\nfor good?" {
		t.Errorf("message %q, preamble %q", q.Message, q.Preamble)
	}
	if _, again := bound().Sure.Ask(ctx, "Once more?"); again != error(pending) {
		t.Errorf("asking the open question again = %v, want the same pending question", again)
	}
	if held := s.Close(); held != error(pending) {
		t.Errorf("a swallowed question is lost: Close = %v", held)
	}
}

func TestTwoOpenQuestions(t *testing.T) {
	s := elicit.NewSession("tool", "call", elicit.Later{}, nil)
	ctx := elicit.WithSession(t.Context(), s)
	var wg sync.WaitGroup
	for _, id := range []string{"sure", "count"} {
		wg.Go(func() { _, _ = ask(ctx, id) })
	}
	wg.Wait()
	err := s.Close()
	if fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), `"sure"`) || !strings.Contains(err.Error(), `"count"`) {
		t.Errorf("Close = %v, want an error that names both questions", err)
	}
}

func TestPlacesWhereAskingIsAnError(t *testing.T) {
	s := elicit.NewSession("tool", "call", elicit.Later{}, nil)
	ctx := elicit.WithSession(t.Context(), s)
	over := elicit.NewSession("tool", "call", elicit.Later{}, nil)
	if err := over.Close(); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		ask  func() error
		want string
	}{
		"in a branch":      {func() error { _, err := ask(elicit.Branch(ctx), "sure"); return err }, "branch"},
		"outside a call":   {func() error { _, err := ask(t.Context(), "sure"); return err }, "outside a tool call"},
		"unbound":          {func() error { var q questions; _, err := q.Sure.Ask(ctx, "?"); return err }, "not bound"},
		"after the call":   {func() error { _, err := ask(elicit.WithSession(t.Context(), over), "sure"); return err }, "had ended"},
		"nothing to pick":  {func() error { _, err := bound().Note.Ask(ctx, "?"); return err }, "nothing to pick"},
		"twice to pick":    {func() error { _, err := bound().Note.Among("a", "a").Ask(ctx, "?"); return err }, "offered twice"},
		"empty to pick":    {func() error { _, err := bound().Note.Among("").Ask(ctx, "?"); return err }, "empty"},
		"unbound and for":  {func() error { var q questions; _, err := q.Sure.For("x").Ask(ctx, "?"); return err }, "not bound"},
		"branch for a one": {func() error { _, err := bound().Sure.For("x").Ask(elicit.Branch(ctx), "?"); return err }, "sure-x"},
	} {
		if err := tc.ask(); fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("asking %s = %v, want an internal fault with %q", name, err, tc.want)
		}
	}
	if held := s.Close(); held == nil {
		t.Error("asking in a branch can be swallowed")
	}
}

// scripted answers each question once, and counts.
type scripted struct {
	answer elicit.Answer
	asked  int
}

func (s *scripted) Ask(context.Context, elicit.Question) (elicit.Answer, error) {
	s.asked++
	return s.answer, nil
}

func TestDeclinedIsNotAskedAgain(t *testing.T) {
	for want, action := range map[error]elicit.Action{elicit.ErrDeclined: elicit.Decline, elicit.ErrCanceled: elicit.Cancel} {
		asker := &scripted{answer: elicit.Answer{Action: action}}
		ctx := elicit.WithSession(t.Context(), elicit.NewSession("tool", "call", asker, nil))
		for range 2 {
			_, err := bound().Sure.Ask(ctx, "Sure?")
			if !errors.Is(err, want) || fault.CodeOf(err) != fault.InputDeclined {
				t.Errorf("Ask = %v, want %v as input_declined", err, want)
			}
		}
		if asker.asked != 1 {
			t.Errorf("%v: asked %d times", want, asker.asked)
		}
	}
}

func TestNobody(t *testing.T) {
	nobody := elicit.Nobody{Resend: func(id string) string { return "Resend " + id + "." }}
	ctx := elicit.WithSession(t.Context(), elicit.NewSession("tool", "call", nobody, nil))
	if got, err := bound().Color.Ask(ctx, "Which?"); err != nil || got != red {
		t.Errorf("a question with a default = %v, %v", got, err)
	}
	if got, err := bound().Note.Among("a", "b").Default("b").Ask(ctx, "Which?"); err != nil || got != "b" {
		t.Errorf("a pick with a default = %v, %v", got, err)
	}
	_, err := bound().Sure.Ask(ctx, "Delete it?")
	if fault.CodeOf(err) != fault.InputUnavailable {
		t.Fatalf("Ask = %v, want input_unavailable", err)
	}
	for _, want := range []string{`"sure"`, "Delete it?", "true or false", "Resend sure."} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message lacks %q: %v", want, err)
		}
	}
}
