package jpbridge

import (
	"encoding/json"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool"
)

// outcomeIn returns a [Render] that writes Outcomes in the version of codec. MCP's isError is true for errors
// only: a D31 host discards a success with isError, and any other host must recognize an error.
func outcomeIn(codec wire.Codec) Render {
	return func(result tool.Result, err error) (text string, isError bool) {
		return render(result, err, succeeded, needsInput, failure, codec.AppendOutcome)
	}
}

func succeeded(r tool.Result) wire.Outcome { return wire.Success(plain(r)) }

func needsInput(q question.Question) wire.Outcome { return wire.NeedsInput(asked(q)) }

func failure(f *fault.Error) wire.Outcome {
	return wire.Failure(f.Error(), f.Trace(), f.Transient)
}

// plain returns a result as one string, with warnings about the call at the end.
func plain(r tool.Result) string {
	text := r.Blocks.Flatten()
	for _, w := range r.Warnings {
		text = strings.TrimPrefix(text+"\n\n", "\n\n") + "Note: " + w
	}
	return text
}

// asked returns q as a question of JP. JP has no numbers and no bounds, so the description of valid answers is
// part of the text, the only part that a model sees.
func asked(q question.Question) wire.Question {
	out := wire.Question{ID: q.ID, Text: q.Message, PreAmble: q.Preamble}
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
	case question.KindNumber, question.KindText, question.KindSecret:
		out.AnswerType.Kind = wire.Text
		if q.Kind == question.KindSecret {
			out.AnswerType.Kind = wire.Secret
		}
		if words := q.Accepts(); words != "a string" && !strings.Contains(out.Text, words) {
			out.Text += " (" + words + ")"
		}
		if q.Kind == question.KindNumber && out.Default != nil {
			// A text prompt uses a default only if it is a string.
			out.Default = json.RawMessage(`"` + q.Default + `"`)
		}
	}
	return out
}
