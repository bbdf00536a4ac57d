package sdk_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/jp/jphost"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// run runs the server without input until it ends.
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
		{args: "--log-level loud", want: "debug, info, warn, error"},
		{args: "--max-frame -1", want: "--max-frame"},
		{args: "--max-calls 0", want: "invalid --max-calls 0: must be at least 1"},
		{args: "--max-calls -3", want: "invalid --max-calls -3: must be at least 1"},
		{args: "--call-timeout 30", want: "missing unit"},
		{args: "--call-timeout -1s", want: "invalid --call-timeout -1s: must be positive, e.g. 30s, or 0 for no timeout"},
		{args: "--option echo", want: "TOOL.OPTION=VALUE"},
		{args: "--option echo.prefix", want: "use echo.prefix=VALUE"},
		{args: "--option ecko.prefix=1", want: `no tool "ecko"`},
		{args: "--option echo.suffix=1", want: "limit, prefix"},
		{args: "--option fail.suffix=1", want: `--option "fail.suffix": tool "fail" has no options`},
		{args: "--option echo.limit=many", want: "--option echo.limit: invalid_input: option limit: expected an integer"},
		{args: "--hide broken", want: "nothing to hide"},
		{env: []string{"FIXTURE_ECHO_LIMIT=many"}, want: "environment variable FIXTURE_ECHO_LIMIT: invalid_input: option limit: expected an integer"},
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
		"Has a tool for each kind of behavior.",
	} {
		if !strings.Contains(folded, want) {
			t.Errorf("the help lacks %q:\n%s", want, stdout)
		}
	}
	general, _, ok := strings.Cut(stdout, "\nUse with JP (https://github.com/dcdpr/jp):\n")
	if !ok || strings.Contains(general, "JP") || !strings.Contains(general, "--help") {
		t.Errorf("the help does not describe JP in a section at the end:\n%s", stdout)
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
	if got := strings.Join(names, " "); got != "break brief draft echo erase fail fragile hang look mirror names order place quote register slow stage" {
		t.Errorf("served: %s", got)
	}
	p.send(`{"jsonrpc":"2.0","id":"hidden","method":"tools/call","params":{"name":"wait","arguments":{}}}`)
	if r := p.recv(); r.Error == nil || r.Error.Code != -32602 {
		t.Errorf("a hidden tool: %s", r.raw)
	}
}

// What a program adds to go-sdk's server is served along with the contract.
func TestToolsOfGoSDK(t *testing.T) {
	server := fixture.NewServer(&fixture.Fixture{})
	for _, name := range []string{"extra", "names"} { // the contract has a tool names, too
		mcp.AddTool(gosdk.Server(server), &mcp.Tool{Name: name, Description: "Extra."}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "extra"}}}, nil, nil
		})
	}
	ours, theirs := net.Pipe()
	go server.Serve(t.Context(), theirs, sdk.Options{})
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &mcp.IOTransport{Reader: ours, Writer: ours}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	if !slices.Contains(names, "extra") || !slices.Contains(names, "echo") || len(slices.Compact(slices.Clone(names))) < len(names) {
		t.Errorf("listed: %v", names)
	}
	for name, want := range map[string]string{"extra": "extra", "names": `["Ada","Bo"]`} {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{}})
		if err != nil || endingOf(t, res, 0).text != want {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
}

func TestOnlyDeclaredHintsArePublished(t *testing.T) {
	p := start(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	raw := p.recv().raw
	if strings.Contains(raw, "idempotentHint") || strings.Contains(raw, `"readOnlyHint":false`) || !strings.Contains(raw, `"destructiveHint":false`) {
		t.Errorf("the list is %s", raw)
	}
}

func TestContractThatDoesNotFit(t *testing.T) {
	gone := manifest.Server{Format: manifest.Format, Name: "x", Tools: []manifest.Tool{{Name: "gone"}}}
	here := handler.New("here", handler.Codec[handler.None, handler.None, handler.None, handler.None]{Result: handler.Done},
		func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (handler.None, error) {
			return handler.None{}, nil
		})
	for name, tc := range map[string]struct {
		server func() *sdk.Server
		want   string
	}{
		"a tool more": {func() *sdk.Server { return sdk.NewServer(&gone) }, `a tool "gone" that the program does not have`},
		"a tool less": {func() *sdk.Server { return sdk.NewServer(&manifest.Server{Name: "x"}, here) }, "the program has 1 tools, but its contract has 0"},
	} {
		t.Run(name, func(t *testing.T) {
			var errs bytes.Buffer
			streams := &sdk.Streams{Err: &errs}
			if status := tc.server().Run(t.Context(), nil, streams); status != sdk.ExitUsage || !strings.Contains(errs.String(), tc.want) {
				t.Errorf("status %d, %q", status, errs.String())
			}
			if err := tc.server().Serve(t.Context(), nil, sdk.Options{}); err == nil {
				t.Error("it is served")
			}
		})
	}
}

// A program with several commands runs a server in one of them.
func TestServerUnderACommand(t *testing.T) {
	var out, errs, log bytes.Buffer
	s := sdk.NewServer(&manifest.Server{Format: manifest.Format, Name: "x"})
	s.SetCommand("x serve")
	s.SetLog(&log)
	streams := func() *sdk.Streams {
		ours, theirs := net.Pipe()
		ours.Close()
		return &sdk.Streams{In: theirs, Out: writeCloser{&out}, Err: &errs}
	}
	if status := s.Run(t.Context(), []string{"--help"}, streams()); status != sdk.ExitOK || !strings.Contains(out.String(), "  x serve [flags]\n") {
		t.Errorf("status %d, %q", status, out.String())
	}
	if status := s.Run(t.Context(), []string{"--no"}, streams()); status != sdk.ExitUsage || !strings.Contains(errs.String(), "Run x serve --help") {
		t.Errorf("status %d, %q", status, errs.String())
	}
	errs.Reset()
	if status := s.Run(t.Context(), []string{"--http", "127.0.0.1:none"}, streams()); status != sdk.ExitError || errs.Len() > 0 || !strings.Contains(log.String(), "serving failed") {
		t.Errorf("status %d, %q, log %q", status, errs.String(), log.String())
	}
}

func TestDefaultsOfFlags(t *testing.T) {
	run := func(name, value string, args ...string) (db, said string, status int) {
		s := sdk.NewServer(&manifest.Server{Name: "x"})
		own := s.Flags().String("db", "a", "the database")
		s.SetDefault(name, value)
		var out bytes.Buffer
		status = s.Run(t.Context(), args, &sdk.Streams{Out: writeCloser{&out}, Err: &out})
		return *own, out.String(), status
	}
	for _, c := range []struct {
		flag, value string
		args        []string
		status      int
		want        string
	}{
		{"no-flag", "b", []string{"--version"}, sdk.ExitUsage, "the program sets a default for an unknown flag --no-flag"},
		{"max-calls", "many", []string{"--version"}, sdk.ExitUsage, `the program sets --max-calls to "many": `},
		{"log-level", "loud", []string{"call", "tool"}, sdk.ExitUsage, "--log-level"},
		{"max-calls", "7", []string{"--help"}, sdk.ExitOK, "(default 7)"},
		{"log-level", "warn", []string{"--help"}, sdk.ExitOK, `(default "warn")`},
	} {
		if _, said, status := run(c.flag, c.value, c.args...); status != c.status || !strings.Contains(said, c.want) {
			t.Errorf("--%s %s: status %d, %q", c.flag, c.value, status, said)
		}
	}
	if db, _, _ := run("db", "b", "--version"); db != "b" {
		t.Errorf("without the flag: %q", db)
	}
	if db, _, _ := run("db", "b", "--db=c", "--version"); db != "c" {
		t.Errorf("with the flag: %q", db)
	}
}

type writeCloser struct{ *bytes.Buffer }

func (writeCloser) Close() error { return nil }

// A handler that ends its goroutine fails.
func TestHandlerThatEndsItsGoroutine(t *testing.T) {
	contract := &manifest.Server{Format: manifest.Format, Name: "x", Tools: []manifest.Tool{{Name: "exit", Input: manifest.Schema(`{"type":"object"}`)}}}
	exit := handler.New("exit", handler.Codec[handler.None, handler.None, handler.None, handler.None]{Result: handler.Done},
		func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (handler.None, error) {
			runtime.Goexit()
			return handler.None{}, nil
		})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var out bytes.Buffer
	status := sdk.NewServer(contract, exit).Run(ctx, []string{"call", "exit", "{}"}, &sdk.Streams{Out: nopCloser{&out}, Err: io.Discard})
	if status != sdk.ExitError || !strings.Contains(out.String(), "runtime.Goexit") {
		t.Errorf("status %d, %s", status, out.String())
	}
	out.Reset()
	in := io.NopCloser(strings.NewReader(`{"type":"init","version":12,"workspace":{"root":"/"},"tool":{"name":"exit"}}`))
	status = sdk.NewServer(contract, exit).Run(ctx, []string{"plugin"}, &sdk.Streams{In: in, Out: nopCloser{&out}, Err: io.Discard})
	if reply := jphost.ReadPlugin("x", out.Bytes()); status != sdk.ExitOK || reply.Outcome == nil || !strings.Contains(reply.Text, "runtime.Goexit") {
		t.Errorf("as a command plugin: status %d, %s", status, out.String())
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
