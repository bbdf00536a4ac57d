package jpbridge

import (
	"encoding/json"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool"
)

// outcomeIn returns how a call ended, as the one text of an Outcome in the version
// of codec, and whether MCP's isError goes with it: true for an error alone, since
// a D31 host discards a success that is marked and every other host must see an
// error for what it is.
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

// plain returns a result as one string, remarks on the call at the end.
func plain(r tool.Result) string {
	text := r.Blocks.Flatten()
	for _, w := range r.Warnings {
		text = strings.TrimPrefix(text+"\n\n", "\n\n") + "Note: " + w
	}
	return text
}

// asked returns q as JP asks it. JP knows no numbers and no bounds, so that
// what the answer must be joins the text, which is all a model is shown.
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
	case question.KindNumber, question.KindText:
		out.AnswerType.Kind = wire.Text
		if words := q.Accepts(); words != "a string" {
			out.Text += " (" + words + ")"
		}
		if q.Kind == question.KindNumber && out.Default != nil {
			// A prompt for text honours no default but a string.
			out.Default = json.RawMessage(`"` + q.Default + `"`)
		}
	}
	return out
}
