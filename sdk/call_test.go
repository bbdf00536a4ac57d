package sdk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/conformance"
	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
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

func scenarioNamed(t *testing.T, name string) scenario {
	t.Helper()
	i := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == name })
	if i < 0 {
		t.Fatalf("there is no scenario %q", name)
	}
	return scenarios[i]
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
