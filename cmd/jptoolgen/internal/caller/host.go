package caller

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// contradicts is the warning about a result whose isError flag and text disagree.
const contradicts = "the result sets isError, but its text is %s; JP treats the text as an error"

// readOutcome decodes an Outcome, which contains a result or a question.
func readOutcome(r *peer.Result, version jphost.Version) *Outcome {
	reply := jphost.ReadResult(json.RawMessage(r.Raw), version)
	if reply.Outcome != nil && !reply.Warn {
		out := outcomeOf(reply, version)
		out.Structured = jsontext.Value(reply.Structured)
		return out
	}
	out := Plain(r)
	switch {
	case reply.Warn:
		out.Text, out.Warning = reply.Text, fmt.Sprintf(contradicts, "an Outcome of type success")
	case reply.Kind == jphost.Failed:
		out.IsError, out.Code, out.Text = true, "", reply.Text
	}
	return out
}

// outcomeOf returns the outcome in a reply. The reply holds either an Outcome, which is encoded again, or the
// plain output of a command.
func outcomeOf(reply jphost.Reply, version jphost.Version) *Outcome {
	out := &Outcome{IsError: reply.Kind == jphost.Error, Text: reply.Text, Raw: rawOf(reply, version)}
	switch o := reply.Outcome; {
	case o == nil:
	case o.Type == jpdoc.TypeNeedsInput:
		out.Questions = []Question{questionOf(*o.Question)}
	case o.Type == jpdoc.TypeError:
		out.Text = o.Message
		if code, _, _ := strings.Cut(o.Message, ": "); fault.Code(code).IsBase() {
			out.Code = code // an Outcome has no member for the code
		}
		for _, cause := range o.Trace {
			out.Text += "\n  because " + cause
		}
	}
	return out
}

// rawOf returns a tool's reply as JSON: its Outcome, or any other text as a string.
func rawOf(reply jphost.Reply, version jphost.Version) jsontext.Value {
	if reply.Outcome != nil {
		if raw, err := version.Codec().AppendOutcome(nil, *reply.Outcome); err == nil {
			return raw
		}
	}
	return rawjson.Quote(reply.Text)
}

// questionOf converts a JP question.
func questionOf(q jpdoc.Question) Question {
	out := Question{ID: q.ID, Preamble: q.PreAmble, Text: q.Text}
	switch q.AnswerType.Kind {
	case jpdoc.Boolean:
		out.Schema.Types = []string{"boolean"}
	case jpdoc.Select:
		for _, option := range q.AnswerType.Options {
			out.Schema.Choices = append(out.Schema.Choices, shape.Choice{Value: rawjson.Quote(option)})
		}
	default:
		out.Schema.Types = []string{"string"}
		out.Schema.Secret = q.AnswerType.Kind == jpdoc.Secret
	}
	out.Schema.Default = jsontext.Value(q.Default)
	out.Titled = len(out.Schema.Choices) > 0
	return out
}

// readBlocks decodes the result or the questions in content blocks (JP RFD 058). The blocks before a question
// are shown with it. Every question is asked, whether or not it has a status.
func readBlocks(r *peer.Result) *Outcome {
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		return Plain(r)
	}
	d, _ := jpdoc.ReadBlocks([]byte(r.Content[0].Text)) // malformed members are ignored
	out := &Outcome{IsError: d.IsError || r.IsError, Code: Plain(r).Code, Raw: jsontext.Value(r.Content[0].Text)}
	if !out.Raw.IsValid() {
		out.Raw = rawjson.Quote(r.Content[0].Text)
	}
	if d.Error != nil {
		out.Code = d.Error.Code
	}
	plain := len(d.Content) == 1 && d.Content[0].Question == nil && d.Content[0].Text() == r.Content[0].Text
	var shown []string
	for _, b := range d.Content {
		if b.Question == nil {
			shown = append(shown, b.Text())
			continue
		}
		schema := shape.Read(jsontext.Value(b.Question.Schema))
		if b.Question.Default != nil {
			schema.Default = jsontext.Value(b.Question.Default)
		}
		out.Questions = append(out.Questions, Question{
			ID: b.Question.ID, Preamble: strings.Join(shown, "\n"), Text: b.Question.Text, Schema: schema, Form: len(schema.Properties) > 0,
			Titled: len(schema.Choices) > 0,
		})
		shown = nil
	}
	out.Text = strings.Join(shown, "\n")
	if r.IsError && !d.IsError && !plain && out.Questions == nil {
		out.Warning = fmt.Sprintf(contradicts, "content blocks without an error")
	}
	return out
}

// Run calls a tool as JP calls a local tool or, on the wire [Plugin], a command plugin: it runs a command, and runs it
// again after each answer. If trace is not nil, it receives the input and the output of the command. A command cannot
// report progress, so the timeout applies to each run as a whole.
func (c Call) Run(ctx context.Context, w Wire, command peer.Command, ask Ask, trace func(peer.Direction, []byte)) (*Outcome, error) {
	o := c.options()
	o.Stderr, o.Trace = command.Stderr, trace
	round := jphost.Local{
		Name: c.Tool, Env: command.Env, Options: o,
		Command: slices.Concat(command.Argv, []string{"call", c.Tool, "{{tool}}", "{{context}}"}),
	}.Round
	if w == Plugin {
		plugin := jphost.Plugin{Name: c.Tool, Env: command.Env, Options: o, Command: slices.Concat(command.Argv, []string{"plugin"})}
		round = plugin.Round
	}
	return ask.repeat(ctx, nil, func(answers map[string]json.RawMessage) (*Outcome, error) {
		timed, cancel := context.WithTimeout(ctx, c.Silence)
		defer cancel()
		reply, err := round(timed, json.RawMessage(c.Arguments), answers)
		if err != nil && ctx.Err() == nil && timed.Err() != nil {
			err = fmt.Errorf("%w within %v", peer.ErrSilent, c.Silence)
		}
		return outcomeOf(reply, o.Version), err
	})
}
