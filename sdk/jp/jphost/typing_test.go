package jphost

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
)

// TestResultTypes decodes a valid and an invalid result of each type.
func TestResultTypes(t *testing.T) {
	const task = `"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"b"`
	const info = `"capabilities":{},"serverInfo":{"name":"n","version":"v"}`
	block := func(rest string) string { return `{"content":[{` + rest + `}]}` }
	tests := []struct{ want, fits, misses string }{
		{"InitializeResult", `{"protocolVersion":"x",` + info + `}`, `{"protocolVersion":1,` + info + `}`},
		{"CompleteResult", `{"completion":{"values":["a"],"total":1}}`, `{"completion":{"values":["a"],"total":-1}}`},
		{"GetPromptResult", `{"messages":[{"role":"user","content":{"type":"text"}}]}`, `{"messages":[{"role":"system","content":{"type":"text"}}]}`},
		{"ListPromptsResult", `{"prompts":[{"name":"p"}]}`, `{"prompts":[{}]}`},
		{"ListResourcesResult", `{"resources":[{"uri":"u","name":"n"}]}`, `{"resources":[{"uri":"u"}]}`},
		{"ListResourceTemplatesResult", `{"resourceTemplates":[],"nextCursor":"c"}`, `{"resourceTemplates":[],"nextCursor":1}`},
		{"ReadResourceResult", `{"contents":[{"uri":"u","blob":"b"}]}`, `{"contents":[{"uri":"u"}]}`},
		{"ListToolsResult", `{"tools":[{"name":"n","inputSchema":{}}]}`, `{"tools":[{"name":"n","inputSchema":true}]}`},
		{"CreateElicitationResult", `{"action":"accept","content":{}}`, `{"action":"maybe"}`},
		{"CreateTaskResult", `{"task":{` + task + `}}`, `{"task":{"taskId":"t"}}`},
		{"ListTasksResult", `{"tasks":[{` + task + `}]}`, `{"tasks":{}}`},
		{"GetTaskResult", `{` + task + `}`, `{"taskId":"t"}`},
		{"CallToolResult", `{"isError":false}`, `{"isError":null}`},
		{"CallToolResult", `{"content":[]}`, `{"content":[],"content":[]}`},
		{"CallToolResult", `{"content":[],"_meta":null}`, `{"content":[],"_meta":[]}`},
		{"CallToolResult", block(`"type":"text","text":"x"`), block(`"type":"text","type":"text","text":"x"`)},
		{"CallToolResult", block(`"type":"image","data":"","mimeType":"a/b"`), block(`"type":"image","data":""`)},
		{"CallToolResult", block(`"type":"audio","data":"","mimeType":"a/b"`), block(`"type":"audio","data":1,"mimeType":"a/b"`)},
		{"CallToolResult", block(`"type":"resource","resource":{"uri":"u","text":"x"}`), block(`"type":"resource","resource":{"text":"x"}`)},
		{"CallToolResult", block(`"type":"resource_link","uri":"u","name":"n","size":7`), block(`"type":"resource_link","uri":"u","name":"n","size":4294967296`)},
		{"CallToolResult", block(`"type":"text","text":"x","annotations":null`), block(`"type":"text","text":"x","annotations":{"priority":"1"}`)},
		{"EmptyResult", `{}`, `[]`},
	}
	for _, test := range tests {
		if got := ReadResult(json.RawMessage(test.fits), Today); got.ResultType != test.want {
			t.Errorf("%s is taken for %s, want %s", test.fits, got.ResultType, test.want)
		}
		got := ReadResult(json.RawMessage(test.misses), Today)
		if got.ResultType != "CustomResult" || got.Text != textInfra {
			t.Errorf("%s is taken for %s: %+v", test.misses, got.ResultType, got)
		}
	}
	if got := ReadResult(json.RawMessage(`{"content":`), Today); got.Kind != unanswered {
		t.Errorf("half a result gives %+v", got)
	}
}

func BenchmarkReadResult(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20} {
		plain := strings.Repeat("0123456789abcdef", size/16)
		envelope, err := jpdoc.Tagged().AppendOutcome(nil, jpdoc.Success(plain))
		if err != nil {
			b.Fatal(err)
		}
		for name, text := range map[string]string{"plain": plain, "outcome": string(envelope)} {
			result, err := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": text}}})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+"/"+map[bool]string{true: "1K", false: "1M"}[size == 1<<10], func(b *testing.B) {
				b.SetBytes(int64(len(result)))
				for b.Loop() {
					ReadResult(result, Today)
				}
			})
		}
	}
}

func FuzzReadResponse(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[\"success\",\"hi\"]"}]}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t"},"completion":{"values":[]}}}`)
	f.Fuzz(func(t *testing.T, line string) {
		got := readResponse([]byte(line), 1, Today)
		if got.Kind == "" || got.Rule == "" {
			t.Errorf("no verdict: %+v", got)
		}
		if (got.Kind == NeedsInput) != (got.Outcome != nil && got.Outcome.Question != nil) {
			t.Errorf("a question and its kind differ: %+v", got)
		}
	})
}
