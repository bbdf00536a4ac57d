package jpdoc_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jpdoc/vectortest"
	"github.com/jptool/jptool/sdk/jp/wire"
)

func codecs() map[string]jpdoc.Codec {
	return map[string]jpdoc.Codec{wire.VersionOutcomeUntagged: jpdoc.Untagged(), wire.VersionOutcome: jpdoc.Tagged()}
}

func TestAppendOutcomeRefuses(t *testing.T) {
	ask := func(q jpdoc.Question) jpdoc.Outcome { return jpdoc.NeedsInput(q) }
	yesNo := jpdoc.AnswerType{Kind: jpdoc.Boolean}
	deep := json.RawMessage(strings.Repeat("[", 126) + strings.Repeat("]", 126))
	tests := []struct {
		name    string
		outcome jpdoc.Outcome
		version string // "" means both
		want    string
	}{
		{"no type", jpdoc.Outcome{}, "", `type: expected "success", "error" or "needs_input", got ""`},
		{"other type", jpdoc.Outcome{Type: "partial"}, "", `type: expected "success", "error" or "needs_input", got "partial"`},
		{"no question", jpdoc.Outcome{Type: jpdoc.TypeNeedsInput}, "", "question: missing"},
		{"no kind", ask(jpdoc.Question{ID: "q"}), "", "question.answer_type: expected"},
		{"untagged secret", ask(jpdoc.Question{ID: "q", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Secret}}),
			wire.VersionOutcomeUntagged, `question.answer_type: expected "Boolean", "Select" or "Text", got "secret"`},
		{"empty id", ask(jpdoc.Question{AnswerType: yesNo}), wire.VersionOutcome, `question.id: expected a non-empty id without a dot, got ""`},
		{"dotted id", ask(jpdoc.Question{ID: "a.b", AnswerType: yesNo}), wire.VersionOutcome, `question.id: expected a non-empty id without a dot, got "a.b"`},
		{"default is not JSON", ask(jpdoc.Question{ID: "q", AnswerType: yesNo, Default: json.RawMessage(`{`)}),
			"", "question.default: unexpected end of the document"},
		{"default is empty", ask(jpdoc.Question{ID: "q", AnswerType: yesNo, Default: json.RawMessage{}}),
			"", "question.default: unexpected end of the document"},
		{"default is two", ask(jpdoc.Question{ID: "q", AnswerType: yesNo, Default: json.RawMessage(`1 2`)}),
			"", "question.default: unexpected text after the document"},
		{"default too large", ask(jpdoc.Question{ID: "q", AnswerType: yesNo, Default: json.RawMessage(`1e400`)}),
			"", "question.default: expected a number below 1.8e308"},
		{"default too deep", ask(jpdoc.Question{ID: "q", AnswerType: yesNo, Default: deep}),
			"", "question.default: expected at most 125 levels of nesting"},
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
	outcomes := []jpdoc.Outcome{
		jpdoc.Success(""), jpdoc.Success("<a> & \u2028 \x00"), jpdoc.Success("broken \xff utf-8"),
		jpdoc.Failure("", nil, false), jpdoc.Failure("m", []string{"a", ""}, true),
	}
	kinds := []jpdoc.AnswerType{
		{Kind: jpdoc.Boolean}, {Kind: jpdoc.Text}, {Kind: jpdoc.Secret},
		{Kind: jpdoc.Select}, {Kind: jpdoc.Select, Options: []string{"a", "b"}},
	}
	defaults := []json.RawMessage{nil, []byte("null"), []byte("true"), []byte(` {"a" : [1] }`), []byte(`"ü"`)}
	for _, kind := range kinds {
		for _, def := range defaults {
			for _, pre := range []string{"", "two\nlines"} {
				outcomes = append(outcomes, jpdoc.NeedsInput(jpdoc.Question{
					ID: "q", Text: "Sure?", PreAmble: pre, AnswerType: kind, Default: def,
				}))
			}
		}
	}
	for version, codec := range codecs() {
		for _, o := range outcomes {
			if version == wire.VersionOutcomeUntagged && o.Question != nil && o.Question.AnswerType.Kind == jpdoc.Secret {
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
	for _, row := range vectortest.Read(t, "outcome.jsonl") {
		golden[row.Name] = row.JSON
	}
	options := []string{"main", "dev"}
	tests := map[string]jpdoc.Outcome{
		"golden/success/ascii":                         jpdoc.Success("hello"),
		"golden/success/html":                          jpdoc.Success(`<script>&amp;"'</script>`),
		"golden/error/empty-trace/transient-true":      jpdoc.Failure("boom", nil, true),
		"golden/error/ctor-error-is-transient":         jpdoc.Failure("top", []string{"mid", "root cause"}, true),
		"golden/error/ctor-no-source":                  jpdoc.Failure("alone", nil, false),
		"golden/needs_input/text/minimal":              jpdoc.NeedsInput(jpdoc.Question{ID: "q", Text: "Name?", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Text}}),
		"golden/needs_input/boolean/minimal":           jpdoc.NeedsInput(jpdoc.Question{ID: "confirm-fetch", Text: "Proceed?", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Boolean}}),
		"golden/needs_input/select/no-options":         jpdoc.NeedsInput(jpdoc.Question{ID: "pick", Text: "Pick one", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Select}}),
		"golden/needs_input/select/default-string":     jpdoc.NeedsInput(jpdoc.Question{ID: "q", Text: "t", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Select, Options: options}, Default: []byte(`"main"`)}),
		"golden/needs_input/boolean/default-float-exp": jpdoc.NeedsInput(jpdoc.Question{ID: "q", Text: "t", AnswerType: jpdoc.AnswerType{Kind: jpdoc.Boolean}, Default: []byte(`1000e18`)}),
	}
	for name, outcome := range tests {
		got, err := jpdoc.Untagged().AppendOutcome(nil, outcome)
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
