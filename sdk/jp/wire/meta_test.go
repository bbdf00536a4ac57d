package wire_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func TestReadContextRefuses(t *testing.T) {
	tests := []struct{ raw, want string }{
		{`"x"`, "expected an object, got a string"},
		{`[]`, "expected an object, got an array"},
		{`{"root":1}`, "root: expected a string, got a number"},
		{`{"root":["/"]}`, "root: expected a string, got an array"},
		{`{"action":{"run":null}}`, "action: expected a string, got an object"},
		{`{"workspace_id":false}`, "workspace_id: expected a string, got a boolean"},
		{`{"root":"/a","root":"/b"}`, "root: duplicate member"},
		{`{"access":false}`, "access: expected an object, got a boolean"},
		{`{"access":{"fs":null}}`, "access.fs: expected an array, got null"},
		{`{"access":{"fs":[{"read":true}]}}`, "access.fs.0.lexical_path: missing, expected a string"},
		{`{"access":{"net":[{"host":"a","port":65536}]}}`, `access.net.0.port: expected an integer from 0 to 65535, got "65536"`},
		{`{"x":1e400}`, "expected a number below 1.8e308"},
		{`{"x":` + strings.Repeat("[", 127) + strings.Repeat("]", 127) + `}`, "expected at most 127 levels of nesting"},
		{``, "unexpected end of the document"},
		{`{`, "unexpected end of the document"},
	}
	for _, test := range tests {
		got, err := wire.ReadContext([]byte(test.raw))
		if err == nil || err.Error() != test.want {
			t.Errorf("%.60s: %v, want %q", test.raw, err, test.want)
		}
		if !reflect.ValueOf(got).IsZero() {
			t.Errorf("%.60s: the error came with %+v", test.raw, got)
		}
	}
}

func TestReadContext(t *testing.T) {
	run := wire.Context{Action: wire.ActionRun}
	tests := []struct {
		raw  string
		want wire.Context
	}{
		{`null`, run},
		{`{}`, run},
		{`{"root":null,"action":null,"access":null,"workspace_id":null,"conversation_id":null}`, run},
		{`{"action":"Run","root":"/path"}`, wire.Context{Root: "/path", Action: wire.ActionRun}},
		{`{"Root":"/other case","x":1,"x":2}`, run},
		{`{"action":"FormatArguments"}`, wire.Context{Action: wire.ActionFormatArguments}},
		{`{"action":"FORMAT_ARGUMENTS"}`, wire.Context{Action: wire.ActionFormatArguments}},
		{`{"action":"Schema"}`, wire.Context{Action: wire.ActionSchema}},
		{`{"action":"rewrite_result"}`, wire.Context{Action: "rewrite_result"}},
		{`{"action":""}`, wire.Context{}},
		{`{"access":{}}`, wire.Context{Action: wire.ActionRun, Access: &access.Policy{}}},
	}
	if got, err := wire.ReadContext(nil); err != nil || !reflect.DeepEqual(got, run) {
		t.Errorf("nothing: %+v, %v", got, err)
	}
	for _, test := range tests {
		got, err := wire.ReadContext([]byte(test.raw))
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, %v; want %+v", test.raw, got, err, test.want)
		}
	}
}

func TestReadToolRefuses(t *testing.T) {
	tests := []struct{ raw, want string }{
		{`7`, "expected an object, got a number"},
		{`{"name":{}}`, "name: expected a string, got an object"},
		{`{"arguments":[1]}`, "arguments: expected an object, got an array"},
		{`{"answers":[]}`, "answers: expected an object, got an array"},
		{`{"options":"x"}`, "options: expected an object, got a string"},
		{`{"answers":{},"answers":{}}`, "answers: duplicate member"},
		{`{"answers":{"q":"\ud800"}}`, "invalid"},
	}
	for _, test := range tests {
		_, err := wire.ReadTool([]byte(test.raw))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.raw, err, test.want)
		}
	}
}

func TestTool(t *testing.T) {
	if got, err := wire.ReadTool(nil); err != nil || !reflect.ValueOf(got).IsZero() {
		t.Errorf("nothing: %+v, %v", got, err)
	}
	for _, raw := range []string{`null`, `{}`, `{"name":null,"arguments":null,"answers":null,"options":null}`} {
		got, err := wire.ReadTool([]byte(raw))
		if err != nil || !reflect.ValueOf(got).IsZero() {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
	const raw = ` {"x":0, "answers":{"b":null,"a":1,"a":true},"name":"t","arguments":{"n":18446744073709551615},"options":{"o":{}}}`
	const want = `{"name":"t","arguments":{"n":18446744073709551615},"answers":{"a":true,"b":null},"options":{"o":{}}}`
	got, err := wire.ReadTool([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	if written, err := jpdoc.AppendTool(nil, got); err != nil || string(written) != want {
		t.Errorf("wrote %s, %v; want %s", written, err, want)
	}
	if written, err := jpdoc.AppendTool(nil, wire.Tool{}); err != nil || string(written) != `{"name":"","arguments":{},"answers":{},"options":{}}` {
		t.Errorf("empty tool is %s, %v", written, err)
	}
	got.Answers["a"] = []byte(`{`)
	if written, err := jpdoc.AppendTool([]byte("x"), got); string(written) != "x" || err == nil {
		t.Errorf("a broken answer gives %s, %v", written, err)
	}
}

// TestReadKeepsNothing checks that the caller may reuse its buffer.
func TestReadKeepsNothing(t *testing.T) {
	raw := []byte(`{"answers":{"a":"yes"},"options":{"o":1}}`)
	got, err := wire.ReadTool(raw)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		raw[i] = '#'
	}
	if string(got.Answers["a"]) != `"yes"` || string(got.Options) != `{"o":1}` {
		t.Errorf("the tool changed with its buffer: %s %s", got.Answers["a"], got.Options)
	}
}
