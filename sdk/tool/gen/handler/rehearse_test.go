package handler_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

type abc struct{ A, B, C elicit.Confirm }

func bindABC(set *question.Set) abc {
	spec := func(id string) question.Spec { return question.Spec{ID: id} }
	return abc{bind.Confirm(set, spec("a")), bind.Confirm(set, spec("b")), bind.Confirm(set, spec("c"))}
}

// rehearse acts as a host that answers every question. It returns the reports of the rehearsal and the number of
// runs of the handler.
func rehearse(t *testing.T, handle func(ctx context.Context, ask abc, run int) error) (reports []string, runs int) {
	t.Helper()
	made := handler.New("t", handler.Codec[handler.None, abc, handler.None, handler.None]{Questions: bindABC, Result: handler.Done},
		func(ctx context.Context, _ *tool.Call, _ handler.None, ask abc, _ handler.None) (handler.None, error) {
			runs++
			return handler.None{}, handle(ctx, ask, runs)
		})
	ctx := handler.Rehearse(t.Context(), func(problem string) { reports = append(reports, problem) })
	var once map[string]json.RawMessage
	answers := map[string]question.Answer{}
	for range 10 {
		r := &handler.Run{Asker: question.Later(true, false), Once: once}
		r.Answers = answers
		out, err := made.Run(ctx, r)
		pending, ok := errors.AsType[*question.Pending](err)
		if !ok {
			return reports, runs
		}
		once = out.Once
		answers["of another tool"] = question.Answer{Content: json.RawMessage("1")} // a host may send such answers
		answers[pending.Questions[0].ID] = question.Answer{Content: json.RawMessage("true")}
	}
	t.Fatal("the handler asks without end")
	return nil, 0
}

func TestRehearsal(t *testing.T) {
	all := func(ctx context.Context, list ...elicit.Confirm) error {
		for _, q := range list {
			if _, err := q.Ask(ctx, "Sure?"); err != nil {
				return err
			}
		}
		return nil
	}
	once := 0
	for name, tc := range map[string]struct {
		handle func(ctx context.Context, ask abc, run int) error
		runs   int
		want   string
	}{
		"the same": {func(ctx context.Context, ask abc, _ int) error { return all(ctx, ask.A, ask.B, ask.C) }, 7, ""},
		"another text": {func(ctx context.Context, ask abc, run int) error {
			_, err := ask.A.Ask(ctx, "Save at %d?", run)
			return err
		}, 3, "question 1 was \"a\": Save at 1?, and when it ran again with the same answers it was \"a\": Save at 2?"},
		"another question": {func(ctx context.Context, ask abc, run int) error {
			if run%2 == 0 {
				return all(ctx, ask.B)
			}
			return all(ctx, ask.A)
		}, 3, `it was "b"`},
		"another order in the next run": {func(ctx context.Context, ask abc, run int) error {
			if run > 4 {
				return all(ctx, ask.B, ask.A, ask.C)
			}
			return all(ctx, ask.A, ask.B)
		}, 7, `question 1 was "a": Sure?, and in the next run it was "b"`},
		"another text in the run that gives a result": {func(ctx context.Context, ask abc, run int) error {
			_, err := ask.A.Ask(ctx, "Save %t?", run > 2)
			return err
		}, 3, `question 1 was "a": Save false?, and in the next run it was "a": Save true?`},
		"not asked in the run that gives a result": {func(ctx context.Context, ask abc, run int) error {
			if run > 2 {
				return nil
			}
			return all(ctx, ask.A)
		}, 3, `question 1 was "a": Sure?, and in the next run it did not ask another question`},
		"left out in the next run": {func(ctx context.Context, ask abc, run int) error {
			if run > 2 {
				return all(ctx, ask.B)
			}
			return all(ctx, ask.A)
		}, 5, `question 1 was "a": Sure?, and in the next run it was "b"`},
		"no question when run again": {func(ctx context.Context, ask abc, run int) error {
			if run == 2 {
				return nil
			}
			return all(ctx, ask.A)
		}, 3, "the run ended with <nil>"},
		"work done once": {func(ctx context.Context, ask abc, _ int) error {
			if _, err := tool.Once(ctx, "work", func(context.Context) (int, error) { once++; return once, nil }); err != nil {
				return err
			}
			return all(ctx, ask.A, ask.B)
		}, 5, ""},
	} {
		reports, runs := rehearse(t, tc.handle)
		said := strings.Join(reports, "\n")
		if runs != tc.runs || (said == "") != (tc.want == "") || !strings.Contains(said, tc.want) {
			t.Errorf("%s: %d runs, reports %q; want %d runs and %q", name, runs, said, tc.runs, tc.want)
		}
	}
	if once != 1 {
		t.Errorf("the work of tool.Once was done %d times", once)
	}
}
