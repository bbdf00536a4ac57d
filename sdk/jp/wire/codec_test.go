package wire_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/jp/wire"
)

func codecs() map[string]wire.Codec {
	return map[string]wire.Codec{wire.VersionOutcome: wire.Snapshot(), wire.VersionOutcome082: wire.RFD082()}
}

func TestAppendOutcomeRefuses(t *testing.T) {
	ask := func(q wire.Question) wire.Outcome { return wire.NeedsInput(q) }
	yesNo := wire.AnswerType{Kind: wire.Boolean}
	deep := json.RawMessage(strings.Repeat("[", 126) + strings.Repeat("]", 126))
	tests := []struct {
		name    string
		outcome wire.Outcome
		version string // "" means both
		want    string
	}{
		{"no type", wire.Outcome{}, "", `type: expected "success", "error" or "needs_input", got ""`},
		{"other type", wire.Outcome{Type: "partial"}, "", `type: expected "success", "error" or "needs_input", got "partial"`},
		{"no question", wire.Outcome{Type: wire.TypeNeedsInput}, "", "question: missing"},
		{"no kind", ask(wire.Question{ID: "q"}), "", "question.answer_type: expected"},
		{"secret today", ask(wire.Question{ID: "q", AnswerType: wire.AnswerType{Kind: wire.Secret}}),
			wire.VersionOutcome, `question.answer_type: expected "Boolean", "Select" or "Text", got "secret"`},
		{"empty id", ask(wire.Question{AnswerType: yesNo}), wire.VersionOutcome082, `question.id: expected an id that is not empty and has no dot, got ""`},
		{"dotted id", ask(wire.Question{ID: "a.b", AnswerType: yesNo}), wire.VersionOutcome082, `question.id: expected an id that is not empty and has no dot, got "a.b"`},
		{"default is not JSON", ask(wire.Question{ID: "q", AnswerType: yesNo, Default: json.RawMessage(`{`)}),
			"", "question.default: unexpected end of the document"},
		{"default is empty", ask(wire.Question{ID: "q", AnswerType: yesNo, Default: json.RawMessage{}}),
			"", "question.default: unexpected end of the document"},
		{"default is two", ask(wire.Question{ID: "q", AnswerType: yesNo, Default: json.RawMessage(`1 2`)}),
			"", "question.default: unexpected text after the document"},
		{"default too large", ask(wire.Question{ID: "q", AnswerType: yesNo, Default: json.RawMessage(`1e400`)}),
			"", "question.default: expected a number below 1.8e308"},
		{"default too deep", ask(wire.Question{ID: "q", AnswerType: yesNo, Default: deep}),
			"", "question.default: expected at most 125 nested containers"},
	}
	for _, test := range tests {
		for version, codec := range codecs() {
			if test.version != "" && test.version != version {
				continue
			}
			t.Run(test.name+"/"+version, func(t *testing.T) {
				out, err := codec.AppendOutcome([]byte("before"), test.outcome)
				if err == nil || !strings.HasPrefix(err.Error(), test.want) {
					t.Errorf("err = %v, want %s", err, test.want)
				}
				if string(out) != "before" {
					t.Errorf("dst came back as %q", out)
				}
			})
		}
	}
}

// TestEmittedIsAccepted combines every constructor with every answer type, default and preamble.
func TestEmittedIsAccepted(t *testing.T) {
	outcomes := []wire.Outcome{
		wire.Success(""), wire.Success("<a> & \u2028 \x00"), wire.Success("broken \xff utf-8"),
		wire.Failure("", nil, false), wire.Failure("m", []string{"a", ""}, true),
	}
	kinds := []wire.AnswerType{
		{Kind: wire.Boolean}, {Kind: wire.Text}, {Kind: wire.Secret},
		{Kind: wire.Select}, {Kind: wire.Select, Options: []string{"a", "b"}},
	}
	defaults := []json.RawMessage{nil, []byte("null"), []byte("true"), []byte(` {"a" : [1] }`), []byte(`"ü"`)}
	for _, kind := range kinds {
		for _, def := range defaults {
			for _, pre := range []string{"", "two\nlines"} {
				outcomes = append(outcomes, wire.NeedsInput(wire.Question{
					ID: "q", Text: "Sure?", PreAmble: pre, AnswerType: kind, Default: def,
				}))
			}
		}
	}
	for version, codec := range codecs() {
		for _, o := range outcomes {
			if version == wire.VersionOutcome && o.Question != nil && o.Question.AnswerType.Kind == wire.Secret {
				continue
			}
			text, err := codec.AppendOutcome(nil, o)
			if err != nil {
				t.Fatalf("%s: %+v: %v", version, o, err)
			}
			back, err := codec.ReadOutcome(text)
			if err != nil {
				t.Errorf("%s refuses its own %s: %v", version, text, err)
			}
			again, err := codec.AppendOutcome(nil, back)
			if err != nil || string(again) != string(text) {
				t.Errorf("%s wrote %s, then %s (%v)", version, text, again, err)
			}
			if !wire.LooksLikeOutcome(string(text)) {
				t.Errorf("not taken for an outcome: %s", text)
			}
		}
	}
}

// TestConstructorsMatchJP compares the constructors with the output of JP's constructors.
func TestConstructorsMatchJP(t *testing.T) {
	golden := map[string]string{}
	for _, row := range vectors(t, "outcome.jsonl") {
		golden[row.Name] = row.JSON
	}
	options := []string{"main", "dev"}
	tests := map[string]wire.Outcome{
		"golden/success/ascii":                         wire.Success("hello"),
		"golden/success/html":                          wire.Success(`<script>&amp;"'</script>`),
		"golden/error/empty-trace/transient-true":      wire.Failure("boom", nil, true),
		"golden/error/ctor-error-is-transient":         wire.Failure("top", []string{"mid", "root cause"}, true),
		"golden/error/ctor-no-source":                  wire.Failure("alone", nil, false),
		"golden/needs_input/text/minimal":              wire.NeedsInput(wire.Question{ID: "q", Text: "Name?", AnswerType: wire.AnswerType{Kind: wire.Text}}),
		"golden/needs_input/boolean/minimal":           wire.NeedsInput(wire.Question{ID: "confirm-fetch", Text: "Proceed?", AnswerType: wire.AnswerType{Kind: wire.Boolean}}),
		"golden/needs_input/select/no-options":         wire.NeedsInput(wire.Question{ID: "pick", Text: "Pick one", AnswerType: wire.AnswerType{Kind: wire.Select}}),
		"golden/needs_input/select/default-string":     wire.NeedsInput(wire.Question{ID: "q", Text: "t", AnswerType: wire.AnswerType{Kind: wire.Select, Options: options}, Default: []byte(`"main"`)}),
		"golden/needs_input/boolean/default-float-exp": wire.NeedsInput(wire.Question{ID: "q", Text: "t", AnswerType: wire.AnswerType{Kind: wire.Boolean}, Default: []byte(`1000e18`)}),
	}
	for name, outcome := range tests {
		got, err := wire.Snapshot().AppendOutcome(nil, outcome)
		if err != nil || string(got) != golden[name] {
			t.Errorf("%s: wrote %s (%v), JP wrote %s", name, got, err, golden[name])
		}
	}
}

func FuzzOutcome(f *testing.F) {
	f.Add(`{"type":"success","content":"hi"}`)
	f.Add(`["needs_input",["q","t",null,"Text",{"b":1,"a":-0,"b":1e21}]]`)
	f.Add(`{"type":"needs_input","question":{"id":"q","text":"t","answer_type":{"type":"secret"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		for version, codec := range codecs() {
			o, err := codec.ReadOutcome([]byte(text))
			if err != nil {
				continue
			}
			written, err := codec.AppendOutcome(nil, o)
			if err != nil {
				t.Fatalf("%s: %v", version, err)
			}
			back, err := codec.ReadOutcome(written)
			again, _ := codec.AppendOutcome(nil, back)
			if err != nil || !slices.Equal(written, again) {
				t.Fatalf("%s: %s then %s (%v)", version, written, again, err)
			}
		}
	})
}
