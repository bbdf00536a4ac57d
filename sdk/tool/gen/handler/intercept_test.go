package handler_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

type callerKey struct{}

type next = func(context.Context) error

// crashing panics with a secret wherever the runtime uses it.
type crashing struct{}

func (crashing) Error() string                { panic("secret") }
func (crashing) MarshalJSON() ([]byte, error) { panic("secret") }

// ending ends the goroutine that uses it.
type ending struct{}

func (ending) Error() string { runtime.Goexit(); return "" }

// everything says that it is an error of any type.
type everything struct{}

func (everything) Error() string { return "everything" }
func (everything) As(any) bool   { return true }

// An interceptor can do whatever it wants: the caller receives a result only if the handler ran once and returned it,
// and only if no interceptor refused.
func TestInterceptors(t *testing.T) {
	denied := fault.New(fault.PermissionDenied, "not this one")
	var late next
	// started calls next in another goroutine and returns when the handler runs.
	started := make(chan bool, 1)
	inBackground := func(ctx context.Context, next next) {
		go next(context.WithValue(ctx, callerKey{}, "waits"))
		<-started
	}
	for name, tc := range map[string]struct {
		i    tool.Interceptor
		want string // the result, or what the error says
		code fault.Code
		runs int
	}{
		"passed on":           {func(ctx context.Context, _ *tool.Round, next next) error { return next(ctx) }, "hi", "", 1},
		"nothing returned":    {func(ctx context.Context, _ *tool.Round, next next) error { _ = next(ctx); return nil }, "hi", "", 1},
		"with a code":         {func(context.Context, *tool.Round, next) error { return fault.New("quota", "too many") }, "too many", "quota", 0},
		"with a wrong code":   {func(context.Context, *tool.Round, next) error { return fault.New("Quo ta", "secret") }, "incident", fault.Internal, 0},
		"without a code":      {func(context.Context, *tool.Round, next) error { return errors.New("broken pipe") }, "broken pipe", fault.Internal, 0},
		"a nil error pointer": {func(context.Context, *tool.Round, next) error { return (*fault.Error)(nil) }, "nil *fault.Error", fault.Internal, 0},
		"a question": {func(context.Context, *tool.Round, next) error {
			return &question.Pending{Questions: make([]question.Question, 1)}
		}, "is waiting", fault.Internal, 0},
		"never run": {func(context.Context, *tool.Round, next) error { return nil }, "neither called next", fault.Internal, 0},
		"run again": {func(ctx context.Context, _ *tool.Round, next next) error {
			_ = next(ctx)
			return next(ctx)
		}, "called next twice", fault.Internal, 1},
		"run again, and the first error": {func(ctx context.Context, _ *tool.Round, next next) error {
			err := next(ctx)
			if next(ctx) == nil {
				return errors.New("it ran twice")
			}
			return err
		}, "hi", "", 1},
		"run at the same time": {func(ctx context.Context, _ *tool.Round, next next) error {
			ended, ran := make(chan error), 0
			for range 8 {
				go func() { ended <- next(ctx) }()
			}
			for range 8 {
				if <-ended == nil {
					ran++
				}
			}
			if ran != 1 {
				return fmt.Errorf("it ran %d times", ran)
			}
			return nil
		}, "hi", "", 1},
		"not waited for":        {func(ctx context.Context, _ *tool.Round, next next) error { inBackground(ctx, next); return nil }, "before next", fault.Internal, 1},
		"refused while it runs": {func(ctx context.Context, _ *tool.Round, next next) error { inBackground(ctx, next); return denied }, "not this one", fault.PermissionDenied, 1},
		"kept for later":        {func(_ context.Context, _ *tool.Round, next next) error { late = next; return denied }, "not this one", fault.PermissionDenied, 0},
		"crashed":               {func(context.Context, *tool.Round, next) error { panic("secret") }, "incident", fault.Internal, 0},
		"crashed on nil":        {nil, "incident", fault.Internal, 0},
		"crashed at last":       {func(ctx context.Context, _ *tool.Round, next next) error { _ = next(ctx); panic("secret") }, "incident", fault.Internal, 1},
		"without a context":     {func(_ context.Context, _ *tool.Round, next next) error { _ = next(nil); return nil }, "incident", fault.Internal, 0}, //nolint:staticcheck // a mistake
		"refused at last":       {func(ctx context.Context, _ *tool.Round, next next) error { _ = next(ctx); return denied }, "not this one", fault.PermissionDenied, 1},
		"another context": {func(ctx context.Context, _ *tool.Round, next next) error {
			return next(context.WithValue(ctx, callerKey{}, "ann"))
		}, "hi ann", "", 1},
		"told": {func(_ context.Context, r *tool.Round, _ next) error {
			return fault.New("told", "%s %t %v %v", r.Principal, r.First, r.Input, r.Options)
		}, "ann true <nil> <nil>", "told", 0},
		"its goroutine ends":           {func(context.Context, *tool.Round, next) error { runtime.Goexit(); return nil }, "an interceptor called runtime.Goexit", fault.Internal, 0},
		"its error ends the goroutine": {func(context.Context, *tool.Round, next) error { return ending{} }, "an interceptor called runtime.Goexit", fault.Internal, 0},
		"its goroutine ends at last": {func(ctx context.Context, _ *tool.Round, next next) error {
			_ = next(ctx)
			runtime.Goexit()
			return nil
		}, "an interceptor called runtime.Goexit", fault.Internal, 1},
		"its goroutine ends while it runs": {func(ctx context.Context, _ *tool.Round, next next) error {
			inBackground(ctx, next)
			runtime.Goexit()
			return nil
		}, "an interceptor called runtime.Goexit", fault.Internal, 1},
		"crashed by its error":         {func(context.Context, *tool.Round, next) error { return crashing{} }, "incident", fault.Internal, 0},
		"crashed by its error's cause": {func(context.Context, *tool.Round, next) error { return fault.Wrap(crashing{}, "quota", "too many") }, "incident", fault.Internal, 0},
		"crashed by its details": {func(context.Context, *tool.Round, next) error {
			f := fault.New("quota", "too many")
			f.Details = map[string]any{"until": crashing{}}
			return f
		}, "incident", fault.Internal, 0},
		"the handler's goroutine ends": {func(ctx context.Context, _ *tool.Round, next next) error {
			return cmp.Or(next(context.WithValue(ctx, callerKey{}, "goexit")), error(denied))
		}, "runtime.Goexit", fault.Internal, 1},
	} {
		runs := 0
		made := handler.New("t", handler.Codec[handler.None, handler.None, handler.None, string]{Result: handler.Text[string]},
			func(ctx context.Context, _ *tool.Call, _, _, _ handler.None) (string, error) {
				runs++
				switch who := ctx.Value(callerKey{}); who {
				case "waits":
					started <- true
					<-ctx.Done()
				case "goexit":
					runtime.Goexit()
				case nil:
				default:
					return fmt.Sprint("hi ", who), nil
				}
				return "hi", nil
			})
		var seen []string
		outer := func(ctx context.Context, _ *tool.Round, next next) error {
			err := next(ctx)
			seen = append(seen, string(fault.CodeOf(err)))
			return err
		}
		var log bytes.Buffer
		r := &handler.Run{
			Surroundings: handler.Surroundings{Caller: handler.Caller{Subject: "ann"}, Log: slog.New(slog.NewTextHandler(&log, nil))},
			Rules:        &handler.Rules{Interceptors: []tool.Interceptor{outer, tc.i}},
		}
		result, err := made.Run(t.Context(), r)
		if late != nil && late(t.Context()) == nil {
			t.Errorf("%s: next returned nil after the call", name)
		}
		late = nil
		text := result.Blocks.Flatten()
		if err != nil {
			text += err.Error()
		}
		_, asks := errors.AsType[*question.Pending](err)
		if code := fault.CodeOf(err); code != tc.code || !strings.Contains(text, tc.want) || strings.Contains(text, "secret") || runs != tc.runs || asks && tool.Asks(err) != nil {
			t.Errorf("%s: %q, code %q after %d runs; want %q, %q, %d", name, text, code, runs, tc.want, tc.code, tc.runs)
		}
		if len(seen) != 1 || seen[0] != string(tc.code) {
			t.Errorf("%s: the outer interceptor saw %q, want %q", name, seen, tc.code)
		}
		if crashed := strings.Contains(name, "crashed"); crashed && (!strings.Contains(log.String(), "incident=") || !strings.Contains(log.String(), "stack=")) {
			t.Errorf("%s: logged %s", name, &log)
		}
	}
}

// A round that ends with a question is not the end of the call, whatever an interceptor returns. It can still refuse.
func TestInterceptorsAroundQuestions(t *testing.T) {
	for name, tc := range map[string]struct {
		after func(err error) error
		code  fault.Code // "" if the question stays
	}{
		"passed on": {func(err error) error { return err }, ""},
		"swallowed": {func(error) error { return nil }, ""},
		"refused":   {func(error) error { return fault.New(fault.PermissionDenied, "no") }, fault.PermissionDenied},
		"wrapped":   {func(err error) error { return fmt.Errorf("audit: %w", err) }, ""},
		"crashed":   {func(error) error { panic("secret") }, fault.Internal},
	} {
		var seen []string
		done := false
		made := handler.New("t", handler.Codec[handler.None, abc, handler.None, handler.None]{Questions: bindABC, Result: handler.Done},
			func(ctx context.Context, _ *tool.Call, _ handler.None, ask abc, _ handler.None) (handler.None, error) {
				_, err := ask.A.Ask(ctx, "Sure?")
				done = err == nil
				return handler.None{}, err
			})
		r := &handler.Run{Surroundings: handler.Surroundings{Log: slog.New(slog.DiscardHandler)}, Asker: question.Later(true, false)}
		r.Rules = &handler.Rules{Interceptors: []tool.Interceptor{func(ctx context.Context, r *tool.Round, next next) error {
			err := next(ctx)
			seen = append(seen, fmt.Sprint(r.First, len(tool.Asks(err)), err == nil))
			if tool.Asks(err) != nil {
				return tc.after(err)
			}
			return err
		}}}
		_, err := made.Run(t.Context(), r)
		asked := tool.Asks(err) != nil
		if want := tc.code == ""; asked != want || !asked && fault.CodeOf(err) != tc.code || done || len(seen) != 1 || seen[0] != "true 1 false" {
			t.Errorf("%s: ended with %v, after %q", name, err, seen)
		}
		r = &handler.Run{Asker: r.Asker, Rules: r.Rules}
		r.Answers = map[string]question.Answer{"a": {Content: json.RawMessage("true")}}
		if _, err := made.Run(t.Context(), r); err != nil || !done || len(seen) != 2 || seen[1] != "false 0 true" {
			t.Errorf("%s: the second round ended with %v, after %q", name, err, seen)
		}
	}
}

// However a handler's error behaves, the run ends with a fault, with and without a budget.
func TestErrorsWithMethodsThatMisbehave(t *testing.T) {
	detailed := fault.New(fault.NotFound, "gone")
	detailed.Details = map[string]any{"what": crashing{}}
	for name, failure := range map[string]error{
		"details that crash": detailed, "a text that crashes": crashing{}, "an error of every type": everything{},
		"an error of every type as the cause": fault.Wrap(everything{}, fault.NotFound, "gone"),
	} {
		for _, budget := range []int{0, 10_000} {
			asking := handler.New("t", handler.Codec[handler.None, abc, handler.None, handler.None]{Questions: bindABC, Result: handler.Done},
				func(context.Context, *tool.Call, handler.None, abc, handler.None) (handler.None, error) {
					return handler.None{}, failure
				})
			silent := handler.New("t", handler.Codec[handler.None, handler.None, handler.None, handler.None]{Result: handler.Done},
				func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (handler.None, error) {
					return handler.None{}, failure
				})
			for _, made := range []*handler.Tool{asking, silent} {
				r := &handler.Run{Surroundings: handler.Surroundings{Log: slog.New(slog.DiscardHandler)}, Contract: &manifest.Tool{Name: "t", Budget: budget}}
				_, err := made.Run(t.Context(), r)
				if _, coded := err.(*fault.Error); !coded || strings.Contains(err.Error(), "secret") || strings.Contains(name, "crash") != strings.Contains(err.Error(), "incident") {
					t.Errorf("%s: ended with %v", name, err)
				}
			}
		}
	}
}
