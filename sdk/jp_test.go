package sdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// jp returns a JP host that has started the server with --jp, in the version that the host reads.
func jp(t *testing.T, o jphost.Options, args ...string) *jphost.Host {
	t.Helper()
	flag := "--jp"
	if o.Version == jphost.Untagged {
		flag = "--jp=" + wire.VersionOutcomeUntagged
	}
	h, err := jphost.Start(t.Context(), command(t, append([]string{flag}, args...)...), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// answererFor returns an Answerer that answers questions by id, and fails the test on any other
// question.
func answererFor(t *testing.T, answers map[string]string) jphost.Answerer {
	return func(_ context.Context, q jpdoc.Question) (json.RawMessage, error) {
		answer, ok := answers[q.ID]
		if !ok {
			t.Errorf("question %q was asked: %s", q.ID, q.Text)
			return nil, jphost.ErrCancelled
		}
		return json.RawMessage(answer), nil
	}
}

func questionIDs(r jphost.Reply) []string {
	ids := make([]string, len(r.Questions))
	for i, q := range r.Questions {
		ids[i] = q.ID
	}
	return ids
}

func TestThreeDependentQuestions(t *testing.T) {
	h := jp(t, jphost.Options{})
	reply, err := h.Call(t.Context(), "order", json.RawMessage(`{}`), answererFor(t, map[string]string{
		"which-flavor": `"lemon"`, "scoops": `"2"`, "pay": `true`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	if reply.Kind != jphost.OK || reply.Text != "2 scoops of lemon" || reply.Rounds != 4 || reply.Warn {
		t.Errorf("reply %+v", reply)
	}
	if want := []string{"which-flavor", "scoops", "pay"}; !slices.Equal(questionIDs(reply), want) {
		t.Errorf("asked %v, want %v", questionIDs(reply), want)
	}
	for i, want := range []jpdoc.Question{
		{Text: "Which flavor?", PreAmble: "vanilla: Vanilla ice cream.\nlemon: Lemon ice cream.", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Select, Options: []string{"vanilla", "lemon"}}},
		{Text: "How many scoops of lemon? (a number from 1 to 4)", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Text}},
		{Text: "Pay for 2 scoops of lemon?", PreAmble: "It is hot today.", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Boolean}},
	} {
		got := reply.Questions[i]
		if got.Text != want.Text || got.PreAmble != want.PreAmble || got.AnswerType.Kind != want.AnswerType.Kind || !slices.Equal(got.AnswerType.Options, want.AnswerType.Options) {
			t.Errorf("question %d is %+v, want %+v", i+1, got, want)
		}
	}
}

func TestConfiguredAnswersSkipTheirQuestions(t *testing.T) {
	// Today's JP looks up an answer when its question has been asked.
	for version, want := range map[jphost.Version][]string{jphost.Today: {"which-flavor", "scoops", "pay"}, jphost.Untagged: {"scoops"}} {
		h := jp(t, jphost.Options{Version: version, Answers: map[string]map[string]json.RawMessage{"order": {
			"which-flavor": json.RawMessage(`"vanilla"`), "pay": json.RawMessage(`true`),
		}}})
		reply, err := h.Call(t.Context(), "order", json.RawMessage(`{}`), answererFor(t, map[string]string{"scoops": `"1"`}))
		if err != nil {
			t.Fatal(err)
		}
		if reply.Text != "1 scoops of vanilla" || !slices.Equal(questionIDs(reply), want) {
			t.Errorf("version %d: asked %v, reply %+v", version, questionIDs(reply), reply)
		}
	}
}

// A question that the handler asks later can have a configured answer. If that answer is invalid and is sent with the
// first run, no question is asked. Otherwise, the call fails when JP has sent it.
func TestConfiguredAnswersThatDoNotFit(t *testing.T) {
	for id, answer := range map[string]string{"scoops": `"many"`, "pay": `"yes"`} {
		h := jp(t, jphost.Options{Version: jphost.Untagged, NoGrease: true, Answers: map[string]map[string]json.RawMessage{"order": {id: json.RawMessage(answer)}}})
		reply, err := h.Call(t.Context(), "order", json.RawMessage(`{}`), answererFor(t, nil))
		if err != nil {
			t.Fatal(err)
		}
		if reply.Outcome == nil || !strings.HasPrefix(reply.Outcome.Message, "invalid_answer: ") || !strings.Contains(reply.Outcome.Message, id) || len(questionIDs(reply)) > 0 {
			t.Errorf("%s: asked %v, reply %+v", id, questionIDs(reply), reply)
		}
	}
	h := jp(t, jphost.Options{Answers: map[string]map[string]json.RawMessage{"order": {"pay": json.RawMessage(`"yes"`)}}})
	reply, err := h.Call(t.Context(), "order", json.RawMessage(`{}`), answererFor(t, map[string]string{"which-flavor": `"lemon"`, "scoops": `"2"`}))
	if err != nil || reply.Outcome == nil || !strings.HasPrefix(reply.Outcome.Message, "invalid_answer: ") || !strings.Contains(reply.Outcome.Message, "pay") {
		t.Errorf("asked %v, reply %+v, %v", questionIDs(reply), reply, err)
	}
}

func TestUnusableAnswers(t *testing.T) {
	for id, answer := range map[string]string{"which-flavor": `"chocolate"`, "scoops": `5`, "pay": `"yes"`} {
		t.Run(id, func(t *testing.T) {
			h := jp(t, jphost.Options{})
			script := map[string]string{"which-flavor": `"lemon"`, "scoops": `"2"`, "pay": `true`}
			script[id] = answer
			reply, err := h.Call(t.Context(), "order", json.RawMessage(`{}`), answererFor(t, script))
			if err != nil {
				t.Fatal(err)
			}
			if reply.Outcome == nil || !strings.HasPrefix(reply.Outcome.Message, "invalid_answer: ") || !strings.Contains(reply.Outcome.Message, id) {
				t.Errorf("reply %+v", reply)
			}
			if n := len(slices.DeleteFunc(questionIDs(reply), func(s string) bool { return s != id })); n != 1 {
				t.Errorf("question %q was asked %d times", id, n)
			}
		})
	}
}

func TestRulesOfAsking(t *testing.T) {
	h := jp(t, jphost.Options{NoGrease: true})
	round := func(rule string) jphost.Reply {
		t.Helper()
		reply, err := h.Round(t.Context(), "break", json.RawMessage(fmt.Sprintf(`{"break":%q}`, rule)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	if r := round("swallow"); r.Kind != jphost.NeedsInput || r.Outcome.Question.ID != "first" {
		t.Errorf("a swallowed question: %+v", r)
	}
	if r := round("two"); r.Kind != jphost.Error || !strings.Contains(r.Outcome.Message, "another goroutine") {
		t.Errorf("two open questions: %+v", r)
	}
	if r := round("branch"); r.Kind != jphost.Error || !strings.Contains(r.Outcome.Message, "branch") {
		t.Errorf("a question in a branch: %+v", r)
	}
}

func TestFaultsAsOutcomes(t *testing.T) {
	h := jp(t, jphost.Options{})
	reply, err := h.Call(t.Context(), "fail", json.RawMessage(`{"how":"coded"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	o := reply.Outcome
	if o == nil || o.Message != "overheated: the kettle ran dry" || !o.Transient ||
		!slices.Equal(o.Trace, []string{"sensor 7: secret of the kettle", "secret of the kettle"}) {
		t.Errorf("outcome %+v", o)
	}
	if raw := string(reply.Raw); !strings.Contains(raw, `"isError":true`) || strings.Count(raw, `"type":"text"`) != 1 || strings.Contains(raw, "structuredContent") {
		t.Errorf("result %s", raw)
	}
	reply, err = h.Call(t.Context(), "fail", json.RawMessage(`{"how":"print"}`), nil)
	if err != nil || reply.Kind != jphost.OK || reply.Text != `{"value":1.5,"count":"9223372036854775807"}` {
		t.Errorf("a typed result: %+v, %v", reply, err)
	}
	if raw := string(reply.Raw); strings.Contains(raw, "isError") || strings.Contains(raw, "structuredContent") {
		t.Errorf("result %s", raw)
	}
	reply, err = h.Call(t.Context(), "no_such_tool", json.RawMessage(`{}`), nil)
	if err != nil || reply.Outcome == nil || !strings.HasPrefix(reply.Outcome.Message, "not_found: ") {
		t.Errorf("an unknown tool: %+v, %v", reply, err)
	}
}

func TestContextOfTheHost(t *testing.T) {
	o := jphost.Options{Root: "/work space", WorkspaceID: "w1", ConversationID: "c1"}
	reply, err := jp(t, o).Call(t.Context(), "place", json.RawMessage(`{}`), nil)
	if want := `{"root":"/work space","workspace":"w1","conversation":"c1","tags":[]}`; err != nil || reply.Text != want {
		t.Errorf("reply %+v, %v, want %s", reply, err, want)
	}
	// No call can use files outside --root.
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(dir, "work space")
	if err := os.Mkdir(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	o.Root = inside
	reply, err = jp(t, o, "--root", dir).Call(t.Context(), "place", json.RawMessage(`{}`), nil)
	if want := `{"root":"` + inside + `","workspace":"w1","conversation":"c1","tags":[]}`; err != nil || reply.Text != want {
		t.Errorf("reply %+v, %v, want %s", reply, err, want)
	}
	o.Root = dir
	reply, err = jp(t, o, "--root", inside).Call(t.Context(), "place", json.RawMessage(`{}`), nil)
	if err != nil || reply.Outcome == nil || !strings.HasPrefix(reply.Outcome.Message, "permission_denied: ") {
		t.Errorf("a root outside of --root: %+v, %v", reply, err)
	}
}

func TestOptionsOfTheHost(t *testing.T) {
	options := map[string]json.RawMessage{"echo": json.RawMessage(`{"prefix":"> ","limit":9007199254740993}`)}
	h := jp(t, jphost.Options{ToolOptions: options}, "--option", "echo.prefix=no", "--option", "echo.limit=1")
	reply, err := h.Call(t.Context(), "echo", json.RawMessage(`{"text":"a","times":3}`), nil)
	if err != nil || reply.Text != "> aaa" {
		t.Errorf("options of the call: %+v, %v", reply, err)
	}
	h = jp(t, jphost.Options{}, "--option", "echo.prefix=no", "--option", "echo.limit=1")
	if reply, err = h.Call(t.Context(), "echo", json.RawMessage(`{"text":"a"}`), nil); err != nil || reply.Text != "noa" {
		t.Errorf("options of the flags: %+v, %v", reply, err)
	}
}

// JP's keys in _meta are read in every mode, and each key is read independently.
func TestMetaOfEveryShape(t *testing.T) {
	p := start(t)
	for _, tc := range []struct{ meta, want string }{
		{`{"computer.jp/tool":"x"}`, "invalid_input"},
		{`{"computer.jp/tool":[]}`, "invalid_input"},
		{`{"computer.jp/tool":7}`, "invalid_input"},
		{`{"computer.jp/tool":{"options":[]}}`, "invalid_input"},
		{`{"computer.jp/tool":{"answers":true}}`, "invalid_input"},
		{`{"computer.jp/tool":{"options":{},"options":{}}}`, "invalid_input"},
		{`{"computer.jp/tool":{"options":{"prefix":7}}}`, "option"},
		{`{"computer.jp/context":"x"}`, "invalid_input"},
		{`{"computer.jp/context":{"root":7}}`, "invalid_input"},
		{`{"computer.jp/context":{"action":"destroy"}}`, "destroy"},
		{`{"computer.jp/context":{"action":"format_arguments"}}`, "invalid_input"},
		{`{"computer.jp/tool":null,"computer.jp/context":null}`, "ok"},
		{`{"computer.jp/tool":{},"computer.jp/context":{}}`, "ok"},
		{`{"computer.jp/tool":{"name":"other","arguments":{"text":"forged"},"answers":null,"options":null,"new":1}}`, "ok"},
		{`{"computer.jp/context":{"action":"Run","root":null,"access":null}}`, "ok"},
		{`{"computer.jp/context":{"action":"run","new":{"a":[1]}}}`, "ok"},
		{`{"computer.jp/unheard-of":7,"progressToken":0}`, "ok"},
		{`{"computer.jp/tool":{"options":{"prefix":""}}}`, "ok"},
	} {
		r := p.callWith("echo", `{"text":"ok"}`, tc.meta)
		if !strings.Contains(r.text(), tc.want) || r.IsError != (tc.want != "ok") {
			t.Errorf("_meta %s: %+v, want %q", tc.meta, r, tc.want)
		}
	}
}

func TestAnswersWithoutTheFlag(t *testing.T) {
	p := start(t)
	meta := `{"computer.jp/tool":{"answers":{"which-flavor":"lemon","scoops":"2","pay":true}}}`
	if r := p.callWith("order", `{}`, meta); r.IsError || r.text() != "2 scoops of lemon" {
		t.Errorf("result %+v", r)
	}
	r := p.callWith("order", `{}`, `{"computer.jp/tool":{"answers":{"which-flavor":"lemon"}}}`)
	if said := r.Meta["computer.jp/error"]; said.Code != "input_unavailable" || !strings.Contains(r.text(), "Tell the user: ") {
		t.Errorf("result %+v", r)
	}
	if r := p.call("break", `{"break":"acknowledged"}`); r.IsError {
		t.Errorf("a handler may do without an answer that cannot be had: %+v", r)
	}
}

// hosts maps versions of JP's protocol to the versions of JP that use them.
var hosts = map[string]jphost.Version{wire.VersionOutcome: jphost.Today, wire.VersionOutcomeUntagged: jphost.Untagged}

// runOutcome runs a scenario with a JP host that reads Outcomes of a version.
func runOutcome(t *testing.T, version string, s scenario) ending {
	h, err := jphost.Start(t.Context(), command(t, append(s.args, "--jp="+version)...), jphost.Options{Version: hosts[version]})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	return byOutcome(t, s, func(answer jphost.Answerer) (jphost.Reply, error) {
		return h.Call(t.Context(), s.tool, json.RawMessage(s.arguments), answer)
	})
}

// runLocal runs a scenario with a JP host that uses the tool as a local tool.
func runLocal(t *testing.T, version string, s scenario) ending {
	return byOutcome(t, s, func(answer jphost.Answerer) (jphost.Reply, error) {
		return localTool(t, s.tool, jphost.Options{Version: hosts[version]}, append(s.args, "--jp="+version)...).Call(t.Context(), json.RawMessage(s.arguments), answer)
	})
}

func byOutcome(t *testing.T, s scenario, call func(jphost.Answerer) (jphost.Reply, error)) ending {
	asked := 0
	reply, err := call(func(_ context.Context, q jpdoc.Question) (json.RawMessage, error) {
		text, _, _ := strings.Cut(q.Text, " (")
		s.next(t, asked, q.ID, text)
		asked++
		return s.answer(asked - 1), nil
	})
	if err != nil || reply.Outcome == nil {
		t.Fatalf("reply %+v, %v", reply, err)
	}
	e := ending{text: reply.Outcome.Content, asked: asked}
	if reply.Kind == jphost.Error {
		e.code, _, _ = strings.Cut(reply.Outcome.Message, ": ")
	}
	return e
}

// runBlocks runs a scenario with a host that reads typed content blocks.
func runBlocks(t *testing.T, s scenario) ending {
	p := start(t, append(s.args, "--jp=blocks")...)
	answers := map[string]json.RawMessage{}
	for asked := 0; ; asked++ {
		meta, err := json.Marshal(map[string]any{wire.MetaTool: map[string]any{"answers": answers}})
		if err != nil {
			t.Fatal(err)
		}
		r := p.callWith(s.tool, s.arguments, string(meta))
		d, problems := jpdoc.ReadBlocks([]byte(r.text()))
		if len(problems) > 0 || len(r.Content) != 1 || d.IsError != r.IsError || len(d.Content) == 0 {
			t.Fatalf("the document %s has %v", r.text(), problems)
		}
		last := d.Content[len(d.Content)-1]
		switch {
		case d.IsError:
			code := "internal" // the code of an error without a code
			if d.Error != nil && d.Error.Code != "" {
				code = d.Error.Code
			}
			return ending{code: code, asked: asked}
		case last.Question == nil:
			return ending{text: last.Text(), asked: asked}
		case d.Status != jpdoc.StatusWaiting:
			t.Errorf("the status of a question is %q", d.Status)
		}
		s.next(t, asked, last.Question.ID, last.Question.Text)
		answers[last.Question.ID] = s.answer(asked)
	}
}
