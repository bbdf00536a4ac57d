package sdk_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jptool/jptool/internal/fixture/kinds"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// pluginTool returns a tool of the server as a command plugin of JP.
func pluginTool(t *testing.T, tool string, o jphost.Options, flags ...string) jphost.Plugin {
	t.Helper()
	cmd := command(t, append(flags, "plugin")...)
	return jphost.Plugin{Name: tool, Command: cmd.Args, Env: cmd.Env, Options: o}
}

// runPlugin runs a scenario with a JP host that uses the server as a command plugin.
func runPlugin(t *testing.T, s scenario) ending {
	return byOutcome(t, s, func(answer jphost.Answerer) (jphost.Reply, error) {
		return pluginTool(t, s.tool, jphost.Options{}, s.args...).Call(t.Context(), json.RawMessage(s.arguments), answer)
	})
}

// plugin runs the server as a command plugin with the given input, and returns its standard output. If there is a
// message for the user, the exit status is 1, otherwise 0.
func plugin(t *testing.T, input string, flags ...string) []byte {
	t.Helper()
	cmd := command(t, append(flags, "plugin")...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	exit, failed := errors.AsType[*exec.ExitError](err)
	if err != nil && !failed || failed && exit.ExitCode() != sdk.ExitError || failed != bytes.Contains(out, []byte(`"reason":`)) {
		t.Errorf("the plugin ended with %v and %s", err, out)
	}
	return out
}

const (
	pluginReady = `{"type":"ready","protocol":12}` + "\n"
	pluginExit  = `{"type":"exit","code":0}` + "\n"
	inWork      = `"workspace":{"root":"/work","storage":"/work/.jp","id":"w"}`
)

// outcomeLines are the lines of a call that ended with an Outcome.
func outcomeLines(outcome string) string {
	return pluginReady + `{"type":"tool_outcome","outcome":` + outcome + "}\n" + pluginExit
}

func TestPluginLines(t *testing.T) {
	hi := func(tool string) string {
		return `{"type":"init","version":12,` + inWork + `,"paths":{},"config":{"a":{}},"options":{"x":1},"args":[],"log_level":0,"output_format":"text","tool":` + tool + "}"
	}
	for _, tc := range []struct{ name, input, want string }{
		{"a call", hi(`{"action":"run","name":"echo","arguments":{"text":"hi"},"answers":{},"options":{},"conversation":"c"}`) + "\n",
			outcomeLines(`{"type":"success","content":"hi"}`)},
		{"what may be absent", `{"type":"init","version":12,"workspace":{"root":"/"},"tool":{"name":"echo","arguments":{"text":"hi"}}}`,
			outcomeLines(`{"type":"success","content":"hi"}`)},
		{"null for what may be absent", hi(`{"action":null,"name":"echo","arguments":{"text":"hi"},"answers":null,"options":null,"access":null}`),
			outcomeLines(`{"type":"success","content":"hi"}`)},
		{"a newer JP", strings.Replace(hi(`{"name":"echo","arguments":{"text":"hi"},"new":[]}`), `"version":12`, `"version":13,"new":{}`, 1),
			outcomeLines(`{"type":"success","content":"hi"}`)},
		{"options", hi(`{"name":"echo","arguments":{"text":"hi"},"options":{"prefix":"> "}}`), outcomeLines(`{"type":"success","content":"> hi"}`)},
		{"a question", hi(`{"name":"stage","arguments":{"hunks":["a"]}}`),
			outcomeLines(`{"type":"needs_input","question":{"id":"stage-a","text":"Stage a?","pre_amble":null,"answer_type":{"type":"boolean"},"default":null}}`)},
		{"an answer", hi(`{"name":"stage","arguments":{"hunks":["a"]},"answers":{"stage-a":true,"other":[1]}}`),
			outcomeLines(`{"type":"success","content":"staged a"}`)},
		{"arguments to format", hi(`{"action":"format_arguments","name":"echo","arguments":{"text":"hi","times":2}}`),
			outcomeLines(`{"type":"success","content":"2 times hi"}`)},
		{"arguments that look like messages", hi(`{"action":"format_arguments","name":"echo","arguments":{"text":"{\"type\":\"exit\",\"code\":0}\n"}}`),
			outcomeLines(`{"type":"success","content":"{\"type\":\"exit\",\"code\":0}\n"}`)},
		{"text with line breaks", hi(`{"name":"echo","arguments":{"text":"a\r\nb\u2028"}}`), outcomeLines(`{"type":"success","content":"a\r\nb` + "\u2028" + `"}`)},
		{"an error of the tool", hi(`{"name":"fail","arguments":{"how":"coded"}}`),
			outcomeLines(`{"type":"error","message":"overheated: the kettle ran dry","trace":["sensor 7: secret of the kettle","secret of the kettle"],"transient":true}`)},
		{"an unknown tool", hi(`{"name":"ehco"}`),
			outcomeLines(`{"type":"error","message":"not_found: there is no tool \"ehco\"; did you mean \"echo\"?","trace":[],"transient":false}`)},
		{"lines after the first one", hi(`{"name":"echo","arguments":{"text":"hi"}}`) + "\nno JSON\n", outcomeLines(`{"type":"success","content":"hi"}`)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := string(plugin(t, tc.input)); got != tc.want {
				t.Errorf("the plugin prints\n%s, want\n%s", got, tc.want)
			}
		})
	}
}

// A line that JP does not write ends the plugin with a message for the user, before a tool runs.
func TestPluginLinesThatAreRefused(t *testing.T) {
	const tool = `"tool":{"name":"echo","arguments":{"text":"hi"}}`
	for _, tc := range []struct{ name, input, want string }{
		{"nothing", "", "expected a message of JP's plugin protocol on standard input, got nothing"},
		{"an empty line", "\n{}\n", "got nothing"},
		{"text", "hello\n", "invalid character 'h'"},
		{"half an object", `{"type":"init"`, "unexpected end of the document"},
		{"two objects", `{"type":"describe"}{}`, "unexpected text after the document"},
		{"a list", "[]\n", "a value of the wrong type"},
		{"null", "null\n", `type \"\", expected \"init\" or \"describe\"`},
		{"bytes that are not UTF-8", "{\"type\":\"init\xff\"}\n", "invalid UTF-8"},
		{"half a surrogate pair", `{"type":"\ud800"}`, "invalid"},
		{"too many levels", strings.Repeat("[", 200), "at most 127 levels"},
		{"no type", `{"version":12,` + inWork + "," + tool + "}", `type \"\"`},
		{"another type", `{"type":"shutdown"}`, `type \"shutdown\", expected \"init\" or \"describe\"`},
		{"a type that is no text", `{"type":7}`, "type: a value of the wrong type"},
		{"the type twice", `{"type":"describe","type":"init"}`, `duplicate object member name \"type\"`},
		{"an argument twice", `{"type":"init","version":12,` + inWork + `,"tool":{"name":"echo","arguments":{"text":"a","text":"b"}}}`, `duplicate object member name \"text\"`},
		{"an old JP", `{"type":"init","version":11,` + inWork + "," + tool + "}", "JP uses version 11 of its plugin protocol, but tools require version 12; update JP"},
		{"no version", `{"type":"init",` + inWork + "," + tool + "}", "version 0"},
		{"a version that is no integer", `{"type":"init","version":"12",` + inWork + "," + tool + "}", "version: a value of the wrong type"},
		{"a fraction as version", `{"type":"init","version":12.5,` + inWork + "," + tool + "}", "version: a value of the wrong type"},
		{"no tool", `{"type":"init","version":12,` + inWork + `,"args":["list"]}`, `this plugin has no command; JP calls its tools`},
		{"no workspace", `{"type":"init","version":12,` + tool + "}", "workspace.root: missing"},
		{"a root that is no text", `{"type":"init","version":12,"workspace":{"root":["/"]},` + tool + "}", "workspace.root: a value of the wrong type"},
		{"a tool that is no object", `{"type":"init","version":12,` + inWork + `,"tool":"echo"}`, "tool: a value of the wrong type"},
		{"no name", `{"type":"init","version":12,` + inWork + `,"tool":{"arguments":{}}}`, "tool.name: missing"},
		{"arguments in a list", `{"type":"init","version":12,` + inWork + `,"tool":{"name":"echo","arguments":["hi"]}}`, "tool.arguments: expected an object, got an array"},
		{"answers in a list", `{"type":"init","version":12,` + inWork + `,"tool":{"name":"order","answers":[true]}}`, "tool.answers: expected an object"},
		{"options as text", `{"type":"init","version":12,` + inWork + `,"tool":{"name":"echo","options":"x"}}`, "tool.options: expected an object"},
		{"access that is no policy", `{"type":"init","version":12,` + inWork + `,"tool":{"name":"echo","access":{"fs":[{}]}}}`, "tool.access.fs.0.lexical_path: missing"},
		{"access that is no object", `{"type":"init","version":12,` + inWork + `,"tool":{"name":"echo","access":false}}`, "tool.access: expected an object"},
		{"an unknown action", `{"type":"init","version":12,` + inWork + `,"tool":{"name":"echo","action":"schema"}}`, `tool.action: expected \"run\" or \"format_arguments\", got \"schema\"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := string(plugin(t, tc.input))
			if !strings.HasPrefix(out, `{"type":"exit","code":1,"reason":"`) || !strings.Contains(out, tc.want) || !json.Valid([]byte(out)) || strings.Count(out, "\n") != 1 {
				t.Errorf("the plugin prints %s, want one message with code 1 and %s", out, tc.want)
			}
		})
	}
}

func TestPluginLimitsItsInput(t *testing.T) {
	line := `{"type":"init","version":12,"workspace":{"root":"/"},"tool":{"name":"echo","arguments":{"text":"hi"}}}`
	for length, want := range map[int]string{len(line): `"content":"hi"`, len(line) - 1: "increase --max-frame"} {
		for _, end := range []string{"", "\n", "\n" + line} {
			if got := string(plugin(t, line+end, "--max-frame", fmt.Sprint(length))); !strings.Contains(got, want) {
				t.Errorf("--max-frame %d: %s, want %s", length, got, want)
			}
		}
	}
}

// JP leaves standard input open for some messages, so the plugin answers after the first line.
func TestPluginDoesNotWaitForTheEndOfInput(t *testing.T) {
	for input, want := range map[string]string{
		`{"type":"describe"}` + "\n":          `"type":"describe"`,
		`{"type":"init","version":12}` + "\n": "this plugin has no command",
	} {
		cmd := command(t, "plugin")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, input); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		<-done // the test times out if the process waits for more input
		in.Close()
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s prints %s, want %s", input, out.String(), want)
		}
	}
}

func TestPluginAtATerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	cmd := command(t, "plugin")
	cmd.Stdin = terminal
	out, err := cmd.Output()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok || !strings.Contains(string(out), `{"type":"exit","code":1,"reason":"standard input is a terminal;`) {
		t.Errorf("%v, %s", err, out)
	}
}

func TestPluginDescribesItself(t *testing.T) {
	out := plugin(t, `{"type":"describe"}`+"\n", "--hide", "echo")
	var d struct {
		Type, Name, Version, Description, Help string
		Protocol                               int
		Command                                []string
	}
	err := json.Unmarshal(out, &d)
	if err != nil || d.Type != "describe" || d.Protocol != 12 || d.Name != "fixture" || d.Version == "" || d.Description == "" || fmt.Sprint(d.Command) != "[fixture]" {
		t.Errorf("%s, %v", out, err)
	}
	if !strings.Contains(d.Help, "\n  stage  ") || strings.Contains(d.Help, "\n  echo  ") || strings.Count(string(out), "\n") != 1 {
		t.Errorf("the help is %s", d.Help)
	}
}

// Whatever a tool prints, and however it ends, JP gets only messages of the protocol.
func TestPluginPrintsOnlyMessages(t *testing.T) {
	for how, want := range map[string]string{
		"print": `{"value":1.5,"count":"9223372036854775807"}`, "panic": "incident", "deref": "incident", "nan": "internal: ",
	} {
		var stderr bytes.Buffer
		p := pluginTool(t, "fail", jphost.Options{Stderr: &stderr})
		reply, err := p.Call(t.Context(), json.RawMessage(`{"how":"`+how+`"}`), nil)
		if err != nil || reply.Outcome == nil || !strings.Contains(reply.Text, want) {
			t.Errorf("%s: %+v, %v, want %s", how, reply, err, want)
		}
		if how == "print" && !strings.Contains(stderr.String(), "stray print") {
			t.Errorf("the standard error is %q", stderr.String())
		}
	}
}

func TestPluginThatIsInterrupted(t *testing.T) {
	for _, tool := range []string{"wait", "hang"} {
		line, err := pluginTool(t, tool, jphost.Options{Root: "/"}).Line("run", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		cmd := command(t, "plugin")
		var out bytes.Buffer
		cmd.Stdin, cmd.Stdout = bytes.NewReader(line), &out
		err = interrupt(t, cmd, func() error { return cmd.Process.Signal(syscall.SIGTERM) })
		reply := jphost.ReadPlugin("fixture", out.Bytes())
		if err != nil || reply.Outcome == nil || !strings.HasPrefix(reply.Outcome.Message, "canceled: ") {
			t.Errorf("%s: ended with %v and %s", tool, err, out.String())
		}
	}
}

// The root directory and the access policy of a call are narrowed and enforced as on other wires.
func TestSurroundingsOfAPlugin(t *testing.T) {
	root := t.TempDir()
	inner := filepath.Join(root, "inner")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	o := jphost.Options{Root: inner, WorkspaceID: "w", ConversationID: "c"}
	reply, err := pluginTool(t, "place", o, "--root", root).Call(t.Context(), nil, nil)
	if want := `{"root":"` + inner + `","workspace":"w","conversation":"c","tags":[]}`; err != nil || reply.Text != want {
		t.Errorf("%+v, %v, want %s", reply, err, want)
	}
	o.Root = root
	if reply, err = pluginTool(t, "place", o, "--root", inner).Call(t.Context(), nil, nil); err != nil || reply.Kind != jphost.Error {
		t.Errorf("a root outside of --root: %+v, %v", reply, err)
	}
	if err := os.WriteFile(filepath.Join(root, "a.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, read := range []bool{false, true} {
		o.Access = &access.Policy{FS: []access.FSRule{{Path: ".", Read: read}}}
		reply, err = pluginTool(t, "look", o).Call(t.Context(), json.RawMessage(`{"path":"a.txt"}`), nil)
		if err != nil || (reply.Kind == jphost.OK) != read {
			t.Errorf("read %t: %+v, %v", read, reply, err)
		}
	}
}

// Answers arrive on standard input, which other programs cannot read, so that a plugin may ask for a secret.
func TestPluginAsksForASecret(t *testing.T) {
	server := kinds.NewServer(&kinds.Kinds{})
	run := func(answers string) string {
		var out, errs bytes.Buffer
		line := `{"type":"init","version":12,` + inWork + `,"tool":{"name":"unlock","answers":{` + answers + "}}}"
		status := server.Run(t.Context(), []string{"plugin"}, &sdk.Streams{In: io.NopCloser(strings.NewReader(line)), Out: nopCloser{&out}, Err: &errs})
		if status != sdk.ExitOK || strings.Contains(out.String()+errs.String(), "sesame") {
			t.Errorf("status %d\n%s%s", status, out.String(), errs.String())
		}
		return out.String()
	}
	if got := run(""); !strings.Contains(got, `"answer_type":{"type":"secret"}`) {
		t.Errorf("without an answer: %s", got)
	}
	if got, want := run(`"passphrase":"open sesame","sure":true`), outcomeLines(`{"type":"success","content":"It is open."}`); got != want {
		t.Errorf("with the answers: %s", got)
	}
}
