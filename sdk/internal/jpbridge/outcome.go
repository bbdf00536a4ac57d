package jpbridge

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool"
)

// Outcome returns how a call ended, as the one text of an Outcome in the version
// of codec, and whether MCP's isError goes with it: true for an error alone, since
// a D31 host discards a success that is marked and every other host must see an
// error for what it is.
func Outcome(codec wire.Codec, result tool.Result, err error) (text string, isError bool) {
	outcome := wire.Success(plain(result))
	if pending, ok := errors.AsType[*question.Pending](err); ok {
		outcome = wire.NeedsInput(asked(pending.Question))
	} else if err != nil {
		f := fault.From(err)
		outcome, isError = wire.Failure(f.Error(), f.Trace(), f.Transient), true
	}
	data, err := codec.AppendOutcome(nil, outcome)
	if err != nil {
		// Only a question that the version cannot carry comes here.
		f := fault.Wrap(err, fault.Internal, "the answer cannot be told to this host: %s", err)
		data, _ = codec.AppendOutcome(nil, wire.Failure(f.Error(), f.Trace(), false))
		isError = true
	}
	return string(data), isError
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
	case question.KindNumber:
		out.AnswerType.Kind = wire.Text
		out.Text += " (" + q.Accepts() + ")"
		if out.Default != nil {
			// A prompt for text honours no default but a string.
			out.Default = json.RawMessage(`"` + q.Default + `"`)
		}
	case question.KindText:
		out.AnswerType.Kind = wire.Text
		if words := q.Accepts(); words != "a string" {
			out.Text += " (" + words + ")"
		}
	}
	return out
}
