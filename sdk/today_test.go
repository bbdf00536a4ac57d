package sdk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/kinds"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// metaOfToday is the _meta of every call of today's JP, without braces.
const metaOfToday = `"computer.jp/tool":{"name":"t","arguments":{},"answers":{},"options":{}},` +
	`"computer.jp/context":{"action":"run","root":"","access":null,"workspace_id":"w","conversation_id":"c"}`

// Without --jp, a server is an MCP server, even if a request comes from JP.
func TestPlainWithoutTheFlag(t *testing.T) {
	for name, call := range map[string]callWithMeta{
		"stdio":           callsOverPipes(start(t)),
		"HTTP":            callsOverHTTP(t, serve(t, nil)),
		"HTTP, a JP host": callsOverHTTP(t, serve(t, nil, "--http-trust-caller")),
	} {
		for _, tc := range []struct{ tool, arguments, code string }{
			{"echo", `{"text":"{\"type\":\"success\",\"content\":\"a\"}"}`, ""},
			{"names", `{}`, ""},
			{"order", `{}`, "input_unavailable"},
			{"fail", `{"how":"coded"}`, "overheated"},
		} {
			plain, got := call(tc.tool, tc.arguments, `"x":1`), call(tc.tool, tc.arguments, metaOfToday)
			if got.raw != plain.raw || got.Result.IsError != (tc.code != "") || got.Result.Meta[wire.MetaError].Code != tc.code {
				t.Errorf("%s: %s returned %s, and to another client %s", name, tc.tool, got.raw, plain.raw)
			}
			if n := len(got.Result.Content); n == 1 && wire.LooksLikeOutcome(got.Result.text()) {
				t.Errorf("%s: %s returned an Outcome: %s", name, tc.tool, got.raw)
			}
		}
	}
	meta := strings.TrimSuffix(modernMeta, "}") + "," + metaOfToday + "}"
	if r, line := launch(t).round("order", `{}`, meta, "", ""); r.Type != "input_required" || len(r.InputRequests) != 1 {
		t.Errorf("a client that can be asked gets %s", line.raw)
	}
}

// oneRun runs a tool in a server for JP and returns the text for the host.
type oneRun func(t *testing.T, s *sdk.Server, tool, arguments string, answers map[string]json.RawMessage) string

// commandLine runs a tool as a local tool.
func commandLine(flags ...string) oneRun {
	return func(t *testing.T, s *sdk.Server, tool, arguments string, answers map[string]json.RawMessage) string {
		t.Helper()
		document, err := jpdoc.AppendTool(nil, wire.Tool{Name: tool, Arguments: json.RawMessage(arguments), Answers: answers})
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		s.Run(t.Context(), append(flags, "call", tool, string(document)),
			&sdk.Streams{In: io.NopCloser(strings.NewReader("")), Out: writeCloser{&out}, Err: &errs})
		return strings.TrimSuffix(out.String(), "\n")
	}
}

// byRequests runs a tool over MCP in a version of JP's protocol.
func byRequests(version string, log io.Writer) oneRun {
	return func(t *testing.T, s *sdk.Server, tool, arguments string, answers map[string]json.RawMessage) string {
		t.Helper()
		ours, theirs := net.Pipe()
		served := make(chan error, 1)
		o := sdk.Options{JP: version, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
		go func() { served <- s.Serve(t.Context(), theirs, o) }()
		h, err := jphost.Connect(t.Context(), ours, jphost.Options{})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := h.Round(t.Context(), tool, json.RawMessage(arguments), answers)
		if err != nil {
			t.Fatal(err)
		}
		h.Close()
		<-served
		var result struct{ Content []struct{ Text string } }
		if err := json.Unmarshal(reply.Raw, &result); err != nil || len(result.Content) != 1 {
			t.Fatalf("%s: %v", reply.Raw, err)
		}
		return result.Content[0].Text
	}
}

// everyQuestion runs a tool until it asks no more questions, and calls check with the text of each run.
func everyQuestion(
	t *testing.T, server func() *sdk.Server, tool, arguments string, run oneRun, codec jpdoc.Codec,
	check func(text string, o jpdoc.Outcome),
) {
	t.Helper()
	answers := map[string]json.RawMessage{}
	for range 50 {
		text := run(t, server(), tool, arguments, answers)
		o, err := codec.ReadOutcome([]byte(text))
		if err != nil {
			t.Fatalf("%s: JP cannot read %s: %v", tool, text, err)
		}
		check(text, o)
		if o.Question == nil {
			return
		}
		answer := any("2 a@b.c")
		switch kind := o.Question.AnswerType.Kind; {
		case kind == jpdoc.Boolean:
			answer = true
		case kind == jpdoc.Select:
			answer = o.Question.AnswerType.Options[0]
		}
		answers[o.Question.ID], _ = json.Marshal(answer) // strings and booleans can always be encoded
	}
	t.Fatalf("%s asks too many questions", tool)
}

var asking = []struct{ tool, arguments string }{
	{"order", `{}`}, {"stage", `{"hunks":["a","b.c","","d-e"," . "]}`}, {"draft", `{"topic":"tea"}`}, {"erase", `{"path":"a.txt"}`},
	{"register", `{}`}, {"fragile", `{}`}, {"break", `{"break":"again"}`}, {"fail", `{"how":"coded"}`}, {"echo", `{"text":"a\u0000<é>"}`},
}

var askingKinds = []struct{ tool, arguments string }{
	{"unlock", `{}`}, {"season", `{}`}, {"invite", `{"guests":["a.b","","..","x/y.z"]}`}, {"seat", `{"guests":["ada","b.c",""]}`},
	{"connect", `{"url":"https://example.com/"}`},
}

// Today's JP reads every Outcome, and JP's own code would write the same bytes. No question has an empty id or an id
// with a dot. The former name of the version selects the same.
func TestOutcomesAreThoseOfToday(t *testing.T) {
	asked := map[jpdoc.AnswerKind]int{}
	for name, runs := range map[string]struct {
		run   oneRun
		codec jpdoc.Codec
	}{
		"--jp":                  {byRequests(wire.VersionOutcome, io.Discard), jpdoc.Tagged()},
		"--jp=outcome-082":      {byRequests("outcome-082", io.Discard), jpdoc.Tagged()},
		"--jp=outcome-untagged": {byRequests(wire.VersionOutcomeUntagged, io.Discard), jpdoc.Untagged()},
		"call":                  {commandLine(), jpdoc.Tagged()},
		"call, 082":             {commandLine("--jp=outcome-082"), jpdoc.Tagged()},
		"call, untagged":        {commandLine("--jp=outcome-untagged"), jpdoc.Untagged()},
	} {
		check := func(text string, o jpdoc.Outcome) {
			if again, err := runs.codec.AppendOutcome(nil, o); err != nil || string(again) != text {
				t.Errorf("%s: sent %s, JP writes %s (%v)", name, text, again, err)
			}
			if q := o.Question; q != nil {
				asked[q.AnswerType.Kind]++
				if q.ID == "" || strings.Contains(q.ID, ".") {
					t.Errorf("%s: the id of a question is %q", name, q.ID)
				}
			}
		}
		for _, tc := range asking {
			everyQuestion(t, func() *sdk.Server { return fixture.NewServer(&fixture.Fixture{}) }, tc.tool, tc.arguments, runs.run, runs.codec, check)
		}
		for _, tc := range askingKinds {
			everyQuestion(t, func() *sdk.Server { return kinds.NewServer(&kinds.Kinds{}) }, tc.tool, tc.arguments, runs.run, runs.codec, check)
		}
	}
	for _, kind := range []jpdoc.AnswerKind{jpdoc.Boolean, jpdoc.Select, jpdoc.Text, jpdoc.Secret} {
		if asked[kind] == 0 {
			t.Errorf("no question has the kind %s", kind)
		}
	}
}

// The question for a secret is sent only if the answer stays hidden, and the secret is in no log and no text.
func TestSecretsOfTools(t *testing.T) {
	const canary = "open sesame"
	given := map[string]json.RawMessage{"passphrase": json.RawMessage(`"` + canary + `"`), "sure": json.RawMessage("true")}
	broken := map[string]json.RawMessage{"passphrase": json.RawMessage(`["` + canary + `"]`)}
	for _, tc := range []struct {
		name                string
		run                 func(log io.Writer) oneRun
		asks, takes, checks string
	}{
		{"--jp", func(log io.Writer) oneRun { return byRequests(wire.VersionOutcome, log) },
			`"answer_type":{"type":"secret"}`, "It is open.", "invalid_answer: "},
		{"--jp over HTTP", overHTTPForJP, `"answer_type":{"type":"secret"}`, "It is open.", "invalid_answer: "},
		{"--jp=outcome-untagged", func(log io.Writer) oneRun { return byRequests(wire.VersionOutcomeUntagged, log) },
			"input_unavailable: ", "It is open.", "invalid_answer: "},
		{"--jp=blocks", func(log io.Writer) oneRun { return byRequests(wire.VersionBlocks, log) },
			"input_unavailable: ", "It is open.", "invalid_answer: "},
		{"call", func(io.Writer) oneRun { return commandLine("--log-level", "debug") },
			"input_unavailable: ", "input_unavailable: ", "input_unavailable: "},
		{"call, untagged", func(io.Writer) oneRun { return commandLine("--jp=outcome-untagged") },
			"input_unavailable: ", "input_unavailable: ", "input_unavailable: "},
		{"call, blocks", func(io.Writer) oneRun { return commandLine("--jp=blocks") },
			"input_unavailable: ", "input_unavailable: ", "input_unavailable: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var log bytes.Buffer
			run := tc.run(&log)
			for _, c := range []struct {
				answers map[string]json.RawMessage
				want    string
			}{{nil, tc.asks}, {given, tc.takes}, {broken, tc.checks}} {
				text := run(t, kinds.NewServer(&kinds.Kinds{}), "unlock", `{}`, c.answers)
				if !strings.Contains(text, c.want) || strings.Contains(text, "questions.passphrase") {
					t.Errorf("with %d answers: %s, want %s", len(c.answers), text, c.want)
				}
				log.WriteString(text)
			}
			if strings.Contains(log.String(), canary) {
				t.Errorf("the secret is in %s", log.String())
			}
		})
	}
}

// overHTTPForJP runs a tool over HTTP, for a trusted JP host.
func overHTTPForJP(log io.Writer) oneRun {
	return func(t *testing.T, s *sdk.Server, tool, arguments string, answers map[string]json.RawMessage) string {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		o := sdk.Options{JP: wire.VersionOutcome, TrustHTTP: true, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
		handler, err := s.Handler(ctx, o, sdk.HTTPOptions{})
		if err != nil {
			t.Fatal(err)
		}
		meta, err := (jphost.Options{}).Meta(tool, json.RawMessage(arguments), answers)
		if err != nil {
			t.Fatal(err)
		}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"computer.jp/tool":%s,"computer.jp/context":%s}}}`,
			tool, arguments, meta[wire.MetaTool], meta[wire.MetaContext])
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/", strings.NewReader(body))
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		var response struct {
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &response); err != nil || len(response.Result.Content) != 1 {
			t.Fatalf("%s: %v", w.Body, err)
		}
		return response.Result.Content[0].Text
	}
}
