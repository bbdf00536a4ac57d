package handler_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// asking is a struct with one question.
type asking struct{ Sure elicit.Confirm }

func bindAsking(set *question.Set) asking {
	return asking{bind.Confirm(set, question.Spec{ID: "sure"})}
}

// invoke runs a handler that may ask, and may fail with the code state.
func invoke[Out any](ctx context.Context, asker question.Asker, handle func(context.Context, *tool.Call, asking) (Out, error)) (Out, error) {
	c := handler.Codec[handler.None, asking, handler.None, Out]{
		Questions: bindAsking, Fails: []fault.Code{fault.State},
		Result: func(Out) (handler.Result, error) { return handler.Result{}, nil },
	}
	t := handler.New("test", c, func(ctx context.Context, call *tool.Call, _ handler.None, ask asking, _ handler.None) (Out, error) {
		return handle(ctx, call, ask)
	})
	return handler.Invoke[Out](ctx, t, handler.None{}, handler.None{}, asker)
}

func TestInvokeCodesEveryError(t *testing.T) {
	for name, tc := range map[string]struct {
		handle func(context.Context, *tool.Call, asking) (string, error)
		want   fault.Code
	}{
		"uncoded":    {func(context.Context, *tool.Call, asking) (string, error) { return "x", errors.New("out of luck") }, fault.Internal},
		"panic":      {func(context.Context, *tool.Call, asking) (string, error) { panic("secret") }, fault.Internal},
		"coded":      {func(context.Context, *tool.Call, asking) (string, error) { return "x", fault.New(fault.State, "no") }, fault.State},
		"undeclared": {func(context.Context, *tool.Call, asking) (string, error) { return "x", fault.New("secret", "no") }, fault.Internal},
		"malformed":  {func(context.Context, *tool.Call, asking) (string, error) { return "x", fault.New("A b", "secret") }, fault.Internal},
		"empty":      {func(context.Context, *tool.Call, asking) (string, error) { return "x", fault.New("", "secret") }, fault.Internal},
		"nil inside": {func(context.Context, *tool.Call, asking) (string, error) {
			return "x", fmt.Errorf("failed: %w", (*fault.Error)(nil))
		}, fault.Internal},
		"gone": {func(context.Context, *tool.Call, asking) (string, error) { runtime.Goexit(); return "x", nil }, fault.Internal},
		"unanswered": {func(ctx context.Context, _ *tool.Call, ask asking) (string, error) {
			_, _ = ask.Sure.Ask(ctx, "Sure?")
			return "x", nil
		}, fault.InputUnavailable},
		"in a branch": {func(ctx context.Context, _ *tool.Call, ask asking) (string, error) {
			_, _ = ask.Sure.Ask(tool.Branch(ctx), "Sure?")
			return "x", nil
		}, fault.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := invoke(t.Context(), question.Later(true, true), tc.handle)
			if fault.CodeOf(err) != tc.want || got != "" || strings.Contains(fmt.Sprint(err), "secret") {
				t.Errorf("Invoke = %q, %v, want code %s", got, err, tc.want)
			}
		})
	}
}

func TestOnce(t *testing.T) {
	if _, err := tool.Once(t.Context(), "k", func(context.Context) (int, error) { return 1, nil }); err == nil {
		t.Error("Once works outside a call")
	}
	runs := 0
	count := func(context.Context) (int, error) { runs++; return runs, nil }
	got, err := invoke(t.Context(), question.CannotAsk(nil), func(ctx context.Context, _ *tool.Call, _ asking) (string, error) {
		if _, err := tool.Once(ctx, "fails", func(context.Context) (int, error) { return 0, errors.New("not yet") }); err == nil {
			t.Error("an error of the work is lost")
		}
		if n, err := tool.Once(ctx, "fails", count); err != nil || n != 1 {
			t.Errorf("after an error: %d, %v", n, err)
		}
		if _, err := tool.Once(ctx, "fails", count); fault.CodeOf(err) != fault.Internal {
			t.Errorf("the same key again: %v", err)
		}
		within := func(ctx context.Context) (int, error) { return tool.Once(ctx, "outer", count) }
		if _, err := tool.Once(ctx, "outer", within); fault.CodeOf(err) != fault.Internal {
			t.Errorf("one key within itself: %v", err)
		}
		if n, err := tool.Once(ctx, "other", count); err != nil || n != 2 {
			t.Errorf("another key: %d, %v", n, err)
		}
		if _, err := tool.Once(ctx, "opaque", func(context.Context) (func(), error) { return func() {}, nil }); fault.CodeOf(err) != fault.Internal {
			t.Errorf("a result without JSON: %v", err)
		}
		now := func(context.Context) (time.Time, error) { return time.Now(), nil }
		if at, err := tool.Once(ctx, "now", now); err != nil || at != at.Round(0) {
			t.Errorf("the first run has a reading of the monotonic clock, which JSON does not have: %v, %v", at, err)
		}
		failed := func(context.Context) (error, error) { return errors.New("failed"), nil }
		if _, err := tool.Once(ctx, "failed", failed); fault.CodeOf(err) != fault.Internal {
			t.Errorf("a result that cannot be decoded: %v", err)
		}
		return "done", nil
	})
	if err != nil || got != "done" {
		t.Errorf("Invoke = %q, %v", got, err)
	}
}

func ExampleOnce() {
	yes := bind.Elicitor(nil, bind.Routed("sure", func(context.Context, elicit.Request) (elicit.Response[bool], error) {
		return elicit.Accepted(true), nil
	}))
	_, err := invoke(context.Background(), yes, func(ctx context.Context, _ *tool.Call, ask asking) (handler.None, error) {
		number, err := tool.Once(ctx, "number", func(context.Context) (int, error) { return 42, nil })
		if err != nil {
			return handler.None{}, err
		}
		publish, err := ask.Sure.Ask(ctx, "Publish draft %d?", number)
		if err != nil {
			return handler.None{}, err
		}
		fmt.Println("publish draft", number, publish)
		return handler.None{}, nil
	})
	fmt.Println(err)
	// Output:
	// publish draft 42 true
	// <nil>
}

// A tool without questions cannot ask the questions of another tool, even if it ignores the error.
func TestToolWithoutQuestionsAsks(t *testing.T) {
	other := bindAsking(question.NewSet("other"))
	made := handler.New("plain", handler.Codec[handler.None, handler.None, handler.None, string]{Result: handler.Text[string]},
		func(ctx context.Context, _ *tool.Call, _, _, _ handler.None) (string, error) {
			_, _ = other.Sure.Ask(ctx, "Sure?")
			return "done", nil
		})
	_, err := made.Run(t.Context(), &handler.Run{Surroundings: handler.Surroundings{Log: slog.New(slog.DiscardHandler)}, Asker: question.Asker{Ask: func(context.Context, question.Question) (question.Answer, error) {
		t.Error("the question went out")
		return question.Answer{}, nil
	}}})
	if fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), `tool "plain" asked a question that it does not declare ("sure")`) {
		t.Errorf("the call ended with %v", err)
	}
}
