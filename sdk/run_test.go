package sdk_test

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
)

// run runs the server to its end without input.
func run(t *testing.T, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := command(t, args...)
	cmd.Env = append(cmd.Env, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		status = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), status
}

func TestFlagsThatAreRefused(t *testing.T) {
	for _, tc := range []struct {
		args string
		env  []string
		want string
	}{
		{args: "--nonsense", want: "unknown flag: --nonsense"},
		{args: "serve", want: `unexpected argument "serve"`},
		{args: "--jp=blocks-999", want: "--jp=blocks-999"},
		{args: "--jp=", want: ""},
		{args: "--root /does/not/exist", want: `--root "/does/not/exist" is not a directory`},
		{args: "--log-level loud", want: "debug, info, warn or error"},
		{args: "--max-frame -1", want: "--max-frame"},
		{args: "--option echo", want: "TOOL.OPTION=VALUE"},
		{args: "--option echo.prefix", want: "TOOL.OPTION=VALUE"},
		{args: "--option ecko.prefix=1", want: `no tool "ecko"`},
		{args: "--option echo.suffix=1", want: "limit, prefix"},
		{args: "--option echo.limit=many", want: "limit"},
		{args: "--hide broken", want: "nothing to hide"},
		{env: []string{"FIXTURE_ECHO_LIMIT=many"}, want: "limit"},
	} {
		t.Run(tc.args, func(t *testing.T) {
			stdout, stderr, status := run(t, tc.env, strings.Fields(tc.args)...)
			if tc.want == "" {
				if status != sdk.ExitOK {
					t.Errorf("status %d, %s", status, stderr)
				}
				return
			}
			if status != sdk.ExitUsage || !strings.Contains(stderr, tc.want) || stdout != "" {
				t.Errorf("status %d, stdout %q, stderr %q, want %q", status, stdout, stderr, tc.want)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	stdout, stderr, status := run(t, nil, "--help")
	if status != sdk.ExitOK || stderr != "" {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
	folded := strings.Join(strings.Fields(stdout), " ")
	for _, want := range []string{
		"Enable transitional JP tool protocol. Will be replaced by typed content blocks per RFD 058.",
		"--jp", "--root", "--log-level", "--version", "--option TOOL.OPTION=VALUE", "--hide tool",
		"Fixture has a tool for each manner of behaving.",
	} {
		if !strings.Contains(folded, want) {
			t.Errorf("the help lacks %q:\n%s", want, stdout)
		}
	}
}

func TestVersionAndContract(t *testing.T) {
	if stdout, _, status := run(t, nil, "--version"); status != sdk.ExitOK || !strings.HasPrefix(stdout, "fixture ") {
		t.Errorf("--version: status %d, %q", status, stdout)
	}
	stdout, _, status := run(t, nil, "contract")
	if status != sdk.ExitOK || !strings.Contains(stdout, `"name": "echo"`) {
		t.Errorf("contract: status %d, %q", status, stdout)
	}
}

func TestOptionsFromTheEnvironment(t *testing.T) {
	t.Setenv("FIXTURE_ECHO_PREFIX", "env ")
	if r := start(t).call("echo", `{"text":"a"}`); r.text() != "env a" {
		t.Errorf("result %+v", r)
	}
	if r := start(t, "--option", "echo.prefix=flag ").call("echo", `{"text":"a"}`); r.text() != "flag a" {
		t.Errorf("a flag does not overrule the environment: %+v", r)
	}
}

func TestServedTools(t *testing.T) {
	p := start(t, "--hide", "wait")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	tools := p.recv().Result.Tools
	names := []string{}
	for _, tool := range tools {
		names = append(names, tool.Name)
		if strings.Contains(string(tool.InputSchema), "$ref") || tool.Description == "" {
			t.Errorf("tool %+v", tool)
		}
		if tool.Name == "place" && tool.OutputSchema == nil {
			t.Error("the tool with a typed result has no output schema")
		}
	}
	if got := strings.Join(names, " "); got != "break draft echo fail mirror names order place quote slow stage" {
		t.Errorf("served: %s", got)
	}
	if r := p.call("wait", `{}`); !r.IsError || !strings.Contains(r.text(), "not_found") {
		t.Errorf("a hidden tool: %+v", r)
	}
}

func TestContractThatDoesNotFit(t *testing.T) {
	for name, tc := range map[string]struct{ contract, want string }{
		"no JSON":     {"<<<<<<<", "reading the contract"},
		"a tool more": {`{"format":1,"name":"x","tools":[{"name":"gone","input":{"type":"object"}}]}`, `a tool "gone" that the program lacks`},
	} {
		t.Run(name, func(t *testing.T) {
			var errs bytes.Buffer
			streams := &sdk.Streams{Err: &errs}
			if status := sdk.NewServer(tc.contract).Run(t.Context(), nil, streams); status != sdk.ExitUsage || !strings.Contains(errs.String(), tc.want) {
				t.Errorf("status %d, %q", status, errs.String())
			}
			if err := sdk.NewServer(tc.contract).Serve(t.Context(), nil, sdk.Options{}); err == nil {
				t.Error("it is served")
			}
		})
	}
}
