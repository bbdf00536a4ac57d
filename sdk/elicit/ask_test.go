package elicit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/gen/question"
)

type color string

const (
	red  color = "red"
	blue color = "blue"
)

// questions declares one question of each kind.
type questions struct {
	Sure   elicit.Confirm
	Color  elicit.Choice[color]
	Name   elicit.Text
	Count  elicit.Number
	Note   elicit.Pick
	Parcel elicit.Form[parcel]
	Strict elicit.Confirm
	Host   elicit.Confirm
	Word   elicit.Secret
}

func bindQuestions(set *question.Set) questions {
	return questions{
		Sure: bind.Confirm(set, question.Spec{ID: "sure"}),
		Color: bind.Choice[color](set, question.Spec{ID: "color", Default: `"red"`, Options: []question.Option{
			{Value: "red", Description: "Red."}, {Value: "blue", Description: "Blue."},
		}}),
		Name:   bind.Text(set, question.Spec{ID: "name", MinLength: 2, MaxLength: 5, Pattern: "^[a-zé]+$"}),
		Count:  bind.Number(set, question.Spec{ID: "count", Minimum: new(1.0), Maximum: new(9.5)}),
		Note:   bind.Pick(set, question.Spec{ID: "note"}),
		Parcel: parcelForm(set),
		Strict: bind.Confirm(set, question.Spec{ID: "strict", Exclusive: question.ByPerson}),
		Host:   bind.Confirm(set, question.Spec{ID: "host", Exclusive: question.ByHost}),
		Word:   bind.Secret(set, question.Spec{ID: "word"}),
	}
}

// run runs a handler as a tool does. It returns how the run ended and what the handler returned.
func run(t *testing.T, r question.Run, handle func(context.Context, questions) error) (ended, returned error) {
	t.Helper()
	set := question.NewSet("tool")
	ask := bindQuestions(set)
	r.Tool, r.Call, r.Questions = "tool", "call", set
	if r.Asker.Ask == nil {
		r.Asker = question.Later(true, true)
	}
	s := question.NewSession(t.Context(), r)
	errGone := errors.New("the goroutine was ended")
	returned = errGone
	var done sync.WaitGroup
	done.Go(func() {
		s.Own()
		returned = handle(s.With(t.Context()), ask)
	})
	done.Wait()
	ended = s.End(returned)
	if returned == errGone {
		returned = nil
	}
	return ended, returned
}

// ask asks the question with the given id.
func (q questions) ask(ctx context.Context, id string) (any, error) {
	switch id {
	case "sure":
		return q.Sure.Ask(ctx, "Sure?")
	case "color":
		return q.Color.Ask(ctx, "Which?")
	case "name":
		return q.Name.Ask(ctx, "Who?")
	case "count":
		return q.Count.Ask(ctx, "How many?")
	case "strict":
		return q.Strict.Ask(ctx, "Sure?")
	case "host":
		return q.Host.Ask(ctx, "Sure?")
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
		{"count", `0.5`, "a number from 1 to 9.5"},
		{"count", `"many"`, "a number"},
		{"count", `""`, "a number"},
		{"count", `"\"5\""`, "a number"},
		{"count", `true`, "a number"},
		{"count", `null`, "a number"},
		{"note", `"c"`, `one of "a", "b"`},
		{"note", `"` + strings.Repeat("x", 1<<16) + `"`, `one of "a", "b"`},
	} {
		t.Run(tc.id+"/"+tc.answer[:min(len(tc.answer), 12)], func(t *testing.T) {
			ended, _ := run(t, question.Run{Answers: acceptedAnswer(tc.id, tc.answer)}, func(ctx context.Context, q questions) error {
				_, err := q.ask(ctx, tc.id)
				t.Errorf("Ask returned %v, want it to end the goroutine", err)
				return nil
			})
			if fault.CodeOf(ended) != fault.InvalidAnswer {
				t.Fatalf("answer %s: %v, want invalid_answer", tc.answer, ended)
			}
			if msg := ended.Error(); !strings.Contains(msg, tc.expected) || !strings.Contains(msg, tc.id) || len(msg) > 400 {
				t.Errorf("the message does not say %q and %q, or too much: %.300s", tc.expected, tc.id, msg)
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
		ended, _ := run(t, question.Run{Answers: acceptedAnswer(tc.id, tc.answer)}, func(ctx context.Context, q questions) error {
			got, err := q.ask(ctx, tc.id)
			if err != nil || got != tc.want {
				t.Errorf("%s answered %s = %v, %v, want %v", tc.id, tc.answer, got, err, tc.want)
			}
			return err
		})
		if ended != nil {
			t.Errorf("%s: %v", tc.id, ended)
		}
	}
}

// After an unanswered question, only deferred functions run.
func TestUnansweredQuestionEndsTheRun(t *testing.T) {
	deferred := false
	ended, _ := run(t, question.Run{Answers: acceptedAnswer("unheard-of", "1")}, func(ctx context.Context, q questions) error {
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("recover saw %v", p)
			}
			deferred = true
		}()
		_, err := q.Sure.Ask(ctx, "Delete %q\nfor good?", "Plan")
		t.Errorf("Ask returned %v", err)
		return nil
	})
	pending, ok := errors.AsType[*question.Pending](ended)
	if !ok || !deferred {
		t.Fatalf("ended with %v, deferred calls ran: %t", ended, deferred)
	}
	q := pending.Questions[0]
	if want := (elicit.Ref{Tool: "tool", Key: "sure", Call: "call", Seq: 1}); q.Ref != want {
		t.Errorf("Ref = %+v, want %+v", q.Ref, want)
	}
	if q.Message != `Delete "Plan" for good?` || q.Lines() != "Delete \"Plan\"\nfor good?" || q.Preamble != "" {
		t.Errorf("message %q, lines %q, preamble %q", q.Message, q.Lines(), q.Preamble)
	}
}

// A question that is not permitted is an internal fault and is not sent to the user.
func TestQuestionsThatMayNotBeAsked(t *testing.T) {
	other := bindQuestions(question.NewSet("other"))
	for name, tc := range map[string]struct {
		ask  func(context.Context, questions) error
		want string
	}{
		"in a branch": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Ask(question.Branch(ctx), "?")
			return err
		}, "branch"},
		"zero": {func(ctx context.Context, _ questions) error { _, err := questions{}.Sure.Ask(ctx, "?"); return err }, `tool "tool" asked a question that it does not declare (no id)`},
		"zero, about a subject": {func(ctx context.Context, _ questions) error {
			_, err := questions{}.Sure.For("x").Ask(ctx, "?")
			return err
		}, "does not declare"},
		"of another tool":      {func(ctx context.Context, _ questions) error { _, err := other.Sure.Ask(ctx, "?"); return err }, `tool "tool" asked a question that it does not declare ("sure")`},
		"form of another tool": {func(ctx context.Context, _ questions) error { _, err := other.Parcel.Ask(ctx, "?"); return err }, `that it does not declare ("parcel")`},
		"nothing to pick":      {func(ctx context.Context, q questions) error { _, err := q.Note.Ask(ctx, "?"); return err }, "nothing to pick"},
		"twice to pick": {func(ctx context.Context, q questions) error {
			_, err := q.Note.Among("a", "a").Ask(ctx, "?")
			return err
		}, "offered more than once"},
		"empty to pick": {func(ctx context.Context, q questions) error { _, err := q.Note.Among("").Ask(ctx, "?"); return err }, "empty"},
		"in a branch, about a subject": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.For("x").Ask(question.Branch(ctx), "?")
			return err
		}, "sure-x"},
	} {
		ended, _ := run(t, question.Run{Asker: question.Asker{Ask: func(context.Context, question.Question) (question.Answer, error) {
			t.Errorf("%s: the question was asked", name)
			return question.Answer{}, nil
		}}}, func(ctx context.Context, q questions) error {
			err := tc.ask(ctx, q)
			t.Errorf("%s: Ask returned %v", name, err)
			return nil
		})
		if fault.CodeOf(ended) != fault.Internal || !strings.Contains(ended.Error(), tc.want) {
			t.Errorf("asking %s = %v, want an internal fault with %q", name, ended, tc.want)
		}
	}
	if _, err := other.Sure.Ask(t.Context(), "?"); fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), "outside a tool call") {
		t.Errorf("asking outside a call = %v", err)
	}
}

// A question with a context that has ended is not asked, and the handler does not continue.
func TestContextThatHasEnded(t *testing.T) {
	ended, _ := run(t, question.Run{}, func(ctx context.Context, q questions) error {
		ctx, stop := context.WithCancel(ctx)
		stop()
		_, err := q.Sure.Ask(ctx, "?")
		t.Errorf("Ask returned %v", err)
		return nil
	})
	if fault.CodeOf(ended) != fault.Canceled {
		t.Errorf("asking with a context that has ended: %v", ended)
	}
}

// A deferred call may ask while a question is pending: it is asked in a later run. In a run that
// cannot continue, a deferred call cannot ask.
func TestQuestionInADeferredCall(t *testing.T) {
	both := func(second bool) func(context.Context, questions) error {
		return func(ctx context.Context, q questions) error {
			defer func() {
				_, err := q.Name.Ask(ctx, "Name?")
				if !second || err != nil {
					t.Errorf("the deferred call continued with %v", err)
				}
			}()
			_, err := q.Sure.Ask(ctx, "Sure?")
			return err
		}
	}
	waits := func(answers map[string]question.Answer) string {
		ended, _ := run(t, question.Run{Asker: question.Later(true, true), Answers: answers}, both(len(answers) == 2))
		if pending, ok := errors.AsType[*question.Pending](ended); ok {
			return pending.Questions[0].ID
		}
		return fmt.Sprint(ended)
	}
	answers := acceptedAnswer("sure", "true")
	if got := waits(nil) + " " + waits(answers); got != "sure name" {
		t.Errorf("the runs wait for %s", got)
	}
	answers["name"] = question.Answer{Content: json.RawMessage(`"ada"`)}
	if got := waits(answers); got != "<nil>" {
		t.Errorf("the last run ended with %s", got)
	}
	ended, _ := run(t, question.Run{Asker: question.Asker{Ask: func(context.Context, question.Question) (question.Answer, error) {
		t.Error("a question was asked in a run that cannot go on")
		return question.Answer{}, nil
	}}}, func(ctx context.Context, q questions) error {
		defer func() { _, _ = q.Sure.Ask(ctx, "Sure?") }()
		_, err := questions{}.Sure.Ask(ctx, "?")
		return err
	})
	if fault.CodeOf(ended) != fault.Internal {
		t.Errorf("a run that cannot go on ended with %v", ended)
	}
}

// A question from another goroutine is rejected: if its answer were not known, the runtime could not
// keep the handler from continuing.
func TestQuestionInAnotherGoroutine(t *testing.T) {
	ended, _ := run(t, question.Run{Answers: acceptedAnswer("sure", "true")}, func(ctx context.Context, q questions) error {
		var other sync.WaitGroup
		var err error
		other.Go(func() { _, err = q.Sure.Ask(ctx, "Sure?") })
		other.Wait()
		if err == nil {
			t.Error("the question was answered")
		}
		return nil
	})
	if fault.CodeOf(ended) != fault.Internal || !strings.Contains(ended.Error(), "goroutine") {
		t.Errorf("ended with %v", ended)
	}
}

// fixedAsker returns an asker that always gives the same answer and counts the questions.
func fixedAsker(answer question.Answer, asked *int) question.Asker {
	return question.Asker{Forms: true, Person: true, Ask: func(context.Context, question.Question) (question.Answer, error) {
		*asked++
		return answer, nil
	}}
}

func TestDeclinedIsNotAskedAgain(t *testing.T) {
	for want, action := range map[error]elicit.Action{elicit.ErrDeclined: elicit.Decline, elicit.ErrCanceled: elicit.Cancel} {
		asked := 0
		ended, _ := run(t, question.Run{Asker: fixedAsker(question.Answer{Action: action}, &asked)}, func(ctx context.Context, q questions) error {
			for range 2 {
				_, err := q.Sure.Ask(ctx, "Sure?")
				if !errors.Is(err, want) || fault.CodeOf(err) != fault.InputDeclined {
					t.Errorf("Ask = %v, want %v as input_declined", err, want)
				}
			}
			return nil
		})
		if asked != 1 || fault.CodeOf(ended) != fault.InputDeclined || !errors.Is(ended, want) {
			t.Errorf("%v: asked %d times, ended with %v", want, asked, ended)
		}
	}
}

// A declined confirmation takes precedence over what the handler returns, unless it is acknowledged.
// If the handler's error wraps the error of a declined question, the fault has the code of that error.
func TestRefusals(t *testing.T) {
	own := fault.New(fault.Conflict, "own")
	decline := question.Answer{Action: elicit.Decline}
	for name, tc := range map[string]struct {
		handle func(ctx context.Context, q questions) error
		want   fault.Code
	}{
		"swallowed": {func(ctx context.Context, q questions) error { _, _ = q.Sure.Ask(ctx, "?"); return nil }, fault.InputDeclined},
		"replaced":  {func(ctx context.Context, q questions) error { _, _ = q.Sure.Ask(ctx, "?"); return own }, fault.InputDeclined},
		"joined": {func(ctx context.Context, q questions) error {
			_, err := q.Name.Ask(ctx, "?")
			return errors.Join(own, err)
		}, fault.InputDeclined},
		"wrapped": {func(ctx context.Context, q questions) error {
			_, err := q.Name.Ask(ctx, "?")
			return fault.Wrap(err, fault.State, "x")
		}, fault.InputDeclined},
		"text swallowed": {func(ctx context.Context, q questions) error { _, _ = q.Name.Ask(ctx, "?"); return nil }, ""},
		"text replaced":  {func(ctx context.Context, q questions) error { _, _ = q.Name.Ask(ctx, "?"); return own }, fault.Conflict},
		"acknowledged": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Ask(ctx, "?")
			elicit.Acknowledge(err)
			return nil
		}, ""},
		"acknowledged, wrapped": {func(ctx context.Context, q questions) error {
			_, err := q.Sure.Ask(ctx, "?")
			if !elicit.Acknowledge(fmt.Errorf("asking: %w", err)) {
				t.Error("a wrapped refusal is not acknowledged")
			}
			return own
		}, fault.Conflict},
		"another acknowledged": {func(ctx context.Context, q questions) error {
			_, err := q.Name.Ask(ctx, "?")
			elicit.Acknowledge(err)
			_, _ = q.Sure.Ask(ctx, "?")
			return nil
		}, fault.InputDeclined},
	} {
		asked := 0
		if ended, _ := run(t, question.Run{Asker: fixedAsker(decline, &asked)}, tc.handle); fault.CodeOf(ended) != tc.want {
			t.Errorf("%s: %v, want %q", name, ended, tc.want)
		}
	}
	for _, err := range []error{nil, own, elicit.ErrDeclined} {
		if elicit.Acknowledge(err) {
			t.Errorf("Acknowledge(%v) = true", err)
		}
	}
}

// A question that is asked with a context other than the handler's also ends the run.
func TestQuestionWithAContextOfItsOwn(t *testing.T) {
	ended, _ := run(t, question.Run{Answers: acceptedAnswer("sure", "true")}, func(_ context.Context, q questions) error {
		_, _ = q.Sure.Ask(context.Background(), "Sure?")
		t.Error("the handler continued")
		return nil
	})
	if fault.CodeOf(ended) != fault.Internal || !strings.Contains(ended.Error(), "context of the handler") {
		t.Errorf("ended with %v", ended)
	}
}
