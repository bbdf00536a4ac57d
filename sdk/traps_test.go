package sdk_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/conformance"
	"github.com/jptool/jptool/sdk"
)

// With these arguments, go-sdk's typed tools crash, round numbers or reject the call. This server returns the
// expected results.
func TestArgumentsAndResultsOfEveryType(t *testing.T) {
	p := start(t)
	const empty = `"counts":{},"names":[]`
	for _, tc := range []struct{ name, arguments, want string }{
		{"integers beyond 2^53", `{"big":"9007199254740993","huge":"18446744073709551615",` + empty + `}`, `{"big":"9007199254740993","huge":"18446744073709551615",` + empty + `}`},
		{"and as strings", `{"big":"-9223372036854775808",` + empty + `}`, `{"big":"-9223372036854775808",` + empty + `}`},
		{"bytes", `{"bytes":"aGk=",` + empty + `}`, `{"bytes":"aGk=",` + empty + `}`},
		{"raw JSON", `{"raw":{"b":[1,null],"a":1e2},` + empty + `}`, `{"raw":{"b":[1,null],"a":1e2},` + empty + `}`},
		{"a map and a list", `{"counts":{"b":2,"a":1},"names":["x"]}`, `{"counts":{"a":1,"b":2},"names":["x"]}`},
		{"numbers for names", `{"years":{"1999":"x"},` + empty + `}`, `{` + `"counts":{},"years":{"1999":"x"},"names":[]}`},
		{"types that are texts", `{"addr":"192.0.2.1","sum":"123456789012345678901234567890",` + empty + `}`, `{` + empty + `,"addr":"192.0.2.1","sum":"123456789012345678901234567890"}`},
		{"a time and a span", `{"at":"2026-11-20T10:00:00+01:00","for":"90m",` + empty + `}`, `{` + empty + `,"at":"2026-11-20T10:00:00+01:00","for":"1h30m0s"}`},
		{"a constant", `{"taste":"lemon",` + empty + `}`, `{` + empty + `,"taste":"lemon"}`},
		{"an embedded pointer", `{"origin":"here",` + empty + `}`, `{"origin":"here",` + empty + `}`},
		{"strings that models send", `{"number":"3","flag":"true","names":"[\"a\"]","counts":"{\"a\":\"1\"}"}`, `{"counts":{"a":1},"names":["a"],"number":3,"flag":true}`},
		{"an integer with a point", `{"number":5.0,` + empty + `}`, `{` + empty + `,"number":5}`},
		{"null for what is optional", `{"number":null,"taste":null,"at":null,"origin":null,"big":null,` + empty + `}`, `{` + empty + `}`},
		{"empty strings for what is optional", `{"number":"","taste":"","at":"","big":"","flag":"","for":"",` + empty + `}`, `{` + empty + `}`},
		{"markup", `{"counts":{},"names":["<&>\u2028"]}`, "{\"counts\":{},\"names\":[\"<&>\u2028\"]}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := p.call("mirror", tc.arguments)
			if r.IsError || r.text() != tc.want {
				t.Errorf("%s gives %s, want %s", tc.arguments, r.text(), tc.want)
			}
			if !sameJSON(t, r.Structured, tc.want) {
				t.Errorf("structured content %s, want %s", r.Structured, tc.want)
			}
		})
	}
}

func sameJSON(t *testing.T, got json.RawMessage, want string) bool {
	t.Helper()
	canonical := func(text string) string {
		var v any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	return canonical(string(got)) == canonical(want)
}

func TestArgumentsAsAWhole(t *testing.T) {
	p := start(t)
	for _, arguments := range []string{`null`, `{}`, `"{}"`, `"{\"count\":2}"`} {
		if r := p.call("names", arguments); r.IsError || r.text() != `["Ada","Bo"]` || string(r.Structured) != `{"result":["Ada","Bo"]}` {
			t.Errorf("arguments %s: %+v %s", arguments, r, r.Structured)
		}
	}
	if r := p.call("names", `{"count":0}`); r.text() != `[]` {
		t.Errorf("an empty list: %+v", r)
	}
	for _, arguments := range []string{`[]`, `7`, `"x"`, `true`, `{"count":-1}`, `{"count":1,"count":2}`, `{"count":1,"Count":2}`} {
		if r := p.call("names", arguments); r.Meta["computer.jp/error"].Code != "invalid_input" {
			t.Errorf("arguments %s: %+v", arguments, r)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"names"}}`)
	if r := p.recv(); r.Result.text() != `["Ada","Bo"]` {
		t.Errorf("no arguments: %s", r.raw)
	}
}

func TestEveryProblemAtOnce(t *testing.T) {
	p := start(t)
	r := p.call("mirror", `{"counts":{"a":"x","b":1.5},"names":["ok",7,null],"taste":"limon","number":9223372036854775808,"flag":"yes","for":5,"at":"soon","bytes":"?","addr":"here"}`)
	said := r.Meta["computer.jp/error"]
	if !r.IsError || said.Code != "invalid_input" || !said.Recoverable || r.Structured != nil {
		t.Fatalf("result %+v", r)
	}
	var details struct {
		Problems []struct{ Path, Expected, Got, Hint string }
	}
	if err := json.Unmarshal(said.Details, &details); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, problem := range details.Problems {
		paths = append(paths, problem.Path)
		if problem.Expected == "" || problem.Got == "" {
			t.Errorf("problem %+v", problem)
		}
		if !strings.Contains(r.text(), problem.Path) {
			t.Errorf("the text lacks %s", problem.Path)
		}
	}
	if got := strings.Join(paths, " "); got != "bytes counts.a counts.b names[1] names[2] addr at for taste number flag" {
		t.Errorf("problems at %s", got)
	}
	if !strings.Contains(r.text(), "lemon") {
		t.Errorf("no near constant is named: %s", r.text())
	}
}

func TestUndeclaredArguments(t *testing.T) {
	p := start(t)
	r := p.call("echo", `{"text":"a","tims":3,"explanation":"because"}`)
	if r.IsError || len(r.Content) != 2 || r.Content[0].Text != "a" || !strings.Contains(r.Content[1].Text, `"times"`) || strings.Contains(r.text(), "explanation") {
		t.Errorf("result %+v", r)
	}
	r = p.call("echo", `{"txt":"a"}`)
	if said := r.Meta["computer.jp/error"]; said.Code != "invalid_input" || !strings.Contains(r.text(), "txt") {
		t.Errorf("a misspelled required argument: %+v", r)
	}
}

// An old client receives only what its version of the protocol supports.
func TestProtocolVersions(t *testing.T) {
	for version, typed := range map[string]bool{"2024-11-05": false, "2025-03-26": false, "2025-06-18": true, "2025-11-25": true} {
		t.Run(version, func(t *testing.T) {
			old := startAs(t, version)
			old.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
			for _, tool := range old.recv().Result.Tools {
				if known := tool.OutputSchema != nil || tool.Title != ""; known && !typed {
					t.Errorf("tool %+v", tool)
				}
			}
			r := old.call("names", `{}`)
			if got := r.Structured != nil; got != typed || r.text() != `["Ada","Bo"]` {
				t.Errorf("structured content: %t, %+v", got, r)
			}
		})
	}
	t.Run("2026-07-28", func(t *testing.T) {
		p := launch(t)
		meta := `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"computer.jp/tool":{"options":{"prefix":"> "}}}`
		if r := p.callWith("echo", `{"text":"a"}`, meta); r.IsError || r.text() != "> a" {
			t.Errorf("result %+v", r)
		}
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail","arguments":{"how":"nil"},"_meta":%s}}`, meta))
		if r := p.recv(); !r.Result.IsError || !strings.Contains(r.raw, `"resultType":"complete"`) {
			t.Errorf("result %s", r.raw)
		}
	})
}

// A result without text has one text for clients that drop images, audio and links, and no second text if an old
// client receives the audio as text.
func TestResultsWithoutText(t *testing.T) {
	for _, tc := range []struct{ version, tool, want string }{
		{"2024-11-05", "test_image_content", `"image" "text"`},
		{"2024-11-05", "test_audio_content", `"text"`},
		{"2025-03-26", "test_audio_content", `"audio" "text"`},
		{"2025-11-25", "test_audio_content", `"audio" "text"`},
	} {
		ours, theirs := net.Pipe()
		served := make(chan error, 1)
		go func() {
			served <- conformance.NewServer(&conformance.Conformance{}).Serve(t.Context(), theirs, sdk.Options{})
		}()
		in := bufio.NewReader(ours)
		var line []byte
		for _, request := range []string{
			initialize + fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, tc.version),
			callOf(1, tc.tool, "{}"),
		} {
			if _, err := io.WriteString(ours, request+"\n"); err != nil {
				t.Fatal(err)
			}
			var err error
			if line, err = in.ReadBytes('\n'); err != nil {
				t.Fatal(err)
			}
		}
		var answer struct {
			Result struct{ Content []struct{ Type, Text string } }
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, b := range answer.Result.Content {
			kinds = append(kinds, strconv.Quote(b.Type))
			if b.Type == "text" && b.Text == "" {
				t.Errorf("%s, %s: an empty text", tc.version, tc.tool)
			}
		}
		if got := strings.Join(kinds, " "); got != tc.want {
			t.Errorf("%s, %s: %s, want %s", tc.version, tc.tool, got, tc.want)
		}
		ours.Close()
		<-served
	}
}
