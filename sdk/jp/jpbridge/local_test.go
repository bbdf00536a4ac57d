package jpbridge

import (
	"errors"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func TestRejectedDocuments(t *testing.T) {
	for _, tc := range []struct{ tool, context, want string }{
		{``, `{}`, "the tool document: unexpected end of the document"},
		{`{`, `{}`, "the tool document: "},
		{`"x"`, `{}`, "the tool document: expected an object"},
		{`{"name":7}`, `{}`, "name: expected a string"},
		{`{"path":"a","n":1}`, `{}`, `the tool document: expected "arguments", got "n"; write the arguments as {"arguments":{"n":…}}`},
		{`{"arguments":"{}"}`, `{}`, "arguments: expected an object"},
		{`{"arguments":{},"arguments":{}}`, `{}`, "arguments: duplicate member"},
		{`{"answers":[]}`, `{}`, "answers: expected an object"},
		{`{"options":true}`, `{}`, "options: expected an object"},
		{`{"arguments":{"n":1e400}}`, `{}`, "expected a number below"},
		{`{}`, ``, "the context document: "},
		{`{}`, `[]`, "the context document: expected an object"},
		{`{}`, `{"action":7}`, "action: expected a string"},
		{`{}`, `{"root":["/"]}`, "root: expected a string"},
		{`{}`, `{"access":{"fs":null}}`, "access.fs: "},
	} {
		_, err := Documents{Tool: []byte(tc.tool), Context: []byte(tc.context)}.Read()
		if !errors.Is(err, &fault.Error{Code: fault.InvalidInput}) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s %s: %v, want %q", tc.tool, tc.context, err, tc.want)
		}
	}
}

// Every problem with _meta is reported once, with the name of the field.
func TestMetaThatIsRefused(t *testing.T) {
	_, err := Read([]byte(`{"computer.jp/context":{"access":{"fs":[{"read":7}]}}}`))
	f := fault.From(err)
	if trace := f.Trace(); len(trace) != 1 || trace[0] != "access.fs.0.lexical_path: missing, expected a string" || f.Code != fault.InvalidInput {
		t.Errorf("%v, with the trace %q", f, f.Trace())
	}
}

func TestReadDocuments(t *testing.T) {
	for _, input := range []string{``, " \n", `{"arguments":{}}`, `{"path":"a"}`, `null`, `[]`, `"{}"`, `{`, `{}{}`, `{"tool":{},"tool":{}}`, "\ufeff{}", "{\"tool\":\"\xff\"}"} {
		if d, err := ReadDocuments([]byte(input)); err == nil {
			t.Errorf("%q: %+v", input, d)
		}
	}
	if _, err := ReadDocuments([]byte("{}")); err != nil {
		t.Error(err)
	}
	d, err := ReadDocuments([]byte(` {"new":1,"context":null,"tool":{"arguments":{"n":9007199254740993}}} `))
	if err != nil {
		t.Fatal(err)
	}
	call, err := d.Read()
	if err != nil || call.Action != wire.ActionRun || string(call.Arguments) != `{"n":9007199254740993}` {
		t.Errorf("%v, call %+v", err, call)
	}
}

// Every part is optional, and each part is available to a call.
func TestDocuments(t *testing.T) {
	if call, err := (Documents{}).Read(); err != nil || call.Action != wire.ActionRun || call.Arguments != nil || call.Settings.Root != "" {
		t.Errorf("nothing: %v, call %+v", err, call)
	}
	call, err := Documents{
		Tool:    []byte(`{"name":"other","arguments":{"a":1},"answers":{"q":null},"options":{"o":2},"new":3}`),
		Context: []byte(`{"action":"FormatArguments","root":"/work","access":null,"workspace_id":"w","conversation_id":"c","new":3}`),
	}.Read()
	if err != nil || call.Action != wire.ActionFormatArguments {
		t.Fatalf("%v, call %+v", err, call)
	}
	settings := call.Settings
	if string(call.Arguments) != `{"a":1}` || string(settings.Answers["q"]) != `null` || string(settings.Options) != `{"o":2}` {
		t.Errorf("call %+v, settings %+v", call, settings)
	}
	if settings.Root != "/work" || settings.WorkspaceID != "w" || settings.ConversationID != "c" || settings.Access != nil {
		t.Errorf("settings %+v", settings)
	}
	if call, err := (Documents{Context: []byte(`{"action":"rewrite_result"}`)}).Read(); err != nil || call.Action != "rewrite_result" {
		t.Errorf("an unknown action: %+v, %v", call, err)
	}
}

// JP rejects a plugin whose description is empty (crates/jp_plugin/src/manifest.rs).
func TestDescribePluginWithoutDescription(t *testing.T) {
	got := DescribePlugin(&manifest.Server{Name: "notes"}, "1", nil)
	if want := `"description":"notes","command":["notes"]`; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}
