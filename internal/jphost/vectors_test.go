package jphost

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/jpdoc"
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
	modes := map[string]mode{"d31": d31, "snapshot": snapshot}
	profiles := map[string]Profile{"d31": profileD31, "snapshot": ProfileSnapshot}
	for _, row := range rows[row](t, "host_request.jsonl") {
		t.Run(row.Mode+"/"+row.ContextProfile+"/"+row.Name, func(t *testing.T) {
			mode, okMode := modes[row.Mode]
			profile, okProfile := profiles[row.ContextProfile]
			if !okMode || !okProfile {
				t.Fatalf("unknown mode or profile")
			}
			o := Options{
				Root: row.Root, WorkspaceID: row.WorkspaceID, ConversationID: row.ConversationID,
				ToolOptions: map[string]json.RawMessage{row.Tool: row.Options},
				mode:        mode, Profile: profile, AlwaysMeta: row.AlwaysMeta, NoGrease: true,
			}
			got, err := request{o, 3, 0, row.Tool, row.Arguments, row.Answers}.line()
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(decode(t, got), decode(t, row.Wire)) {
				t.Errorf("built\n%s\nwant\n%s", got, row.Wire)
			}
			if profile == profileD31 && len(row.Answers) < 2 && string(got) != string(row.Wire) {
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

func (want hostReply) check(t *testing.T, got Reply) {
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
	asked, err := jpdoc.Snapshot().AppendOutcome(nil, *got.Outcome)
	if err != nil || string(asked) != `{"type":"needs_input","question":`+string(want.Question)+`}` {
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
	files := map[string]mode{
		"host_response_d31.jsonl":      d31,
		"host_response_snapshot.jsonl": snapshot,
	}
	for file, mode := range files {
		for _, row := range rows[row](t, file) {
			t.Run(row.Mode+"/"+row.Name, func(t *testing.T) {
				var got Reply
				if row.Raw != nil {
					got = readResponse([]byte(*row.Raw), 1, mode, jpdoc.Snapshot())
				} else {
					got = readResult(row.Result, mode, jpdoc.Snapshot())
					line := `{"jsonrpc":"2.0","id":1,"result":` + string(row.Result) + `}`
					if same := readResponse([]byte(line), 1, mode, jpdoc.Snapshot()); !reflect.DeepEqual(got, same) {
						t.Errorf("the line gives %+v, the result %+v", same, got)
					}
				}
				row.Host.check(t, got)
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
			got := ReadLocal(row.Tool, []byte(row.Stdout), []byte(row.Stderr), row.Success, jpdoc.Snapshot())
			row.Host.check(t, got)
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

// A policy is sent even if there are neither answers nor options.
func TestRequestWithAccess(t *testing.T) {
	for profile, want := range map[Profile]string{
		profileD31:      `{"action":"Run","root":"/w"}`,
		ProfileSnapshot: `{"action":"run","root":"/w","access":{"fs":[],"net":[],"env":[]},"workspace_id":"","conversation_id":""}`,
	} {
		o := Options{Root: "/w", Profile: profile, Access: &access.Policy{}, NoGrease: true}
		meta, err := o.Meta("t", nil, nil)
		if err != nil || meta[wire.MetaTool] == nil || !reflect.DeepEqual(decode(t, meta[wire.MetaContext]), decode(t, []byte(want))) {
			t.Errorf("got %s, %v, want %s", meta, err, want)
		}
	}
	if meta, err := (Options{Root: "/w"}).Meta("t", nil, nil); meta != nil || err != nil {
		t.Errorf("got %s, %v without anything to send", meta, err)
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

// TestReadResponse082 shows that a host of the next version parses the next envelope.
func TestReadResponse082(t *testing.T) {
	text := `{"type":"needs_input","question":{"id":"q","text":"t","answer_type":{"type":"secret"}}}`
	result, err := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": text}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := ReadResult(result, jpdoc.Snapshot()); got.Rule != ruleNotOutcome || got.Text != text {
		t.Errorf("today: %+v", got)
	}
	if got := ReadResult(result, jpdoc.RFD082()); got.Kind != NeedsInput {
		t.Errorf("next: %+v", got)
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
