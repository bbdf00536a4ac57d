package handler_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// newTimedTool returns a tool without arguments that has a time limit.
func newTimedTool(limit time.Duration, handle func(context.Context) (string, error)) *handler.Tool {
	return handler.New("test", handler.Codec[handler.None, handler.None, handler.None, string]{Result: handler.Text[string], Timeout: limit},
		func(ctx context.Context, _ *tool.Call, _, _, _ handler.None) (string, error) { return handle(ctx) })
}

// newTimedAskingTool is like [newTimedTool], but for a handler that may ask.
func newTimedAskingTool(limit time.Duration, handle func(context.Context, asking) (string, error)) *handler.Tool {
	return handler.New("test", handler.Codec[handler.None, asking, handler.None, string]{Questions: bindAsking, Result: handler.Text[string], Timeout: limit},
		func(ctx context.Context, _ *tool.Call, _ handler.None, ask asking, _ handler.None) (string, error) {
			return handle(ctx, ask)
		})
}

// try calls a tool. server is the time limit of the server.
func try(t *testing.T, tl *handler.Tool, server time.Duration, asker question.Asker) (handler.Result, error) {
	t.Helper()
	return tl.Run(t.Context(), &handler.Run{Surroundings: handler.Surroundings{Log: slog.New(slog.DiscardHandler)}, Rules: &handler.Rules{Timeout: server}, Asker: asker})
}

func waitUntilDone(ctx context.Context) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

func TestCallsThatTakeTooLong(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	for name, tc := range map[string]struct {
		own, server time.Duration
		handle      func(context.Context) (string, error)
	}{
		"by the tool's time":       {own: time.Millisecond, server: time.Hour, handle: waitUntilDone},
		"by the server's time":     {server: time.Millisecond, handle: waitUntilDone},
		"in the author's own code": {own: time.Millisecond, handle: func(ctx context.Context) (string, error) { <-ctx.Done(); return "", errors.New("I was busy") }},
		"without ever noticing":    {own: time.Millisecond, handle: func(context.Context) (string, error) { <-stop; return "", nil }},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := try(t, newTimedTool(tc.own, tc.handle), tc.server, question.Asker{})
			f := fault.From(err)
			if f == nil || f.Code != fault.Timeout || !f.Transient || f.Message != "the tool did not finish within 1ms" {
				t.Errorf("Run = %v", err)
			}
		})
	}
}

func TestCallsThatEndInTime(t *testing.T) {
	for name, handle := range map[string]func(context.Context, asking) (string, error){
		"result": func(context.Context, asking) (string, error) { return "x", nil },
		"fault":  func(context.Context, asking) (string, error) { return "", fault.New(fault.Conflict, "no") },
		"panic":  func(context.Context, asking) (string, error) { panic("secret") },
		"ask": func(ctx context.Context, ask asking) (string, error) {
			_, err := ask.Sure.Ask(ctx, "Sure?")
			return "", err
		},
	} {
		t.Run(name, func(t *testing.T) {
			limited, limitedErr := try(t, newTimedAskingTool(time.Hour, handle), 0, question.Later(true, true))
			free, freeErr := try(t, newTimedAskingTool(0, handle), 0, question.Later(true, true))
			_, pending := errors.AsType[*question.Pending](limitedErr)
			if len(limited.Blocks) != len(free.Blocks) || fault.CodeOf(limitedErr) != fault.CodeOf(freeErr) || pending != (name == "ask") {
				t.Errorf("with a time Run = %v, %v, without %v, %v", limited, limitedErr, free, freeErr)
			}
		})
	}
}

// The time that the user takes for an answer does not count.
func TestWaitingForAnAnswerDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = time.Second
		result, err := try(t, newTimedAskingTool(limit, func(ctx context.Context, ask asking) (string, error) {
			for i := range 3 {
				if yes, err := ask.Sure.For(strconv.Itoa(i)).Ask(ctx, "Sure?"); err != nil || !yes {
					return "no", err
				}
			}
			return "yes", ctx.Err()
		}), 0, slowAsker(time.Hour))
		if err != nil || len(result.Blocks) != 1 {
			t.Errorf("Run = %v, %v", result, err)
		}
	})
}

// After a question, a call continues with the time that was left when it asked.
func TestTimeGoesOnAfterAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := try(t, newTimedAskingTool(time.Minute, func(ctx context.Context, ask asking) (string, error) {
			<-time.After(40 * time.Second)
			if _, err := ask.Sure.Ask(ctx, "Sure?"); err != nil {
				return "", err
			}
			return waitUntilDone(ctx)
		}), 0, slowAsker(time.Hour))
		if took := time.Since(began); fault.CodeOf(err) != fault.Timeout || took != time.Hour+time.Minute {
			t.Errorf("Run = %v after %s", err, took)
		}
	})
}

// slowAsker answers yes after a delay.
func slowAsker(d time.Duration) question.Asker {
	return question.Asker{Ask: func(context.Context, question.Question) (question.Answer, error) {
		<-time.After(d)
		return question.Answer{Content: json.RawMessage("true")}, nil
	}}
}

// The number of handlers that never return is limited.
func TestRunsAfterTheirTimeoutAreLimited(t *testing.T) {
	stop := make(chan struct{})
	stuck := newTimedTool(time.Nanosecond, func(context.Context) (string, error) { <-stop; return "", nil })
	const tries = 70
	codes := make(chan fault.Code, tries)
	for range tries {
		go func() {
			_, err := try(t, stuck, 0, question.Asker{})
			codes <- fault.CodeOf(err)
		}()
	}
	for range tries {
		if code := <-codes; code != fault.Timeout && code != fault.Unavailable {
			t.Errorf("code %s", code)
		}
	}
	if _, err := try(t, stuck, 0, question.Asker{}); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("one more: %v", err)
	}
	close(stop)
}

// A strange error has methods that panic or do not return until the test ends.
type strange struct {
	method string
	do     func()
}

func (s strange) call(method string) {
	if method == s.method {
		s.do()
	}
}

func (s strange) Error() string   { s.call("Error"); return "strange" }
func (s strange) Is(error) bool   { s.call("Is"); return false }
func (s strange) As(any) bool     { s.call("As"); return false }
func (s strange) Unwrap() []error { s.call("Unwrap"); return []error{s} }

// The methods of a handler's error may do anything: the call ends within its time limit, with a fault.
func TestStrangeErrors(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	for _, method := range []string{"", "Error", "Is", "As", "Unwrap"} {
		for what, tc := range map[string]struct {
			do   func()
			code fault.Code
		}{
			"panics":        {func() { panic("secret") }, fault.Internal},
			"never returns": {func() { <-stop }, fault.Timeout},
		} {
			if method == "" {
				tc.code = fault.Internal // it only wraps itself
			}
			limit := time.Minute
			if tc.code == fault.Timeout {
				limit = time.Millisecond
			}
			for _, wrapped := range []bool{false, true} {
				if wrapped && method == "Error" {
					continue // the handler itself would call it
				}
				_, got := try(t, newTimedTool(limit, func(context.Context) (string, error) {
					var err error = strange{method, tc.do}
					if wrapped {
						err = fmt.Errorf("x: %w", errors.Join(err))
					}
					return "", err
				}), 0, question.Asker{})
				if fault.CodeOf(got) != tc.code || strings.Contains(got.Error(), "secret") {
					t.Errorf("%q %s: %v", method, what, got)
				}
			}
		}
	}
}
