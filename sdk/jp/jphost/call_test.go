package jphost_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func question(id string) jpdoc.Question {
	return jpdoc.Question{ID: id, Text: id + "?", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Boolean}}
}

func outcome(r request, o jpdoc.Outcome) []string { return outcomeIn(jphost.Today, r, o) }

func outcomeIn(version jphost.Version, r request, o jpdoc.Outcome) []string {
	envelope, err := version.Codec().AppendOutcome(nil, o)
	if err != nil {
		panic(err)
	}
	return []string{text(r, string(envelope))}
}

// askInOrder asks the questions with these ids in order until all are answered, then returns the answers.
func askInOrder(ids ...string) server { return askInOrderFor(jphost.Today, ids...) }

func askInOrderFor(version jphost.Version, ids ...string) server {
	return func(r request) []string {
		if r.Method != "tools/call" {
			return nil
		}
		tool, err := wire.ReadTool(r.Params.Meta[wire.MetaTool])
		if err != nil {
			return outcome(r, jpdoc.Failure(err.Error(), nil, false))
		}
		var got []string
		for _, id := range ids {
			answer, ok := tool.Answers[id]
			if !ok {
				return outcomeIn(version, r, jpdoc.NeedsInput(question(id)))
			}
			got = append(got, id+"="+string(answer))
		}
		return outcome(r, jpdoc.Success(strings.Join(got, " ")))
	}
}

func newAnswerer(all map[string]string) jphost.Answerer {
	return func(_ context.Context, q jpdoc.Question) (json.RawMessage, error) {
		if answer, ok := all[q.ID]; ok {
			return json.RawMessage(answer), nil
		}
		return nil, nil
	}
}

func TestCallAsksOneQuestionARound(t *testing.T) {
	s := connect(t, jphost.Options{}, askInOrder("confirm", "pick", "name"))
	got, err := s.Call(deadline(t), "note", nil, newAnswerer(map[string]string{"confirm": "true", "pick": `"b"`}))
	if err != nil || got.Kind != jphost.OK || got.Text != `confirm=true pick="b" name=null` {
		t.Fatalf("%+v, %v", got, err)
	}
	if got.Rounds != 4 || len(got.Questions) != 3 || got.Questions[2].ID != "name" {
		t.Errorf("%d rounds, asked %v", got.Rounds, got.Questions)
	}
}

func TestCallSendsWhatIsConfigured(t *testing.T) {
	o := jphost.Options{Answers: map[string]map[string]json.RawMessage{
		"note":  {"pick": json.RawMessage(`"c"`), "never asked": json.RawMessage("1")},
		"other": {"confirm": json.RawMessage("false")},
	}}
	for version, want := range map[jphost.Version]struct {
		rounds int
		first  bool
	}{
		jphost.Today:    {3, false}, // a configured answer is sent when its question has been asked
		jphost.Untagged: {2, true},
	} {
		o.Version = version
		s := connect(t, o, askInOrderFor(version, "confirm", "pick"))
		got, err := s.Call(deadline(t), "note", nil, newAnswerer(map[string]string{"confirm": "true"}))
		if err != nil || got.Text != `confirm=true pick="c"` || got.Rounds != want.rounds {
			t.Errorf("%+v, %v", got, err)
		}
		lines := callLines(s.receivedLines())
		for i, answer := range []string{`"never asked":1`, `"pick":"c"`} {
			if sent := strings.Contains(lines[0], answer); sent != want.first {
				t.Errorf("version %d: answer %d is in the first round: %v: %s", version, i, sent, lines[0])
			}
		}
		if version == jphost.Today && strings.Contains(strings.Join(lines, ""), "never asked") {
			t.Errorf("an answer without a question was sent: %s", lines)
		}
	}
}

// Today's host sends the tool and the context with the first call, too, even if nothing is configured.
func TestCallAlwaysSendsMeta(t *testing.T) {
	s := connect(t, jphost.Options{Root: "/ws", NoGrease: true}, askInOrder())
	if got, err := s.Call(deadline(t), "t", json.RawMessage(`{"a":1}`), nil); err != nil || got.Kind != jphost.OK {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, want := range []string{
		`"computer.jp/tool":{"name":"t","arguments":{"a":1},"answers":{},"options":{}}`,
		`"action":"run"`, `"root":"/ws"`, `"access":null`, `"workspace_id":""`, `"conversation_id":""`,
	} {
		if line := callLines(s.receivedLines())[0]; !strings.Contains(line, want) {
			t.Errorf("%s is missing in %s", want, line)
		}
	}
}

func TestCallOverwritesAnAnswer(t *testing.T) {
	round := 0
	s := connect(t, jphost.Options{}, func(r request) []string {
		if r.Method != "tools/call" {
			return nil
		}
		if round++; round < 3 {
			return outcome(r, jpdoc.NeedsInput(question("again")))
		}
		tool, _ := wire.ReadTool(r.Params.Meta[wire.MetaTool])
		return outcome(r, jpdoc.Success(string(tool.Answers["again"])))
	})
	asked := 0
	got, err := s.Call(deadline(t), "t", nil, func(context.Context, jpdoc.Question) (json.RawMessage, error) {
		asked++
		return fmt.Appendf(nil, "%d", asked), nil
	})
	if err != nil || got.Text != "2" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCallEnds(t *testing.T) {
	broken := errors.New("no model")
	fail := func(err error) jphost.Answerer {
		return func(context.Context, jpdoc.Question) (json.RawMessage, error) { return nil, err }
	}
	configured := jphost.Options{Answers: map[string]map[string]json.RawMessage{"t": {"q": []byte("true")}}}
	always := func(r request) []string {
		if r.Method != "tools/call" {
			return nil
		}
		return outcome(r, jpdoc.NeedsInput(question("q")))
	}
	silent := func(request) []string { return []string{hangUp} }
	const endless = "the server sent too much data: it asked questions 100 times in one call"
	tests := []struct {
		name   string
		opts   jphost.Options
		server server
		answer jphost.Answerer
		kind   jphost.ReplyKind
		rule   string
		text   string
		err    error
		rounds int
	}{
		{"cancelled", jphost.Options{}, always, fail(jphost.ErrCancelled), jphost.OK, jphost.RuleCancelled, jphost.TextCancelled, nil, 1},
		{"no user to ask", jphost.Options{}, always, nil, jphost.OK, jphost.RuleCancelled, jphost.TextCancelled, nil, 1},
		{"asking fails", jphost.Options{}, always, fail(broken), jphost.Error, jphost.RuleInquiry, `tool "t" asked "q?": no model`, broken, 1},
		{"bound", jphost.Options{}, always, newAnswerer(nil), jphost.Error, jphost.RuleInquiry, endless, peer.ErrTooMuch, peer.MaxRounds},
		{"bound on configured answers", configured, always, fail(broken), jphost.Error, jphost.RuleInquiry, endless, peer.ErrTooMuch, peer.MaxRounds},
		{"server hangs up", jphost.Options{}, silent, nil, jphost.Error, jphost.RuleClosed, jphost.TextInfra, jphost.ErrClosed, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := connect(t, test.opts, func(r request) []string {
				if r.Method != "tools/call" {
					return nil
				}
				return test.server(r)
			})
			got, err := s.Call(deadline(t), "t", nil, test.answer)
			if !errors.Is(err, test.err) || got.Kind != test.kind || got.Rule != test.rule || got.Text != test.text {
				t.Errorf("%+v, %v", got, err)
			}
			if got.Rounds != test.rounds {
				t.Errorf("%d rounds, want %d", got.Rounds, test.rounds)
			}
		})
	}
}

func TestSnapshotAsksNothing(t *testing.T) {
	s := connect(t, jphost.Options{Version: jphost.Snapshot}, askInOrder("confirm"))
	got, err := s.Call(deadline(t), "t", json.RawMessage(`{"a":1}`), nil)
	if err != nil || got.Rule != jphost.RuleNative || !strings.HasPrefix(got.Text, `{"type":"needs_input"`) {
		t.Errorf("%+v, %v", got, err)
	}
	if line := callLines(s.receivedLines())[0]; strings.Contains(line, wire.MetaTool) || strings.Contains(line, wire.MetaContext) {
		t.Errorf("a snapshot host sent %s", line)
	}
}

// TestTranscript repeats a session that was recorded with rmcp, byte for byte.
func TestTranscript(t *testing.T) {
	want, err := os.ReadFile("testdata/host_wire_to_server_example.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	ask := askInOrderFor(jphost.Untagged, "confirm", "pick")
	s := connect(t, jphost.Options{Version: jphost.Untagged, Root: "/path/to/workspace", NoGrease: true}, func(r request) []string {
		if r.Method == "tools/list" {
			return []string{result(r, `{"tools":[]}`)}
		}
		return ask(r)
	})
	if _, err := s.Tools(deadline(t)); err != nil {
		t.Fatal(err)
	}
	all := newAnswerer(map[string]string{"confirm": "true", "pick": `"b"`})
	if got, err := s.Call(deadline(t), "ask", json.RawMessage(`{"x":"1"}`), all); err != nil || got.Kind != jphost.OK {
		t.Fatalf("%+v, %v", got, err)
	}
	if got := strings.Join(s.receivedLines(), "\n"); got != strings.TrimRight(string(want), "\n") {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
}

// TestGrease checks that the host sends additional data that tools must ignore, and that this can
// be disabled.
func TestGrease(t *testing.T) {
	for _, off := range []bool{false, true} {
		o := jphost.Options{NoGrease: off, Root: "/ws"}
		s := connect(t, o, askInOrder())
		if got, err := s.Call(deadline(t), "t", nil, nil); err != nil || got.Kind != jphost.OK {
			t.Fatalf("%+v, %v", got, err)
		}
		var r request
		if err := json.Unmarshal([]byte(callLines(s.receivedLines())[0]), &r); err != nil {
			t.Fatal(err)
		}
		tool, err := wire.ReadTool(r.Params.Meta[wire.MetaTool])
		if err != nil {
			t.Fatal(err)
		}
		if c, err := wire.ReadContext(r.Params.Meta[wire.MetaContext]); err != nil || c.Root != "/ws" {
			t.Errorf("context %+v, %v", c, err)
		}
		context := string(r.Params.Meta[wire.MetaContext])
		greased := []bool{len(r.Params.Meta) > 3, len(tool.Answers) > 0, strings.Contains(context, "grease")}
		for i, got := range greased {
			if got == off {
				t.Errorf("place %d is greased: %v, switched off: %v", i, got, off)
			}
		}
	}
}
