package jpbridge

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool"
)

// outcomeIn returns the format of Outcomes in codec's version. MCP's isError is true only for
// errors: a D31 host discards a success with isError, and any other host must recognize an error.
func outcomeIn(codec wire.Codec) format {
	return func(f *fault.Error, pending []question.Question, r tool.Result) ([]byte, error) {
		var outcome wire.Outcome
		switch {
		case f != nil:
			outcome = wire.Failure(f.Error(), f.Trace(), f.Transient)
		case pending != nil: // only one question, because the [Asker] has no forms
			outcome = wire.NeedsInput(asked(pending[0]))
		default:
			outcome = wire.Success(plain(r))
		}
		return codec.AppendOutcome(nil, outcome)
	}
}

// plain returns a result as one string, with warnings about the call at the end.
func plain(r tool.Result) string {
	text := r.Blocks.Flatten()
	for _, w := range r.Warnings {
		text = strings.TrimPrefix(text+"\n\n", "\n\n") + "Note: " + w
	}
	return text
}

// asked returns q as a JP question. JP has no numbers, lists or bounds, so the description of valid answers
// is part of the text, the only part that a model sees.
func asked(q question.Question) wire.Question {
	q, meanings := titled(q)
	out := wire.Question{ID: q.ID, Text: q.Message, PreAmble: q.Preamble}
	if q.Preamble != "" && meanings != "" {
		out.PreAmble += "\n\n"
	}
	out.PreAmble += meanings
	if q.Default != "" {
		out.Default = json.RawMessage(q.Default)
	}
	switch q.Kind {
	case question.KindConfirm:
		out.AnswerType.Kind = wire.Boolean
	case question.KindChoice, question.KindPick:
		out.AnswerType.Kind = wire.Select
		for _, o := range q.Options {
			out.AnswerType.Options = append(out.AnswerType.Options, o.Value)
		}
	default:
		typed(q, &out)
	}
	return out
}

// typed sets the parts of out for a question whose answer the user types.
func typed(q question.Question, out *wire.Question) {
	out.AnswerType.Kind = wire.Text
	words := q.Accepts()
	switch q.Kind {
	case question.KindSecret:
		out.AnswerType.Kind = wire.Secret
	case question.KindSeveral:
		words += ", separated by commas"
	}
	if words != "a string" && !strings.Contains(out.Text, words) {
		out.Text += " (" + words + ")"
	}
	if out.Default != nil && q.Kind != question.KindText {
		// The text prompt of a host uses a default only if the default is a string.
		var values []string
		text := q.Default
		if json.Unmarshal(out.Default, &values) == nil {
			text = strings.Join(values, ", ")
		}
		out.Default = json.RawMessage(rawjson.Quote(text))
	}
}

// titled returns q with the titles of its options as their values, because a JP host shows only the values, and a line
// for each option that says what it means. The answer to q may be a title.
func titled(q question.Question) (_ question.Question, meanings string) {
	options := slices.Clone(q.Options)
	var lines []string
	for i, o := range options {
		if o.Title != "" && q.Default == string(rawjson.Quote(o.Value)) {
			q.Default = string(rawjson.Quote(o.Title))
		}
		options[i].Value = cmp.Or(o.Title, o.Value)
		if o.Description != "" {
			lines = append(lines, options[i].Value+": "+o.Description)
		}
	}
	q.Options = options
	return q, strings.Join(lines, "\n")
}
