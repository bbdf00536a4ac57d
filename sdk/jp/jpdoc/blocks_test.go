package jpdoc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
)

func blocks(b ...jpdoc.Block) jpdoc.Document { return jpdoc.Document{Content: b} }

func TestReadBlocksLeavesOut(t *testing.T) {
	for block, want := range map[string]string{
		`7`:                                      "content.1: expected an object, got a number",
		`["text","x"]`:                           "content.1: expected an object, got an array",
		`{}`:                                     "content.1.type: missing, expected a string",
		`{"type":"image","data":""}`:             `content.1.type: expected "text", "resource" or "question", got "image"`,
		`{"type":"text"}`:                        "content.1.text: missing, expected a string",
		`{"type":"text","text":null}`:            "content.1.text: expected a string, got null",
		`{"type":"text","text":"","text":""}`:    "content.1.text: duplicate member",
		`{"type":"text","text":"","mimeType":1}`: "content.1.mimeType: expected a string, got a number",
		`{"type":"text","text":"","annotations":[]}`:                                           "content.1.annotations: expected an object, got an array",
		`{"type":"text","text":"","annotations":{"audience":["all"]}}`:                         `content.1: unknown role "all" in the audience`,
		`{"type":"text","text":"","annotations":{"priority":-1}}`:                              "content.1: the priority -1 is not between 0 and 1",
		`{"type":"text","text":"","annotations":{"priority":"1"}}`:                             "content.1.annotations.priority: expected a number, got a string",
		`{"type":"text","text":"","annotations":{"lastModified":"today"}}`:                     `content.1.annotations.lastModified: expected a time in RFC 3339, got "today"`,
		`{"type":"text","text":"","annotations":{"lastModified":"9999-12-31T23:59:59-01:00"}}`: "content.1: the year of LastModified cannot be written in RFC 3339 format",
		`{"type":"resource"}`:                                                           "content.1.resource: missing, expected an object",
		`{"type":"resource","resource":{"text":"x"}}`:                                   "content.1.resource.uri: missing, expected a string",
		`{"type":"resource","resource":{"uri":"","text":"x"}}`:                          "content.1: the URI is missing",
		`{"type":"resource","resource":{"uri":"uri:r"}}`:                                "content.1.resource: missing, expected text or blob",
		`{"type":"resource","resource":{"uri":"uri:r","text":"","blob":""}}`:            "content.1.resource: expected text or blob, got both",
		`{"type":"resource","resource":{"uri":"uri:r","blob":"<base64-encoded data>"}}`: "content.1.resource.blob: expected base64",
		`{"type":"resource","resource":{"uri":"uri:r","text":"x"},"formatted":{}}`:      "content.1.formatted: expected a string, got an object",
		`{"type":"question","question":{"text":"?","schema":{}}}`:                       "content.1.question.id: missing, expected a string",
		`{"type":"question","question":{"id":"","text":"?","schema":{}}}`:               "content.1.question.id: missing, expected a name for the answer",
		`{"type":"question","question":{"id":"q","text":"?"}}`:                          "content.1.question.schema: missing, expected an object",
		`{"type":"question","question":{"id":"q","text":"?","schema":true}}`:            "content.1.question.schema: expected an object, got a boolean",
		`{"type":"question"}`: "content.1.question: missing, expected an object",
	} {
		data := `{"content":[{"type":"text","text":"a"},` + block + `,{"type":"text","text":"b"}],"isError":true}`
		d, warnings := jpdoc.ReadBlocks([]byte(data))
		if len(warnings) != 1 || warnings[0].Error() != want {
			t.Errorf("%s: warnings %v, want %s", block, warnings, want)
		}
		if len(d.Content) != 2 || d.Content[1].Text() != "b" || !d.IsError {
			t.Errorf("%s: its neighbours are lost: %+v", block, d)
		}
	}
	for beside, want := range map[string]string{
		`"isError":"yes"`: "isError: expected a boolean, got a string",
		`"_meta":[]`:      "_meta: expected an object, got an array",
		`"_meta":{"computer.jp/status":"paused"}`:                                     `_meta.computer.jp/status: expected "running", "waiting" or "stopped", got "paused"`,
		`"_meta":{"computer.jp/error":{"trace":"x"}}`:                                 "_meta.computer.jp/error.trace: expected an array, got a string",
		`"_meta":{"computer.jp/error":true,"computer.jp/status":"running","other":1}`: "_meta.computer.jp/error: expected an object, got a boolean",
	} {
		d, warnings := jpdoc.ReadBlocks([]byte(`{"content":[{"type":"text","text":"a"}],` + beside + `}`))
		if len(warnings) != 1 || warnings[0].Error() != want || len(d.Content) != 1 || d.IsError || d.Error != nil {
			t.Errorf("%s: %+v, %v; want %s", beside, d, warnings, want)
		}
		if wantStatus := strings.Contains(beside, `"running"`); (d.Status == content.Running) != wantStatus {
			t.Errorf("%s: the status is %q", beside, d.Status)
		}
	}
}

func TestReadBlocksTakesTextAsItStands(t *testing.T) {
	for _, text := range []string{
		"", "plain\n", " {", "[]", "null", `"content"`, `{"content":"x"}`, `{"content":null}`, `{"Content":[]}`, `{"content":[]} {}`,
		`[{"type":"text","text":"x"}]`, `{"type":"success","content":"x"}`, `{"content":[1e400]}`,
		`{"content":` + strings.Repeat("[", 127) + strings.Repeat("]", 127) + `}`,
	} {
		d, warnings := jpdoc.ReadBlocks([]byte(text))
		if want := blocks(jpdoc.Block{Shown: content.Text{Text: text}}); !reflect.DeepEqual(d, want) || warnings != nil {
			t.Errorf("%.40q became %+v, %v", text, d, warnings)
		}
	}
	if d, _ := jpdoc.ReadBlocks([]byte("a\xffb")); d.Content[0].Text() != "a\uFFFDb" {
		t.Errorf("text that is not UTF-8 became %q", d.Content[0].Text())
	}
	if d, warnings := jpdoc.ReadBlocks([]byte(` {"content":[],"isError":null,"_meta":null} `)); d.Content == nil || len(d.Content) != 0 || warnings != nil {
		t.Errorf("no blocks at all: %+v, %v", d, warnings)
	}
}

// TestBlocksOfTheRFD reads every example of JP RFD 058. The tests of package jpbridge write them.
func TestBlocksOfTheRFD(t *testing.T) {
	rows := examples(t)
	for name, data := range rows {
		if d, warnings := jpdoc.ReadBlocks(data); warnings != nil || len(d.Content) == 0 {
			t.Errorf("%s: %+v, %v", name, d, warnings)
		}
	}
	d, _ := jpdoc.ReadBlocks(rows["status-waiting"])
	if d.Status != jpdoc.StatusWaiting || len(d.Content) != 3 || d.Content[2].Question.ID != "hunk_3" || string(d.Content[2].Question.Default) != `"y"` {
		t.Errorf("status-waiting is %+v", d)
	}
	d, _ = jpdoc.ReadBlocks(rows["error-meta"])
	if !d.IsError || d.Error == nil || !d.Error.Transient || len(d.Error.Trace) != 1 {
		t.Errorf("error-meta is %+v", d)
	}
}

func examples(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	data, err := os.ReadFile("testdata/blocks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]json.RawMessage{}
	for line := range bytes.Lines(data) {
		var row struct {
			Name     string
			Document json.RawMessage
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		rows[row.Name] = row.Document
	}
	if len(rows) != 11 {
		t.Fatalf("%d examples", len(rows))
	}
	return rows
}

// TestReadBlocksKeepsEverything reads a document with every field.
func TestReadBlocksKeepsEverything(t *testing.T) {
	notes := content.Annotations{Audience: []content.Role{"user", "assistant"}, Priority: new(0.0), LastModified: time.Date(2026, 3, 20, 10, 0, 0, 5e8, time.UTC)}
	const annotations = `"annotations":{"audience":["user","assistant"],"priority":0.0,"lastModified":"2026-03-20T10:00:00.5Z"}`
	const data = `{"content":[{"type":"text","text":"","mimeType":"text/markdown",` + annotations + `},` +
		`{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"<a>","name":"n","title":"t","description":"d"},"formatted":"f",` + annotations + `},` +
		`{"type":"resource","resource":{"uri":"file:///empty","text":""}},` +
		`{"type":"resource","resource":{"uri":"file:///blob","blob":""}},` +
		`{"type":"question","question":{"id":"q","text":"","schema":{"type":"string"},"default":{"b":[1],"a":null}}}],` +
		`"isError":true,"_meta":{"computer.jp/error":{"code":"not_found","recoverable":true,"transient":false,"trace":[]},"computer.jp/status":"stopped"}}`
	want := jpdoc.Document{
		Content: []jpdoc.Block{
			{Shown: content.Text{MIMEType: "text/markdown", Annotations: notes}},
			{Shown: content.Resource{
				URI: "file:///a", MIMEType: "text/plain", Text: "<a>", Formatted: "f",
				Name: "n", Title: "t", Description: "d", Annotations: notes,
			}},
			{Shown: content.Resource{URI: "file:///empty"}},
			{Shown: content.Resource{URI: "file:///blob", Blob: []byte{}}},
			{Question: &jpdoc.InputRequest{ID: "q", Schema: []byte(`{"type":"string"}`), Default: []byte(`{"b":[1],"a":null}`)}},
		},
		IsError: true, Status: content.Stopped,
		Error: &jpdoc.ErrorMeta{Code: "not_found", Recoverable: true, Trace: []string{}},
	}
	if got, warnings := jpdoc.ReadBlocks([]byte(data)); !reflect.DeepEqual(got, want) || warnings != nil {
		t.Errorf("%+v, %v", got, warnings)
	}
}

// The annotations of a resource are next to it in MCP and inside it in JP RFD 065.
func TestBlocksTakeAnnotationsOfEither(t *testing.T) {
	const inner = `{"content":[{"type":"resource","resource":{"uri":"uri:r","text":"","annotations":{"priority":1}}}]}`
	d, warnings := jpdoc.ReadBlocks([]byte(inner))
	if warnings != nil || *d.Content[0].Shown.(content.Resource).Annotations.Priority != 1 {
		t.Errorf("%+v, %v", d, warnings)
	}
	both := strings.Replace(inner, `}}}]`, `}},"annotations":{"priority":0.5}}]`, 1)
	d, warnings = jpdoc.ReadBlocks([]byte(both))
	if warnings != nil || *d.Content[0].Shown.(content.Resource).Annotations.Priority != 0.5 {
		t.Errorf("%s: %+v, %v", both, d, warnings)
	}
	both = strings.Replace(both, `"priority":1}`, `"lastModified":"2026-03-20T10:00:00Z"}`, 1)
	d, warnings = jpdoc.ReadBlocks([]byte(both))
	if a := d.Content[0].Shown.(content.Resource).Annotations; warnings != nil || *a.Priority != 0.5 || !a.LastModified.IsZero() {
		t.Errorf("%s: %+v, %v", both, d, warnings)
	}
}

func FuzzReadBlocks(f *testing.F) {
	for _, row := range []string{
		`{"content":[{"type":"text","text":"a","annotations":{"priority":1e-7,"lastModified":"2026-03-20T10:00:00+02:00"}},{"type":"image"}]}`,
		`{"content":[{"type":"resource","resource":{"uri":"uri:r","blob":"aGk="},"formatted":"x"}],"isError":true}`,
		`{"content":[{"type":"question","question":{"id":"q","text":"?","schema":{"a":1,"a":2},"default":-0}}],"_meta":{"computer.jp/status":"waiting"}}`,
		`{"content":[],"_meta":{"computer.jp/error":{"transient":true,"trace":["a"],"code":""}}}`,
	} {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, warnings := jpdoc.ReadBlocks([]byte(text))
		for _, w := range warnings {
			if !strings.HasPrefix(w.Error(), "content") && !strings.HasPrefix(w.Error(), "isError: ") && !strings.HasPrefix(w.Error(), "_meta") {
				t.Errorf("warning %+v", w)
			}
		}
		for _, b := range d.Content {
			if b.Shown != nil && (content.Blocks{b.Shown}).Check() != nil {
				t.Errorf("the block %+v is malformed", b.Shown)
			}
		}
	})
}

func ExampleReadBlocks() {
	d, warnings := jpdoc.ReadBlocks([]byte(`{"content":[{"type":"text","text":"Staged."},{"type":"resource","resource":{"text":"x"}}]}`))
	fmt.Println(d.Content[0].Text(), warnings)

	d, _ = jpdoc.ReadBlocks([]byte("Staged.\n"))
	fmt.Printf("%q\n", d.Content[0].Text())
	// Output:
	// Staged. [content.1.resource.uri: missing, expected a string]
	// "Staged.\n"
}
