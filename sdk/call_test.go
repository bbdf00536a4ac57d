package sdk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/conformance"
	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// byKey returns an Ask that answers questions by their keys.
func byKey(answers map[string]string) func(context.Context, elicit.Request) (elicit.Response[json.RawMessage], error) {
	return func(_ context.Context, r elicit.Request) (elicit.Response[json.RawMessage], error) {
		if r.Ref.Tool == "" || r.Ref.Call == "" || r.Ref.Seq == 0 {
			return elicit.Response[json.RawMessage]{}, fmt.Errorf("reference %+v", r.Ref)
		}
		return elicit.Accepted(json.RawMessage(answers[r.Ref.Key])), nil
	}
}

// A call with a tool name and JSON arguments is checked in the same way as over any protocol.
func TestCallInThisProcess(t *testing.T) {
	t.Setenv("FIXTURE_ECHO_PREFIX", "env ")
	s := fixture.NewServer(&fixture.Fixture{})
	for _, tc := range []struct {
		name, tool, arguments string
		h                     sdk.Host
		want                  string
		code                  fault.Code
	}{
		{name: "options and defaults", tool: "echo", arguments: `{"text":"a"}`, h: sdk.Host{Options: json.RawMessage(`{"prefix":"> "}`)}, want: "> a"},
		{name: "no options", tool: "echo", arguments: `{"text":"a"}`, h: sdk.Host{Options: json.RawMessage(`null`)}, want: "env a"},
		{name: "beyond a bound", tool: "slow", arguments: `{"steps":10}`, want: "steps", code: fault.InvalidInput},
		{name: "a name twice", tool: "echo", arguments: `{"text":"a","text":"b"}`, want: "text", code: fault.InvalidInput},
		{name: "an invalid option", tool: "echo", arguments: `{"text":"a"}`, h: sdk.Host{Options: json.RawMessage(`{"limit":"many"}`)}, want: "limit", code: fault.InvalidInput},
		{name: "no JSON", tool: "echo", arguments: `{`, want: "JSON", code: fault.InvalidInput},
		{name: "a space that JSON does not allow", tool: "echo", arguments: "\u00a0{}", want: "JSON", code: fault.InvalidInput},
		{name: "no tool", tool: "ehco", arguments: `{}`, want: `did you mean "echo"`, code: fault.NotFound},
		{name: "asked", tool: "stage", arguments: `{"hunks":["a"]}`, h: sdk.Host{Ask: byKey(map[string]string{"stage": "true"})}, want: "staged a"},
		{name: "an answer that does not fit", tool: "stage", arguments: `{"hunks":["a"]}`, h: sdk.Host{Ask: byKey(map[string]string{"stage": `"yes"`})}, want: "true or false", code: fault.InvalidAnswer},
		{name: "no user to ask", tool: "stage", arguments: `{"hunks":["a"]}`, want: "stage-a", code: fault.InputUnavailable},
		{name: "a root", tool: "place", h: sdk.Host{Root: "/tmp", WorkspaceID: "w"}, want: "/tmp"},
		{name: "a time limit", tool: "brief", want: "100ms", code: fault.Timeout},
	} {
		result, err := s.Call(t.Context(), tc.tool, json.RawMessage(tc.arguments), tc.h)
		text := result.Blocks.Flatten()
		if err != nil {
			text = err.Error()
		}
		if fault.CodeOf(err) != tc.code || !strings.Contains(text, tc.want) {
			t.Errorf("%s: %q, %v; want %q, code %q", tc.name, result.Blocks.Flatten(), err, tc.want, tc.code)
		}
	}
}

// Calls from Go code are checked against the contract too.
func TestCallXChecksItsInput(t *testing.T) {
	_, err := fixture.CallStage(t.Context(), &fixture.Fixture{}, fixture.StageInput{Hunks: make([]string, 10)}, caller{t: t})
	if fault.CodeOf(err) != fault.InvalidInput || !strings.Contains(err.Error(), "hunks") {
		t.Errorf("an input that does not fit: %v", err)
	}
}

func TestProgressAndLogInThisProcess(t *testing.T) {
	var steps []float64
	_, err := fixture.NewServer(&fixture.Fixture{}).Call(t.Context(), "slow", json.RawMessage(`{"steps":3}`), sdk.Host{
		Progress: func(done, _ float64, _ string) { steps = append(steps, done) },
	})
	if err != nil || !slices.Equal(steps, []float64{1, 2, 3}) {
		t.Errorf("progress %v, %v", steps, err)
	}
	var log bytes.Buffer
	_, err = conformance.New().Call(t.Context(), "test_tool_with_logging", nil, sdk.Host{Log: slog.NewTextHandler(&log, nil)})
	if err != nil || !strings.Contains(log.String(), "tool") {
		t.Errorf("log %q, %v", log.String(), err)
	}
}

// recording returns an interceptor that records calls, and rejects one tool.
func recording(to io.Writer, deny string) tool.Interceptor {
	return tool.Interceptor{
		Begin: func(_ context.Context, r *tool.Round) error {
			fmt.Fprintf(to, "begin %s %+v;", r.Contract.Name, r.Input)
			return nil
		},
		Round: func(ctx context.Context, r *tool.Round, next func(context.Context) error) error {
			if r.Tool == deny {
				return fault.New(fault.PermissionDenied, "not for %q", r.Principal)
			}
			err := next(ctx)
			asked := tool.Asks(err)
			for _, ref := range asked {
				fmt.Fprintf(to, "round asks %s/%s;", ref.Key, ref.Subject)
			}
			if asked == nil {
				fmt.Fprintf(to, "round %s;", fault.CodeOf(err))
			}
			return err
		},
		End: func(_ context.Context, _ *tool.Round, err error) { fmt.Fprintf(to, "end %s\n", fault.CodeOf(err)) },
	}
}

func scenarioNamed(t *testing.T, name string) scenario {
	t.Helper()
	i := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == name })
	if i < 0 {
		t.Fatalf("there is no scenario %q", name)
	}
	return scenarios[i]
}

// Interceptors see every call over every protocol and transport, each of its rounds, and its end once. Tools
// that they reject do not run.
func TestInterceptorsOnEveryWire(t *testing.T) {
	for _, w := range wires {
		if w.name == "in process" { // the Go API, without a server
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "ledger")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			s := scenarioNamed(t, "one question")
			s.args = []string{"--ledger", file}
			if got := w.run(t, s); got.text != s.text {
				t.Errorf("ended with %+v", got)
			}
			s.args = append(s.args, "--deny", "stage")
			s.text, s.code, s.steps = "", "permission_denied", nil
			if got := w.run(t, s); got.code != s.code {
				t.Errorf("a refused call ended with %+v", got)
			}
			seen, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			const refused = "begin stage {Hunks:[a]};end permission_denied\n"
			inPlace := "begin stage {Hunks:[a]};round ;end \n" + refused
			inRounds := "begin stage {Hunks:[a]};round asks stage/a;round ;end \n" + refused
			if string(seen) != inPlace && string(seen) != inRounds {
				t.Errorf("interceptors saw\n%s", seen)
			}
		})
	}
}

func TestInterceptorsInThisProcess(t *testing.T) {
	for name, tc := range map[string]struct {
		i    tool.Interceptor
		want string
		code fault.Code
	}{
		"nothing":          {i: tool.Interceptor{}, want: "hi"},
		"refused at first": {i: tool.Interceptor{Begin: func(context.Context, *tool.Round) error { return fault.New("quota", "too many calls") }}, want: "too many calls", code: "quota"},
		"without a code": {i: tool.Interceptor{Begin: func(context.Context, *tool.Round) error { return errors.New("broken pipe") }},
			want: "broken pipe", code: fault.Internal},
		"never run": {i: tool.Interceptor{Round: func(context.Context, *tool.Round, func(context.Context) error) error { return nil }},
			want: "neither called next", code: fault.Internal},
		"run twice": {i: tool.Interceptor{Round: func(ctx context.Context, _ *tool.Round, next func(context.Context) error) error {
			_ = next(ctx)
			return next(ctx)
		}}, want: "twice", code: fault.Internal},
		"crashed": {i: tool.Interceptor{Round: func(context.Context, *tool.Round, func(context.Context) error) error { panic("secret") }},
			want: "crashed", code: fault.Internal},
		"refused afterwards": {i: tool.Interceptor{Round: func(ctx context.Context, _ *tool.Round, next func(context.Context) error) error {
			_ = next(ctx)
			return fault.New(fault.PermissionDenied, "not this one")
		}}, want: "not this one", code: fault.PermissionDenied},
		"principal": {i: tool.Interceptor{Begin: func(_ context.Context, r *tool.Round) error {
			return fault.New(fault.PermissionDenied, "%s %t %+v", r.Principal, r.First, r.Options)
		}}, want: "ann true {", code: fault.PermissionDenied},
	} {
		s := fixture.NewServer(&fixture.Fixture{})
		s.Intercept(tc.i)
		result, err := s.Call(t.Context(), "echo", json.RawMessage(`{"text":"hi"}`), sdk.Host{Principal: "ann"})
		text := result.Blocks.Flatten()
		if err != nil {
			text = err.Error()
		}
		if fault.CodeOf(err) != tc.code || !strings.Contains(text, tc.want) || strings.Contains(text, "secret") {
			t.Errorf("%s: %q, code %q; want %q, %q", name, text, fault.CodeOf(err), tc.want, tc.code)
		}
	}
}

// An interceptor also sees calls with invalid arguments.
func TestInterceptorsSeeWrongCalls(t *testing.T) {
	var seen bytes.Buffer
	s := fixture.NewServer(&fixture.Fixture{})
	s.Intercept(recording(&seen, ""))
	if _, err := s.Call(t.Context(), "echo", json.RawMessage(`{"tetx":1}`), sdk.Host{}); err == nil {
		t.Error("the call is right")
	}
	if got, want := seen.String(), "begin echo <nil>;round invalid_input;end invalid_input\n"; got != want {
		t.Errorf("the interceptor saw %q, want %q", got, want)
	}
}

// At level debug, the log records the steps of a call, but not its content.
func TestDebugLog(t *testing.T) {
	p := start(t, "--log-level", "debug")
	state := ""
	for _, responses := range []string{"", `{"stage-attic":{"action":"accept","content":{"answer":true}}}`} {
		r, _ := p.round("stage", `{"hunks":["attic"]}`, modernMeta, state, responses)
		state = r.State
	}
	p.call("echo", `{"tetx":"hunter2"}`)
	said := p.log()
	for _, want := range []string{
		`msg="call begins" tool=stage call=`, `round=1`, `msg=question tool=stage`, `key=stage subject=attic seq=1 answer=waits known=false`,
		`msg="call ends" tool=stage`, `outcome=waits took=`, `round=2`, `answer=accept known=true`, `outcome=result`, `outcome=invalid_input`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the log lacks %s:\n%s", want, said)
		}
	}
	if strings.Contains(said, "hunter2") || strings.Contains(said, "Stage attic?") {
		t.Errorf("the log tells what a call was about:\n%s", said)
	}
}
