package target_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
)

// A file is a target if it describes a server in one of the usual forms. The message for any other file names the cause.
func TestSaved(t *testing.T) {
	const good = `{"name":"good","inputSchema":{"type":"object"}}`
	deep := strings.Repeat(`{"properties":{"a":`, 100) + "{}" + strings.Repeat("}}", 100)
	for _, tc := range []struct {
		text  string
		tools int    // the number of tools; -1 for an error
		want  string // a part of the notes or the error
	}{
		{`{"tools":[` + good + `]}`, 1, ""},
		{"\ufeff" + `{"tools":[` + good + `]}`, 1, ""},
		{`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + good + `]}}`, 1, ""},
		{`[` + good + `]`, 1, ""},
		{`[{"tools":[` + good + `]},{"result":{"tools":[{"name":"b","inputSchema":{}}]}}]`, 2, ""},
		{`{"tools":[]}`, 0, ""}, {`{"tools":{}}`, 0, ""}, {`{"tools":null}`, 0, ""}, {`[]`, 0, ""},
		{`{"tools":[` + good + `],"nextCursor":"x"}`, 1, "only the first part of the list"},
		{`{"tools":[` + good + `,{"name":"b","inputSchema":{},"annotations":[]}]}`, 2, ""},
		{`{"tools":[` + good + `,{"name":"b","annotations":"x"}]}`, 2, `"annotations" is a string, not an object`},
		{`{"tools":[` + good + `,{"name":"b","annotations":{"readOnlyHint":"true"}}]}`, 2, `"annotations.readOnlyHint" is a string`},
		{`{"tools":[` + good + `,{"name":"b","title":3,"description":[]}]}`, 2, `"title" is a number, not a string`},
		{`{"tools":[` + good + `,{"name":3}]}`, 1, `"name" is a number, not a string`},
		{`{"tools":[` + good + `,{"name":""},null,7,"x",[]]}`, 1, "entry 2 was skipped: it has no name"},
		{`{"tools":[` + good + `,` + good + `]}`, 1, "is listed twice"},
		{`{"tools":[{"name":"t","inputSchema":[]},{"name":"u","inputSchema":"{}"},{"name":"v"}]}`, 3, "has no input schema"},
		{`{"tools":[{"name":"t","inputSchema":{"properties":[],"required":"a"},"outputSchema":false,"_meta":[],"icons":{}}]}`, 1, ""},
		{`{"tools":[{"name":"t","description":"half \ud83d","inputSchema":{}}]}`, 1, ""},
		{`{"tools":[],"resources":[{"uri":"a:b","name":"n"}],"prompts":[{"name":"p","arguments":{}}]}`, 0, `"arguments" is an object, not a list`},
		{`{"name":"io.example/x","description":"d","version":"1","packages":[{"registryType":"npm","identifier":"x"}]}`, 0, "a server.json does not list the tools"},
		{`{"manifest_version":"0.3","name":"m","version":"1","description":"d","server":{},"tools":[{"name":"t"}]}`, 1, "a manifest.json has only the names"},
		{`{"format":1,"name":"n","description":"d","tools":[]}`, 0, ""},
		{`{"format":2}`, -1, "unsupported contract format 2"}, {`{"format":"1"}`, -1, `"format" is a string, not a number`},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no luck"}}`, -1, "the saved response is an error"},
		{`{"tools":{"t":{}}}`, -1, `"tools" is an object, not a list`}, {`{"tools":"x"}`, -1, `"tools" is a string, not a list`},
		{`{"tools":[],"prompts":7}`, -1, `"prompts" is a number, not a list`},
		{`{}`, -1, "not a contract"}, {`null`, -1, "not a contract"}, {`{"name":"p","version":"1","dependencies":{}}`, -1, "not a contract"},
		{`7`, -1, "it is a number, not an object"}, {`"x"`, -1, "it is a string, not an object"}, {`true`, -1, "true or false, not an object"},
		{``, -1, "unexpected EOF"}, {`{"tools":[`, -1, "unexpected EOF"}, {`{"tools":[NaN]}`, -1, "invalid character 'N'"},
		{`{"tools":[` + good + `,]}`, -1, "invalid character ']'"}, {`{"tools":[]}{}`, -1, "after top-level value"},
		{`{"tools":[],"tools":[]}`, -1, "duplicate object member name"}, {"{\"a\":\"\xff\"}", -1, "invalid UTF-8"},
		{"<html>", -1, "invalid character '<'"}, {"data: {}", -1, "invalid character 'd'"},
		{`{"tools":[{"name":"t","inputSchema":` + deep + `}]}`, -1, "levels of nesting"},
	} {
		s, err := target.Saved([]byte(tc.text), "/tmp/tools.json")
		got, tools := "", -1
		if err != nil {
			got = err.Error()
		} else {
			got, tools = strings.Join(s.Notes, "\n"), len(s.Contract.Tools)
		}
		if tools != tc.tools || !strings.Contains(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%.200s: %d tools, %q, want %d and %q", tc.text, tools, got, tc.tools, tc.want)
		}
	}
}
