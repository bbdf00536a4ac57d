package sdk_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/tool"
)

// recording returns an interceptor that records rounds, and rejects one tool.
func recording(to io.Writer, deny string) tool.Interceptor {
	return func(ctx context.Context, r *tool.Round, next func(context.Context) error) error {
		fmt.Fprintf(to, "begin %s %+v first=%t;", r.Contract.Name, r.Input, r.First)
		err := error(fault.New(fault.PermissionDenied, "not for %q", r.Principal))
		if r.Tool != deny {
			err = next(ctx)
		}
		outcome := string(fault.CodeOf(err))
		for _, ref := range tool.Asks(err) {
			outcome = "asks " + ref.Key + "/" + ref.Subject
		}
		fmt.Fprintf(to, "end %s\n", outcome)
		return err
	}
}

// Interceptors see every round of every call over every protocol and transport. Tools that they reject do not run.
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
			const refused = "begin stage {Hunks:[a]} first=true;end permission_denied\n"
			const inPlace = "begin stage {Hunks:[a]} first=true;end \n" + refused
			const inRounds = "begin stage {Hunks:[a]} first=true;end asks stage/a\n" +
				"begin stage {Hunks:[a]} first=false;end \n" + refused
			if string(seen) != inPlace && string(seen) != inRounds {
				t.Errorf("interceptors saw\n%s", seen)
			}
		})
	}
}

// An interceptor that refuses a tool refuses it through every door, whatever the request carries.
func TestRefusedIsRefused(t *testing.T) {
	const (
		answers = `"computer.jp/tool":{"answers":{"title":"Green"}}`
		relayed = `{"topic":"tea","answer_title":"Green"}`
		plain   = `{"topic":"tea"}`
	)
	r, _ := launchCommand(t, withKeys(t)).round("draft", plain, modernMeta, "", "")
	sealed := fmt.Sprintf(`,"requestState":%q,"inputResponses":{"title":{"action":"accept","content":{"answer":"Green"}}}`, r.State)
	meta := func(more string) string { return strings.TrimSuffix(modernMeta, "}") + more + "}" }
	requests := map[string]struct{ arguments, meta, more string }{
		"a first request":     {plain, modernMeta, ""},
		"without a version":   {plain, "{}", ""},
		"answers":             {plain, meta("," + answers), ""},
		"answers, no version": {plain, "{" + answers + "}", ""},
		"a relay argument":    {relayed, cannotAsk, ""},
		"relayed, no version": {relayed, "{}", ""},
		"sealed state":        {plain, modernMeta, sealed},
		"answers and state":   {plain, meta("," + answers), sealed},
		"invalid arguments":   {`{"tpoic":7}`, modernMeta, ""},
	}
	handler := func(t *testing.T, extended bool, deny string) service {
		s := fixture.NewServer(&fixture.Fixture{})
		if extended {
			s = extend(s)
		}
		s.Intercept(recording(io.Discard, deny))
		keys, _ := strings.CutPrefix(sharedKeys()[0], "JPTOOL_STATE_KEYS=")
		h, err := s.Handler(t.Context(), sdk.Options{StateKeys: keys}, sdk.HTTPOptions{})
		if err != nil {
			t.Fatal(err)
		}
		front := httptest.NewServer(h)
		t.Cleanup(front.Close)
		return service{url: front.URL}
	}
	stdio := func(flags ...string) func(*testing.T, []string) func(string) string {
		return func(t *testing.T, args []string) func(string) string {
			p := launchCommand(t, withKeys(t, append(args, flags...)...)).openSession("2025-11-25")
			return func(line string) string {
				p.send(line)
				return p.recv().raw
			}
		}
	}
	over := func(open func(t *testing.T, args []string) service, session bool) func(*testing.T, []string) func(string) string {
		return func(t *testing.T, args []string) func(string) string {
			s := open(t, args)
			return func(line string) string {
				header := []string{"Mcp-Protocol-Version", "2025-11-25"}
				if strings.Contains(line, "2026-07-28") {
					header = []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "draft"}
				} else if session {
					id, _ := s.session(t, "")
					header = append(header, "Mcp-Session-Id", id)
				}
				_, body := s.post(t, line, header...)
				return string(body)
			}
		}
	}
	doors := map[string]func(t *testing.T, args []string) func(line string) string{
		"stdio":                    stdio(),
		"stdio, JP":                stdio("--jp"),
		"stdio, JP content blocks": stdio("--jp=blocks"),
		"HTTP":                     over(func(t *testing.T, args []string) service { return serve(t, sharedKeys(), args...) }, false),
		"HTTP, trusted": over(func(t *testing.T, args []string) service {
			return serve(t, sharedKeys(), append(args, "--http-trust-caller")...)
		}, false),
		"HTTP, session": over(func(t *testing.T, args []string) service { return serve(t, sharedKeys(), args...) }, true),
		"a mounted handler": over(func(t *testing.T, args []string) service {
			return handler(t, false, args[len(args)-1])
		}, false),
		"a mounted handler with middleware": over(func(t *testing.T, args []string) service {
			return handler(t, true, args[len(args)-1])
		}, false),
	}
	for door, open := range doors {
		t.Run(door, func(t *testing.T) {
			t.Parallel()
			for _, deny := range []string{"draft", "other"} {
				if deny == "other" && door == "HTTP, session" {
					break // the server would ask in the stream, and wait
				}
				ledger := filepath.Join(t.TempDir(), "ledger")
				if err := os.WriteFile(ledger, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				call := open(t, []string{"--ledger", ledger, "--deny", deny})
				for name, r := range requests {
					got := call(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draft","arguments":%s,"_meta":%s%s}}`, r.arguments, r.meta, r.more))
					if refused := strings.Contains(got, "permission_denied: not for"); refused != (deny == "draft") {
						t.Errorf("%s, refused %q: %s", name, deny, got)
					}
				}
			}
		})
	}
	for _, deny := range []string{"draft", "other"} {
		for _, document := range []string{`{"arguments":{"topic":"tea"}}`, `{"arguments":{"topic":"tea"},"answers":{"title":"Green"}}`, `{"arguments":` + relayed + `}`, `{"arguments":{}}`} {
			o, _, _ := oneshot(t, "", "--ledger", os.DevNull, "--deny", deny, "call", "draft", document)
			if refused := strings.HasPrefix(o.Message, "permission_denied"); refused != (deny == "draft") {
				t.Errorf("one-shot %s, refused %q: %+v", document, deny, o)
			}
		}
		s := fixture.NewServer(&fixture.Fixture{})
		s.Intercept(recording(io.Discard, deny))
		for _, arguments := range []string{plain, relayed, `{}`} {
			_, err := s.Call(t.Context(), "draft", json.RawMessage(arguments), sdk.Host{Ask: byKey(map[string]string{"title": `"Green"`, "publish": "true"})})
			if refused := fault.CodeOf(err) == fault.PermissionDenied; refused != (deny == "draft") {
				t.Errorf("in process %s, refused %q: %v", arguments, deny, err)
			}
		}
	}
}

// withKeys returns the command of a server with the keys that other servers have, too.
func withKeys(t *testing.T, args ...string) *exec.Cmd {
	cmd := command(t, args...)
	cmd.Env = append(cmd.Env, sharedKeys()...)
	return cmd
}

// An interceptor also sees calls with invalid arguments.
func TestInterceptorsSeeWrongCalls(t *testing.T) {
	var seen bytes.Buffer
	s := fixture.NewServer(&fixture.Fixture{})
	s.Intercept(recording(&seen, ""))
	if _, err := s.Call(t.Context(), "echo", json.RawMessage(`{"tetx":1}`), sdk.Host{}); err == nil {
		t.Error("the call is right")
	}
	if got, want := seen.String(), "begin echo <nil> first=true;end invalid_input\n"; got != want {
		t.Errorf("the interceptor saw %q, want %q", got, want)
	}
}

// Interceptors run for what a program adds through go-sdk, which has no contract, and what they refuse is refused.
func TestInterceptorsOfAdditions(t *testing.T) {
	var seen []string
	intercept := func(ctx context.Context, r *tool.Round, next func(context.Context) error) error {
		seen = append(seen, fmt.Sprint(r.Kind, " ", r.Name, " ", r.Tool, " ", r.Contract == nil))
		if strings.Contains(r.Name, "secret") {
			return fault.New(fault.PermissionDenied, "not for you")
		}
		err := next(ctx)
		seen[len(seen)-1] += fmt.Sprint(" ", err == nil)
		return err
	}
	s := fixture.NewServer(&fixture.Fixture{})
	s.Intercept(intercept)
	runs := 0
	m := gosdk.Server(s)
	for _, name := range []string{"open", "secret"} {
		m.AddResource(&mcp.Resource{URI: "note://" + name, Name: name}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			runs++
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "note://" + name, Text: "words"}}}, nil
		})
		m.AddPrompt(&mcp.Prompt{Name: name}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			runs++
			return &mcp.GetPromptResult{Description: "words"}, nil
		})
		m.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			runs++
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "words"}}, IsError: true}, nil
		})
	}
	ours, theirs := net.Pipe()
	go s.Serve(t.Context(), theirs, sdk.Options{})
	in := bufio.NewReader(ours)
	send := func(method, params string) string {
		if _, err := fmt.Fprintf(ours, `{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,"_meta":%s}}`+"\n", method, params, modernMeta); err != nil {
			t.Fatal(err)
		}
		answer, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	for _, tc := range []struct{ method, params, open, secret, seen string }{
		{"resources/read", `"uri":"note://%s"`, `"text":"words"`, `"code":-32603,"message":"permission_denied: not for you"`, "resource note://open  true true"},
		{"prompts/get", `"name":"%s"`, `"description":"words"`, `"code":-32603,"message":"permission_denied: not for you"`, "prompt open  true true"},
		{"tools/call", `"name":"%s"`, `"text":"words"`, `"text":"permission_denied: not for you"`, "tool open open true false"},
	} {
		seen, runs = nil, 0
		if got := send(tc.method, fmt.Sprintf(tc.params, "open")); !strings.Contains(got, tc.open) || runs != 1 {
			t.Errorf("%s: %s after %d runs", tc.method, got, runs)
		}
		if got := send(tc.method, fmt.Sprintf(tc.params, "secret")); !strings.Contains(got, tc.secret) || runs != 1 {
			t.Errorf("%s is not refused: %s after %d runs", tc.method, got, runs)
		}
		if len(seen) != 2 || seen[0] != tc.seen {
			t.Errorf("%s: seen %q", tc.method, seen)
		}
	}
}
