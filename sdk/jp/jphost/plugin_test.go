package jphost_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/jphost"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func TestLineOfAPlugin(t *testing.T) {
	const head = `{"type":"init","version":12,"workspace":{"root":"/work","storage":"/work/.jp","id":"w"},"paths":{},"config":{},"args":[],"log_level":0,"output_format":"text","tool":`
	p := jphost.Plugin{Name: "create", Options: jphost.Options{Root: "/work", WorkspaceID: "w", NoGrease: true}}
	if got, err := p.Line(wire.ActionRun, nil, nil); err != nil || string(got) != head+`{"action":"run","name":"create","arguments":{}}}` {
		t.Errorf("%s, %v", got, err)
	}
	p.Options.ConversationID = "c"
	p.Options.ToolOptions = map[string]json.RawMessage{"create": []byte(`{"o":1}`)}
	p.Options.Access = &access.Policy{Env: []access.EnvRule{{Name: "AWS_*"}}}
	got, err := p.Line(wire.ActionFormatArguments, json.RawMessage("{\n\"title\":\"Fix it\"}"), map[string]json.RawMessage{"sure": []byte("true")})
	want := head + `{"action":"format_arguments","name":"create","arguments":{"title":"Fix it"},"answers":{"sure":true},"options":{"o":1},` +
		`"access":{"fs":[],"net":[],"env":[{"name":"AWS_*","read":false}]},"conversation":"c"}}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v, want\n%s", got, err, want)
	}
	if _, err := p.Line(wire.ActionRun, json.RawMessage(`[]`), nil); err == nil {
		t.Error("arguments in a list are accepted")
	}
}

func TestReadPlugin(t *testing.T) {
	const (
		ready    = `{"type":"ready","protocol":12}` + "\n"
		hello    = `{"type":"tool_outcome","outcome":{"type":"success","content":"hello"}}` + "\n"
		asks     = `{"type":"tool_outcome","outcome":{"type":"needs_input","question":{"id":"q","text":"?","pre_amble":null,"answer_type":{"type":"secret"},"default":null}}}` + "\n"
		untagged = `{"type":"tool_outcome","outcome":{"type":"needs_input","question":{"id":"q","text":"?","pre_amble":null,"answer_type":"Boolean","default":null}}}` + "\n"
		exit     = `{"type":"exit","code":0}`
	)
	for name, tc := range map[string]struct {
		stdout string
		kind   jphost.ReplyKind
		text   string
	}{
		"a result":                    {ready + hello + exit, jphost.OK, "hello"},
		"no ready, and blank lines":   {"\n" + hello + " \r\n" + exit + "\n", jphost.OK, "hello"},
		"a log":                       {ready + `{"type":"log","level":"info","message":"m"}` + "\n" + hello + exit, jphost.OK, "hello"},
		"lines after the end":         {ready + hello + exit + "\nnot read", jphost.OK, "hello"},
		"a question":                  {ready + asks + exit, jphost.NeedsInput, ""},
		"a question of an older JP":   {ready + untagged + exit, jphost.Error, "Command plugin `x` failed: the outcome: "},
		"no exit":                     {ready + hello, jphost.Error, "Command plugin `x` failed: ended without the message exit"},
		"no outcome":                  {ready + exit, jphost.Error, "exited without answering"},
		"nothing":                     {"", jphost.Error, "ended without the message exit"},
		"a failure":                   {ready + hello + `{"type":"exit","code":1,"reason":"why"}`, jphost.Error, "Command plugin `x` failed: why"},
		"a newer protocol":            {`{"type":"ready","protocol":13}` + "\n" + hello + exit, jphost.Error, "it needs protocol 13"},
		"text":                        {ready + "hello\n" + hello + exit, jphost.Error, "not a protocol message: hello"},
		"a message that is not known": {ready + `{"type":"hello"}` + "\n" + hello + exit, jphost.Error, `not a protocol message: {"type":"hello"}`},
		"an outcome that is text":     {ready + `{"type":"tool_outcome","outcome":"hello"}` + "\n" + exit, jphost.Error, "the outcome: "},
	} {
		reply := jphost.ReadPlugin("x", []byte(tc.stdout))
		if reply.Kind != tc.kind || !strings.Contains(reply.Text, tc.text) || tc.kind == jphost.OK && reply.Text != tc.text {
			t.Errorf("%s: %+v, want %s %q", name, reply, tc.kind, tc.text)
		}
	}
}

// A plugin that reads nothing and answers with an error status is used as JP uses it: only its output counts.
func TestPluginThatIgnoresItsInput(t *testing.T) {
	p := jphost.Plugin{Name: "t", Options: jphost.Options{Root: t.TempDir()}, Command: []string{"/bin/sh", "-c",
		`echo '{"type":"tool_outcome","outcome":{"type":"success","content":"hello"}}'; echo '{"type":"exit","code":0}'; exit 3`}}
	if reply, err := p.Call(t.Context(), nil, nil); err != nil || reply.Kind != jphost.OK || reply.Text != "hello" {
		t.Errorf("%+v, %v", reply, err)
	}
	p.Command = []string{os.DevNull}
	if _, err := p.Call(t.Context(), nil, nil); err == nil {
		t.Error("a file that cannot be run is no error")
	}
	p.Command = nil
	if _, err := p.Call(t.Context(), nil, nil); err == nil {
		t.Error("no command is no error")
	}
}
