package jphost

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func rows[T any](t *testing.T, file string) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for line := range bytes.Lines(data) {
		var row T
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, row)
	}
	if len(all) == 0 {
		t.Fatalf("%s is empty", file)
	}
	return all
}

// decode preserves numbers as written and ignores the order of names.
func decode(t *testing.T, data []byte) (v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

func TestBuildRequestVectors(t *testing.T) {
	type row struct {
		Name, Tool, Root, Mode string
		Arguments, Options     json.RawMessage
		Answers                map[string]json.RawMessage
		WorkspaceID            string `json:"workspace_id"`
		ConversationID         string `json:"conversation_id"`
		ContextProfile         string `json:"context_profile"`
		AlwaysMeta             bool   `json:"always_meta"`
		Wire                   json.RawMessage
	}
	for _, row := range rows[row](t, "host_request.jsonl") {
		t.Run(row.Mode+"/"+row.ContextProfile+"/"+row.Name, func(t *testing.T) {
			version, ok := map[string]Version{"d31/d31": Untagged, "d31/snapshot": Today, "snapshot/d31": snapshot}[row.Mode+"/"+row.ContextProfile]
			if !ok {
				t.Fatal("unknown mode or profile")
			}
			if version == Today && !bytes.Contains(row.Wire, []byte(wire.MetaTool)) {
				return // today's JP always sends the context
			}
			o := Options{
				Root: row.Root, WorkspaceID: row.WorkspaceID, ConversationID: row.ConversationID,
				ToolOptions: map[string]json.RawMessage{row.Tool: row.Options}, Version: version, AlwaysMeta: row.AlwaysMeta, NoGrease: true,
			}
			got, err := request{o, 3, 0, row.Tool, row.Arguments, row.Answers}.line()
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(decode(t, got), decode(t, row.Wire)) {
				t.Errorf("built\n%s\nwant\n%s", got, row.Wire)
			}
			if version != Today && len(row.Answers) < 2 && string(got) != string(row.Wire) {
				t.Errorf("built in another order\n%s\nwant\n%s", got, row.Wire)
			}
		})
	}
}

// A hostReply is the reply that JP's own code derives from a result.
type hostReply struct {
	Kind     string
	Text     string
	Question json.RawMessage
}

func (want hostReply) check(t *testing.T, got Reply, version Version) {
	t.Helper()
	if string(got.Kind) != want.Kind || got.Text != want.Text {
		t.Errorf("got %s %q, want %s %q", got.Kind, got.Text, want.Kind, want.Text)
	}
	if want.Question == nil {
		return
	}
	if got.Outcome == nil || got.Outcome.Question == nil {
		t.Fatal("no question")
	}
	asked, err := version.Codec().AppendOutcome(nil, *got.Outcome)
	var question bytes.Buffer
	if err := json.Compact(&question, want.Question); err != nil {
		t.Fatal(err)
	}
	if err != nil || string(asked) != `{"type":"needs_input","question":`+question.String()+`}` {
		t.Errorf("asks %s (%v), want %s", asked, err, want.Question)
	}
}

func TestReadResultVectors(t *testing.T) {
	type row struct {
		Name   string
		Result json.RawMessage
		Raw    *string
		Mode   string
		Type   string `json:"decoded_as"`
		Rule   string
		Warn   bool
		Host   hostReply
	}
	files := map[string]Version{
		"host_response_d31.jsonl":      Untagged,
		"host_response_snapshot.jsonl": snapshot,
	}
	for file, version := range files {
		for _, row := range rows[row](t, file) {
			t.Run(row.Mode+"/"+row.Name, func(t *testing.T) {
				var got Reply
				if row.Raw != nil {
					got = readResponse([]byte(*row.Raw), 1, version)
				} else {
					got = readResult(row.Result, version)
					line := `{"jsonrpc":"2.0","id":1,"result":` + string(row.Result) + `}`
					if same := readResponse([]byte(line), 1, version); !reflect.DeepEqual(got, same) {
						t.Errorf("the line gives %+v, the result %+v", same, got)
					}
				}
				row.Host.check(t, got, version)
				if got.Rule != row.Rule || got.Warn != row.Warn {
					t.Errorf("by rule %s (warn %v), want %s (%v)", got.Rule, got.Warn, row.Rule, row.Warn)
				}
				// Descriptions of undecoded results come from the Rust library and are not compared.
				if row.Host.Kind != "hang" && got.ResultType != row.Type {
					t.Errorf("taken for %s, want %s", got.ResultType, row.Type)
				}
			})
		}
	}
}

func TestReadLocalVectors(t *testing.T) {
	type row struct {
		Name, Tool, Stdout, Stderr, Rule string
		Success                          bool
		Host                             hostReply
	}
	for _, row := range rows[row](t, "host_local.jsonl") {
		t.Run(row.Name, func(t *testing.T) {
			got := ReadLocal(row.Tool, []byte(row.Stdout), []byte(row.Stderr), row.Success, Untagged)
			row.Host.check(t, got, Untagged)
			if got.Rule != row.Rule {
				t.Errorf("by rule %s, want %s", got.Rule, row.Rule)
			}
		})
	}
}

func TestBuildRequestRefuses(t *testing.T) {
	options := func(text string) Options {
		return Options{ToolOptions: map[string]json.RawMessage{"": json.RawMessage(text)}}
	}
	tests := map[string]request{
		"arguments":  {arguments: json.RawMessage(`{`)},
		"answer":     {answers: map[string]json.RawMessage{"q": json.RawMessage(`yes`)}},
		"options":    {Options: options(`{"a":1e400}`)},
		"no object":  {Options: options(`[1]`)},
		"empty text": {arguments: json.RawMessage{}},
	}
	for name, request := range tests {
		if line, err := request.line(); err == nil {
			t.Errorf("%s: built %s", name, line)
		}
	}
}

// Today's JP sends the tool and the whole context even if there is nothing to send.
func TestRequestMeta(t *testing.T) {
	for _, tc := range []struct {
		version       Version
		access        *access.Policy
		tool, context string
	}{
		{Today, nil, `{"name":"t","arguments":{},"answers":{},"options":{}}`,
			`{"action":"run","root":"/w","access":null,"workspace_id":"w","conversation_id":"c"}`},
		{Today, &access.Policy{}, `{"name":"t","arguments":{},"answers":{},"options":{}}`,
			`{"action":"run","root":"/w","access":{"fs":[],"net":[],"env":[]},"workspace_id":"w","conversation_id":"c"}`},
		{Untagged, &access.Policy{}, `{"name":"t","arguments":{},"answers":{},"options":{}}`, `{"action":"Run","root":"/w"}`},
		{Untagged, nil, "", ""},
		{snapshot, &access.Policy{}, "", ""},
	} {
		o := Options{Root: "/w", Version: tc.version, WorkspaceID: "w", ConversationID: "c", Access: tc.access, NoGrease: true}
		meta, err := o.Meta("t", nil, nil)
		if err != nil || string(meta[wire.MetaTool]) != tc.tool || (meta == nil) != (tc.context == "") {
			t.Errorf("version %d: got %s, %v, want %s", tc.version, meta, err, tc.tool)
		}
		if meta != nil && !reflect.DeepEqual(decode(t, meta[wire.MetaContext]), decode(t, []byte(tc.context))) {
			t.Errorf("version %d: got %s, want %s", tc.version, meta[wire.MetaContext], tc.context)
		}
	}
}

func TestBuildRequestIsOneLine(t *testing.T) {
	spread := json.RawMessage("{\n \"a\": [\r\n1 ] }")
	line, err := request{
		Options:   Options{ToolOptions: map[string]json.RawMessage{"": spread}},
		arguments: spread, answers: map[string]json.RawMessage{"q": spread, "none": nil},
	}.line()
	if err != nil || bytes.ContainsAny(line, "\r\n") {
		t.Errorf("built %q, %v", line, err)
	}
	if !strings.Contains(string(line), `"none":null`) {
		t.Errorf("a nil answer is not null in %s", line)
	}
}

// TestReadResultToday compares the replies with those of JP since 2026-08-24.
func TestReadResultToday(t *testing.T) {
	type row struct {
		Name   string
		Result json.RawMessage
		Rule   string
		Host   hostReply
	}
	for _, row := range rows[row](t, "now_host_response.jsonl") {
		t.Run(row.Name, func(t *testing.T) {
			got := ReadResult(row.Result, Today)
			rule, _, _ := strings.Cut(strings.Replace(got.Rule, ruleTieBreak, ruleNative, 1), ":")
			if rule != row.Rule {
				t.Fatalf("by rule %s, want %s", got.Rule, row.Rule)
			}
			members, _ := readObject(row.Result)
			if string(got.Structured) != string(members["structuredContent"]) || string(got.Meta) != string(members["_meta"]) {
				t.Errorf("structured content %s and _meta %s are not those of %s", got.Structured, got.Meta, row.Result)
			}
			switch row.Rule {
			case ruleNative:
				if failed := string(members["isError"]) == "true"; failed != (got.Kind == Error) || !failed && got.Kind != OK {
					t.Errorf("got %s", got.Kind)
				}
			case ruleMalformed:
				row.Host.Text = got.Text // JP does not show a text
				fallthrough
			default:
				row.Host.check(t, got, Today)
			}
		})
	}
}

// oneText returns a result that consists of one text block, and the further members.
func oneText(text, more string) json.RawMessage {
	return json.RawMessage(`{"content":[{"type":"text","text":` + string(quote(nil, text)) + `}]` + more + `}`)
}

// TestDecodingToday has a row for each rule by which today's JP decodes a result.
func TestDecodingToday(t *testing.T) {
	const details = `,"_meta":{"computer.jp/error":{"code":"busy","transient":true,"trace":["a","b"]},"x":1}`
	const fatal = `{"type":"error","message":"m","trace":["a"],"transient":false}`
	for name, tc := range map[string]struct {
		result    json.RawMessage
		kind      ReplyKind
		text      string
		transient bool
		trace     string
	}{
		"two texts":              {json.RawMessage(`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`), OK, "a\n\nb", false, ""},
		"a binary resource":      {json.RawMessage(`{"content":[{"type":"resource","resource":{"uri":"x://a","blob":"AA=="}}]}`), OK, "x://a", false, ""},
		"plain text":             {oneText("a", ""), OK, "a", false, ""},
		"native error":           {oneText("a", `,"isError":true`), Error, "a", false, ""},
		"native error, details":  {oneText("a", `,"isError":true`+details), Error, "a", true, "a b"},
		"details of a success":   {oneText("a", details), OK, "a", false, ""},
		"success":                {oneText(`{"type":"success","content":"a"}`, details), OK, "a", false, ""},
		"success with isError":   {oneText(`{"type":"success","content":"a"}`, `,"isError":true`), Error, `{"type":"success","content":"a"}`, false, ""},
		"final error":            {oneText(fatal, ""), Error, fatal, false, "a"},
		"transient error":        {oneText(`{"type":"error","message":"m","trace":["a","b"],"transient":true}`, ""), Error, `{"message":"m","trace":["a","b"]}`, true, "a b"},
		"question":               {oneText(`{"type":"needs_input","question":{"id":"q","text":"t","answer_type":{"type":"secret"}}}`, ""), NeedsInput, "", false, ""},
		"question with isError":  {oneText(`{"type":"needs_input","question":{"id":"q","text":"t","answer_type":{"type":"text"}}}`, `,"isError":true`), NeedsInput, "", false, ""},
		"untagged question":      {oneText(`{"type":"needs_input","question":{"id":"q","text":"t","answer_type":"Text"}}`, ""), Failed, "", false, ""},
		"question without an id": {oneText(`{"type":"needs_input","question":{"id":"","text":"t","answer_type":{"type":"text"}}}`, `,"isError":true`), Failed, "", false, ""},
		"only a claim":           {oneText(`{"type":"x","type":"needs_input"}`, ""), Failed, "", false, ""},
		"a claim inside":         {oneText(`{"a":{"type":"needs_input"}}`, ""), OK, `{"a":{"type":"needs_input"}}`, false, ""},
	} {
		got := ReadResult(tc.result, Today)
		if got.Kind != tc.kind || got.Kind != Failed && got.Text != tc.text || got.Transient != tc.transient || strings.Join(got.Trace, " ") != tc.trace {
			t.Errorf("%s: %+v", name, got)
		}
		if got.Kind == Failed && !strings.HasPrefix(got.Text, "the tool produced a malformed inquiry that could not be parsed: ") {
			t.Errorf("%s: %s", name, got.Text)
		}
	}
}

// TestVersionsReadTheirQuestions shows that a host cannot read the questions of the other version.
func TestVersionsReadTheirQuestions(t *testing.T) {
	tagged := `{"type":"needs_input","question":{"id":"q","text":"t","answer_type":{"type":"boolean"}}}`
	untagged := `{"type":"needs_input","question":{"id":"q","text":"t","answer_type":"Boolean"}}`
	for _, tc := range []struct {
		version Version
		text    string
		kind    ReplyKind
		local   ReplyKind
	}{
		{Today, tagged, NeedsInput, NeedsInput},
		{Today, untagged, Failed, Error},
		{Untagged, tagged, OK, OK},
		{Untagged, untagged, NeedsInput, NeedsInput},
	} {
		if got := ReadResult(oneText(tc.text, ""), tc.version); got.Kind != tc.kind {
			t.Errorf("version %d reads %s as %+v", tc.version, tc.text, got)
		}
		got := ReadLocal("t", []byte(tc.text+"\n"), nil, true, tc.version)
		if got.Kind != tc.local || got.Kind == Error && !strings.HasPrefix(got.Text, "tool 't' produced a malformed inquiry that could not be parsed: ") {
			t.Errorf("version %d reads %s of a local tool as %+v", tc.version, tc.text, got)
		}
	}
}

// TestToolsVectors decodes the tools that JP's client received, one by one.
func TestToolsVectors(t *testing.T) {
	type row struct {
		Name  string
		Tool  json.RawMessage
		Error string
	}
	for _, row := range rows[row](t, "host_schema.jsonl") {
		t.Run(row.Name, func(t *testing.T) {
			well := !strings.HasPrefix(row.Error, "rmcp cannot decode")
			if got := resultType(json.RawMessage(`{"tools":[` + string(row.Tool) + `]}`)); well != (got == "ListToolsResult") {
				t.Errorf("taken for %s", got)
			}
		})
	}
}
