package jphost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// runTool runs the test binary as a local tool, whose arguments are the documents.
func runTool(behaviour string) int {
	fmt.Fprintln(os.Stderr, "tool is", behaviour)
	outcome := jpdoc.Success(strings.Join(os.Args[1:], "\n"))
	switch behaviour {
	case "plain":
		fmt.Println("  just text ")
		return 0
	case "failing":
		fmt.Println("half")
		return 3
	case "hanging":
		never, _, err := os.Pipe()
		if err == nil {
			never.Read(make([]byte, 1))
		}
	case "leaving":
		child := exec.Command(os.Args[0])
		child.Env, child.Stdout = append(os.Environ(), "HOST_TEST_SERVER=local hanging"), os.Stdout
		if err := child.Start(); err != nil {
			return 1
		}
		fmt.Println("left")
		return 0
	case "flooding":
		for {
			if _, err := os.Stdout.Write(make([]byte, 1<<20)); err != nil {
				return 1
			}
		}
	case "placed":
		dir, err := os.Getwd()
		outcome = jpdoc.Success(fmt.Sprint(dir, err))
	case "asking":
		outcome = ask(os.Args[1])
	case "secretive":
		if strings.Contains(os.Args[1], "hunter2") {
			panic("the secret is in the arguments")
		}
		outcome = jpdoc.NeedsInput(jpdoc.Question{ID: "q", Text: "q?", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Secret}})
	}
	text, err := jpdoc.Tagged().AppendOutcome(nil, outcome)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(text)
	return 4 // ignored because there is an outcome
}

// ask asks the questions first and second, and then returns the answers.
func ask(document string) jpdoc.Outcome {
	tool, err := wire.ReadTool([]byte(document))
	if err != nil {
		return jpdoc.Failure(err.Error(), nil, false)
	}
	var got []string
	for _, id := range []string{"first", "second"} {
		answer, ok := tool.Answers[id]
		if !ok {
			return jpdoc.NeedsInput(jpdoc.Question{ID: id, Text: id + "?", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Text}})
		}
		got = append(got, string(answer))
	}
	return jpdoc.Success(strings.Join(got, " "))
}

func newLocal(behaviour string, o Options, words ...string) Local {
	return Local{
		Name: "t", Command: append([]string{os.Args[0]}, words...), Options: o,
		Env: append(os.Environ(), "HOST_TEST_SERVER=local "+behaviour, "GORACE=atexit_sleep_ms=0"),
	}
}

func TestLocalRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		local Local
		args  string
		want  string
	}{
		"no command":            {local: Local{Name: "t"}, want: "the command is empty"},
		"no such program":       {local: Local{Command: []string{"/no/such/program"}}, want: "running the command: "},
		"another template":      {local: newLocal("echoing", Options{}, "{{tool.name}}"), want: `"{{tool.name}}": unknown template; use {{tool}} or {{context}}`},
		"a template left open":  {local: newLocal("echoing", Options{}, "{{tool"), want: "unknown template"},
		"a program as template": {local: Local{Command: []string{"{{program}}"}}, want: "unknown template"},
		"arguments":             {local: newLocal("echoing", Options{}), args: `[1]`, want: "arguments: expected an object"},
		"broken arguments":      {local: newLocal("echoing", Options{}), args: `{`, want: "arguments: "},
		"options":               {local: newLocal("echoing", Options{ToolOptions: map[string]json.RawMessage{"t": []byte("1")}}), want: "options: expected an object"},
		"answers":               {local: newLocal("asking", Options{Answers: map[string]map[string]json.RawMessage{"t": {"first": []byte("yes")}}}, "{{tool}}"), want: `answer "first": `},
		"a secret":              {local: newLocal("secretive", Options{Answers: map[string]map[string]json.RawMessage{"t": {"q": []byte(`"hunter2"`)}}}, "{{tool}}"), want: `tool "t" asks for a secret`},
		"a flood":               {local: newLocal("flooding", Options{}), want: "more than 64 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			var args json.RawMessage
			if test.args != "" {
				args = json.RawMessage(test.args)
			}
			if reply, err := test.local.Call(t.Context(), args, nil); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%+v, %v, want %q", reply, err, test.want)
			}
		})
	}
}

func TestLocalEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if reply, err := newLocal("hanging", Options{}).Call(ctx, nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%+v, %v", reply, err)
	}
}

// White space, quotes and templates in a document do not change the words of a command.
func TestLocalExpandsWords(t *testing.T) {
	args := json.RawMessage(`{"text":"$(id) 'a' \"b\"\n; {{context}} {{x"}`)
	o := Options{NoGrease: true, WorkspaceID: "w", ConversationID: "c", ToolOptions: map[string]json.RawMessage{"t": []byte(`{ "o": 1 }`)}}
	reply, err := newLocal("echoing", o, "--x={{ tool }};{{context}}", "$HOME *", "").Call(t.Context(), args, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `--x={"name":"t","arguments":{"text":"$(id) 'a' \"b\"\n; {{context}} {{x"},"answers":{},"options":{"o":1}};` +
		`{"root":"","action":"run","access":null,"workspace_id":"w","conversation_id":"c"}` + "\n$HOME *\n"
	if reply.Kind != OK || reply.Text != want {
		t.Errorf("the command got\n%s\nwant\n%s", reply.Text, want)
	}
}

// A tool must ignore unknown data.
func TestLocalGrease(t *testing.T) {
	reply, err := newLocal("echoing", Options{}, "{{tool}}", "{{context}}").Call(t.Context(), nil, nil)
	if err != nil || !strings.Contains(reply.Text, `"answers":{"__grease__":`) || !strings.Contains(reply.Text, `,"grease":null}`) {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestLocalRunsInItsRoot(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	reply, err := newLocal("placed", Options{Root: root}).Call(t.Context(), nil, nil)
	if err != nil || !strings.HasPrefix(reply.Text, root) {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestLocalAsksOneQuestionARound(t *testing.T) {
	o := Options{Answers: map[string]map[string]json.RawMessage{"t": {"second": []byte(`"configured"`)}}}
	var asked []string
	answer := func(_ context.Context, q jpdoc.Question) (json.RawMessage, error) {
		asked = append(asked, q.ID)
		return json.RawMessage(`"heard"`), nil
	}
	reply, err := newLocal("asking", o, "{{tool}}").Call(t.Context(), nil, answer)
	if err != nil || reply.Text != `"heard" "configured"` || reply.Rounds != 3 || strings.Join(asked, " ") != "first" {
		t.Errorf("%+v, %v, asked %v", reply, err, asked)
	}
	if reply, err = newLocal("asking", Options{}, "{{tool}}").Call(t.Context(), nil, nil); err != nil || reply.Rule != ruleCancelled {
		t.Errorf("no user to ask: %+v, %v", reply, err)
	}
}

func TestLocalPlainOutput(t *testing.T) {
	var stderr bytes.Buffer
	reply, err := newLocal("failing", Options{Stderr: &stderr}).Call(t.Context(), nil, nil)
	if want := `{"message":"Tool 't' execution failed.","stderr":"tool is failing\n","stdout":"half\n"}`; err != nil || reply.Kind != Error || reply.Text != want {
		t.Errorf("%+v, %v", reply, err)
	}
	if stderr.String() != "tool is failing\n" {
		t.Errorf("stderr %q", stderr.String())
	}
}

// A process that is left behind neither delays the result nor changes it.
func TestLocalLeavesNothingBehind(t *testing.T) {
	reply, err := newLocal("leaving", Options{}).Call(t.Context(), nil, nil)
	if err != nil || reply.Kind != OK || reply.Text != "left\n" {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestLocalFormat(t *testing.T) {
	o := Options{WorkspaceID: "w"}
	reply, err := newLocal("echoing", o, "{{tool}}", "{{context}}").Format(t.Context(), nil)
	want := `{"name":"t","arguments":{}}` + "\n" + `{"action":"format_arguments","root":"","workspace_id":"w","conversation_id":""}`
	if err != nil || reply.Text != want {
		t.Errorf("%+v, %v, want %s", reply, err, want)
	}
	if reply, err := newLocal("plain", o).Format(t.Context(), nil); err != nil || reply.Kind != OK || reply.Text != "just text" {
		t.Errorf("plain output: %+v, %v", reply, err)
	}
	for _, behaviour := range []string{"failing", "asking"} {
		if reply, err := newLocal(behaviour, o, "{{tool}}").Format(t.Context(), nil); err != nil || reply.Kind != Error {
			t.Errorf("%s: %+v, %v", behaviour, reply, err)
		}
	}
}
