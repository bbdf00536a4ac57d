package tool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

func sure() elicit.Confirm { return elicit.NewConfirm(elicit.Spec{ID: "sure"}) }

func TestInvokeCodesEveryError(t *testing.T) {
	for name, tc := range map[string]struct {
		handle func(context.Context, *tool.Call) (string, error)
		want   fault.Code
	}{
		"uncoded": {func(context.Context, *tool.Call) (string, error) { return "x", errors.New("out of luck") }, fault.Internal},
		"panic":   {func(context.Context, *tool.Call) (string, error) { panic("secret") }, fault.Internal},
		"coded":   {func(context.Context, *tool.Call) (string, error) { return "x", fault.New(fault.Conflict, "no") }, fault.Conflict},
		"unanswered": {func(ctx context.Context, _ *tool.Call) (string, error) {
			_, _ = sure().Ask(ctx, "Sure?")
			return "x", nil
		}, fault.InputUnavailable},
		"in a branch": {func(ctx context.Context, _ *tool.Call) (string, error) {
			_, _ = sure().Ask(tool.Branch(ctx), "Sure?")
			return "x", nil
		}, fault.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tool.Invoke(t.Context(), "test", elicit.Later{}, tc.handle)
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
	got, err := tool.Invoke(t.Context(), "test", elicit.Nobody{}, func(ctx context.Context, _ *tool.Call) (string, error) {
		if _, err := tool.Once(ctx, "fails", func(context.Context) (int, error) { return 0, errors.New("not yet") }); err == nil {
			t.Error("an error of the work is lost")
		}
		if n, err := tool.Once(ctx, "fails", count); err != nil || n != 1 {
			t.Errorf("after an error: %d, %v", n, err)
		}
		if n, err := tool.Once(ctx, "fails", count); err != nil || n != 1 {
			t.Errorf("the same key again: %d, %v", n, err)
		}
		if n, err := tool.Once(ctx, "other", count); err != nil || n != 2 {
			t.Errorf("another key: %d, %v", n, err)
		}
		if _, err := tool.Once(ctx, "opaque", func(context.Context) (func(), error) { return func() {}, nil }); fault.CodeOf(err) != fault.Internal {
			t.Errorf("a result without JSON: %v", err)
		}
		return "done", nil
	})
	if err != nil || got != "done" {
		t.Errorf("Invoke = %q, %v", got, err)
	}
}

func ExampleOnce() {
	yes := elicit.Elicitor{Routes: []elicit.Route{
		elicit.Routed("sure", func(context.Context, elicit.Request) (elicit.Response[bool], error) {
			return elicit.Accepted(true), nil
		}),
	}}
	_, err := tool.Invoke(context.Background(), "publish", yes, func(ctx context.Context, _ *tool.Call) (tool.None, error) {
		number, err := tool.Once(ctx, "number", func(context.Context) (int, error) { return 42, nil })
		if err != nil {
			return tool.None{}, err
		}
		publish, err := sure().Ask(ctx, "Publish draft %d?", number)
		if err != nil {
			return tool.None{}, err
		}
		fmt.Println("publish draft", number, publish)
		return tool.None{}, nil
	})
	fmt.Println(err)
	// Output:
	// publish draft 42 true
	// <nil>
}
