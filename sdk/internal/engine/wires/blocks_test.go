package wires

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// asking are the questions of the handlers in these tests.
type asking struct {
	Confirm elicit.Confirm
	Branch  elicit.Choice[string]
	Hunk    elicit.Pick
	Scoops  elicit.Number
}

func questions(set *question.Set) asking {
	return asking{
		Confirm: bind.Confirm(set, question.Spec{ID: "confirm", Default: "true"}),
		Branch: bind.Choice[string](set, question.Spec{ID: "target_branch", Default: `"main"`, Options: []question.Option{
			{Value: "main"}, {Value: "develop"}, {Value: "staging"},
		}}),
		Hunk:   bind.Pick(set, question.Spec{ID: "hunk_3"}),
		Scoops: bind.Number(set, question.Spec{ID: "scoops", Description: "Scoops of ice.", Minimum: new(1.0), Maximum: new(4.0)}),
	}
}

type method func(context.Context, asking) (content.Blocks, error)

// call runs h as a tool.
func call(t *testing.T, h method) (handler.Result, error) {
	t.Helper()
	type none = handler.None
	codec := handler.Codec[none, asking, none, content.Blocks]{Questions: questions, Result: handler.Blocks}
	made := handler.New("t", codec, func(ctx context.Context, _ *tool.Call, _ none, q asking, _ none) (content.Blocks, error) {
		return h(ctx, q)
	})
	return made.Run(t.Context(), &handler.Run{Asker: question.Later(true, false)})
}

// TestBlocksOfTheRFD checks that a handler can produce every example of JP RFD 058.
func TestBlocksOfTheRFD(t *testing.T) {
	file := func(name, data string) content.Resource { return content.File("/project", name, []byte(data)) }
	formatted := file("./src/../src/main.rs", "fn main() {\n    println!(\"Hello world!\");\n}")
	formatted.Formatted = "```rs (src/main.rs, lines 1-3)\n" + formatted.Text + "\n```"
	missing := errors.New("io error: No such file or directory (os error 2)")

	gives := func(b ...content.Block) method {
		return func(context.Context, asking) (content.Blocks, error) { return b, nil }
	}
	fails := func(f error) method {
		return func(context.Context, asking) (content.Blocks, error) { return nil, f }
	}
	asksHunk := func(ctx context.Context, q asking) (content.Blocks, error) {
		_, err := q.Hunk.Among("y", "n", "s", "q").Default("y").
			Show(content.Text{Text: "Diff for hunk 3/5:"}, content.Text{Text: "@@ -10,3 +10,4 @@\n+    new_line();"}).Ask(ctx, "Stage this hunk?")
		return nil, err
	}
	asksConfirm := func(ctx context.Context, q asking) (content.Blocks, error) {
		_, err := q.Confirm.Show(file("src/main.rs", "fn main() {}"), file("src/lib.rs", "pub mod config;"), content.Stopped).
			Ask(ctx, "Apply these changes to a third file?")
		return nil, err
	}
	for name, test := range map[string]struct {
		h      method
		failed bool
	}{
		"document":           {h: gives(content.Text{Text: "Check succeeded."})},
		"text":               {h: gives(content.Text{Text: "Check succeeded. No warnings or errors found."})},
		"resource-text":      {h: gives(file("src/main.rs", "fn main() {}"))},
		"resource-blob":      {h: gives(file("logo.png", "\x89PNG\r\n\x1a\n"))},
		"resource-formatted": {h: gives(formatted)},
		"status-running":     {h: gives(content.Text{Text: "Stage this hunk? [y/n/...]"}, content.Running)},
		"question-select": {h: func(ctx context.Context, q asking) (content.Blocks, error) {
			_, err := q.Branch.Show(content.Stopped).Ask(ctx, "Which branch should I merge into?")
			return nil, err
		}},
		"status-waiting":         {h: asksHunk},
		"resources-and-question": {h: asksConfirm},
		"error":                  {h: fails(errors.New("File not found: foo.rs")), failed: true},
		"error-meta":             {h: fails(&fault.Error{Code: fault.Internal, Message: "File not found: foo.rs", Transient: true, Cause: missing}), failed: true},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := call(t, test.h)
			got, failed := renderBlocks(result, err)
			want := string(example(t, name))
			if failed != test.failed || !sameJSON(t, got, want) {
				t.Errorf("isError %t, %s\nwant %s", failed, got, want)
			}
		})
	}
}

// renderBlocks returns the outcome of a call in content blocks.
func renderBlocks(result handler.Result, err error) (text string, isError bool) {
	return blocks.text(result, err)
}

func example(t *testing.T, name string) json.RawMessage {
	t.Helper()
	data, err := os.ReadFile("../../../jp/jpdoc/testdata/blocks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var row struct {
			Name     string
			Document json.RawMessage
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.Name == name {
			return row.Document
		}
	}
	t.Fatalf("no example %q", name)
	return nil
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var left, right any
	if err := errors.Join(json.Unmarshal([]byte(a), &left), json.Unmarshal([]byte(b), &right)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(left, right)
}

func TestBlocks(t *testing.T) {
	notes := content.Annotations{Audience: []content.Role{content.User}, Priority: new(0.0), LastModified: time.Date(2026, 3, 20, 12, 0, 0, 0, time.FixedZone("", 7200))}
	for name, test := range map[string]struct {
		h    method
		want string
	}{
		"a panic": {h: func(context.Context, asking) (content.Blocks, error) { panic("secret") }, want: `"isError":true}`},
		"nothing": {h: func(context.Context, asking) (content.Blocks, error) { return nil, nil }, want: `{"content":[]}`},
		"a preamble": {h: func(ctx context.Context, q asking) (content.Blocks, error) {
			_, err := q.Scoops.Preamble("It is hot.").Ask(ctx, "How many?")
			return content.Of("swallowed"), err
		}, want: `{"content":[{"type":"text","text":"It is hot."},{"type":"question","question":{"id":"scoops","text":"How many?",` +
			`"schema":{"type":"number","description":"Scoops of ice.","minimum":1,"maximum":4}}}],"_meta":{"computer.jp/status":"waiting"}}`},
		"the title of a default": {h: func(ctx context.Context, q asking) (content.Blocks, error) {
			_, err := q.Hunk.Offer(elicit.Option{Value: "a&b", Title: "A & B"}).Default("a&b").Ask(ctx, "Which?")
			return nil, err
		}, want: `"default":"A & B"`},
		"every field": {h: func(context.Context, asking) (content.Blocks, error) {
			return content.Blocks{
				content.Text{Text: "a", MIMEType: "text/markdown", Annotations: notes},
				content.Resource{URI: "bear://1", Text: "b", Name: "n", Title: "t", Description: "d", Annotations: notes},
				content.Image{Data: []byte("png"), MIMEType: "image/png"}, content.Audio{Data: []byte("w"), MIMEType: "audio/wav"},
				content.Link{URI: "bear://2", Name: "Two"}, content.Stopped,
			}, nil
		}, want: `{"content":[{"type":"text","text":"a","mimeType":"text/markdown","annotations":{"audience":["user"],"priority":0.0,"lastModified":"2026-03-20T10:00:00Z"}},` +
			`{"type":"resource","resource":{"uri":"bear://1","text":"b","name":"n","title":"t","description":"d"},"annotations":{"audience":["user"],"priority":0.0,"lastModified":"2026-03-20T10:00:00Z"}},` +
			`{"type":"text","text":"[image/png, 3 bytes]"},{"type":"text","text":"[audio/wav, 1 byte]"},{"type":"text","text":"Two <bear://2>"}],"_meta":{"computer.jp/status":"stopped"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := renderBlocks(call(t, test.h))
			if !strings.Contains(got, test.want) || strings.Contains(got, "secret") {
				t.Errorf("%s\nwant %s", got, test.want)
			}
			if _, warnings := jpdoc.ReadBlocks([]byte(got)); warnings != nil {
				t.Errorf("a host leaves out %v", warnings)
			}
		})
	}
}

func TestBlocksSayRemarks(t *testing.T) {
	got, failed := renderBlocks(handler.Result{Result: tool.Result{Blocks: content.Of("done"), Warnings: []string{"unknown argument"}}}, nil)
	if want := `{"content":[{"type":"text","text":"done"},{"type":"text","text":"Note: unknown argument"}]}`; failed || got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A block that hosts would reject is a fault of the tool, which every host can read.
func TestBlocksRefuse(t *testing.T) {
	noted := func(a content.Annotations) content.Block { return content.Text{Annotations: a} }
	for want, b := range map[string]content.Block{
		"the URI is missing":                         content.Resource{Text: "x"},
		"the resource has both text and blob":        content.Resource{URI: "uri:r", Text: "x", Blob: []byte{}},
		`unknown role \"tool\" in the audience`:      noted(content.Annotations{Audience: []content.Role{"user", "tool"}}),
		"the priority 1.1 is not between 0 and 1":    noted(content.Annotations{Priority: new(1.1)}),
		"the priority NaN is not between 0 and 1":    noted(content.Annotations{Priority: new(math.NaN())}),
		"the year of LastModified cannot be written": noted(content.Annotations{LastModified: time.Date(12345, 1, 1, 0, 0, 0, 0, time.UTC)}),
		`unknown status \"paused\"`:                  content.Status("paused"),
	} {
		asking := &question.Pending{Questions: []question.Question{{Spec: question.Spec{Kind: question.KindConfirm}, Context: content.Blocks{b}}}}
		for _, pending := range []error{nil, asking} {
			if _, isStatus := b.(content.Status); isStatus && pending != nil {
				continue // a question has its own status
			}
			got, failed := renderBlocks(handler.Result{Result: tool.Result{Blocks: content.Blocks{b}}}, pending)
			d, warnings := jpdoc.ReadBlocks([]byte(got))
			if !failed || !d.IsError || d.Error == nil || d.Error.Code != "" || warnings != nil || !strings.Contains(got, "content.0: "+want) {
				t.Errorf("%+v: %s, %v, want %s", b, got, warnings, want)
			}
		}
	}
}
