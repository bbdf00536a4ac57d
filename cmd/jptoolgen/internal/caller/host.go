package caller

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/peer"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/words"
	"github.com/jptool/jptool/sdk/host"
	"github.com/jptool/jptool/sdk/wire"
)

// rounds bounds how often one call may ask.
const rounds = 100

// host calls as a JP host does: it keeps the answers, and runs the tool again with all of them.
func (c Call) host(ctx context.Context, s *peer.Session, w Wire, ask Ask) (*Outcome, error) {
	answers := map[string]jsontext.Value{}
	for range rounds {
		tool, err := c.tool(answers)
		if err != nil {
			return nil, err
		}
		r, err := s.Call(ctx, peer.Call{
			Tool: c.Tool, Arguments: c.Arguments, Silence: c.Silence,
			Meta: map[string]any{wire.MetaTool: tool, wire.MetaContext: c.context()},
		})
		if err != nil {
			return nil, err
		}
		read := readOutcome
		if w == Blocks {
			read = readBlocks
		}
		out, q := read(r)
		if q == nil {
			return out, nil
		}
		if answers[q.ID], err = ask(ctx, *q); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: it asked %d times in one call", peer.ErrTooMuch, rounds)
}

// readOutcome returns how a call ended by an Outcome, or what it asks (JP RFD D31).
func readOutcome(r *peer.Result) (*Outcome, *Question) {
	reply := host.ReadResult(json.RawMessage(r.Raw), host.D31, wire.Snapshot())
	return outcomeOf(reply, native(r))
}

func outcomeOf(reply host.Reply, otherwise *Outcome) (*Outcome, *Question) {
	if reply.Outcome == nil {
		if otherwise == nil {
			otherwise = &Outcome{IsError: reply.Kind != host.OK, Text: reply.Text, Raw: rawOf(reply)}
		}
		return otherwise, nil
	}
	o := reply.Outcome
	if o.Type == wire.TypeNeedsInput {
		return nil, questionOf(*o.Question)
	}
	out := &Outcome{IsError: reply.Kind == host.Error, Text: o.Content, Raw: rawOf(reply)}
	if o.Type == wire.TypeError {
		out.Text = o.Message
		for _, cause := range o.Trace {
			out.Text += "\n  because " + cause
		}
	}
	return out, nil
}

// rawOf returns what a tool answered as JSON: its Outcome, or as a string what is none.
func rawOf(reply host.Reply) jsontext.Value {
	if reply.Outcome != nil {
		if raw, err := wire.Snapshot().AppendOutcome(nil, *reply.Outcome); err == nil {
			return raw
		}
	}
	return quoted(reply.Text)
}

// questionOf returns a JP question with the schema of its answer.
func questionOf(q wire.Question) *Question {
	out := &Question{ID: q.ID, Preamble: q.PreAmble, Text: q.Text}
	switch q.AnswerType.Kind {
	case wire.Boolean:
		out.Schema.Types = []string{"boolean"}
	case wire.Select:
		for _, option := range q.AnswerType.Options {
			out.Schema.Choices = append(out.Schema.Choices, words.Choice{Value: quoted(option)})
		}
	default:
		out.Schema.Types = []string{"string"}
	}
	out.Schema.Default = jsontext.Value(q.Default)
	return out
}

// readBlocks returns how a call ended by content blocks, or what it asks (JP RFD 058).
func readBlocks(r *peer.Result) (*Outcome, *Question) {
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		return native(r), nil
	}
	d, _ := wire.ReadBlocks([]byte(r.Content[0].Text)) // what is malformed in it is left out
	out := &Outcome{IsError: d.IsError || r.IsError, Code: native(r).Code, Raw: jsontext.Value(r.Content[0].Text)}
	if !out.Raw.IsValid() {
		out.Raw = quoted(r.Content[0].Text)
	}
	if d.Error != nil {
		out.Code = d.Error.Code
	}
	for _, b := range d.Content {
		switch {
		case b.Type == wire.BlockQuestion && d.Status == wire.StatusWaiting:
			schema := words.Read(jsontext.Value(b.Question.Schema))
			if b.Question.Default != nil {
				schema.Default = jsontext.Value(b.Question.Default)
			}
			return nil, &Question{ID: b.Question.ID, Preamble: out.Text, Text: b.Question.Text, Schema: schema, Form: len(schema.Properties) > 0}
		case out.Text != "":
			out.Text += "\n" + text(b)
		default:
			out.Text = text(b)
		}
	}
	return out, nil
}

func text(b wire.Block) string {
	switch {
	case b.Formatted != "":
		return b.Formatted
	case b.Resource != nil && b.Resource.Blob != nil:
		return fmt.Sprintf("[%s %s, %d bytes]", b.Resource.URI, b.Resource.MIMEType, len(b.Resource.Blob))
	case b.Resource != nil:
		return b.Resource.Text
	}
	return b.Text
}

// Run calls a tool as a local tool of JP: by a command that is run anew for every round. Trace sees what it
// is given and what it answers; nil sees nothing.
func (c Call) Run(ctx context.Context, command peer.Command, ask Ask, trace func(peer.Direction, []byte)) (*Outcome, error) {
	l := host.Local{
		Name:    c.Tool,
		Command: append(command.Argv[:len(command.Argv):len(command.Argv)], "call", c.Tool, "{{tool}}", "{{context}}"),
		Env:     command.Env,
		Options: host.Options{Root: c.Root, NoGrease: true, Stderr: command.Stderr},
	}
	if c.Options != nil {
		l.Options.ToolOptions = map[string]json.RawMessage{c.Tool: json.RawMessage(c.Options)}
	}
	answers := map[string]jsontext.Value{}
	for range rounds {
		if trace != nil {
			tool, err := c.tool(answers)
			if err != nil {
				return nil, err
			}
			trace(peer.Sent, tool)
		}
		reply, err := c.round(ctx, l, answers)
		if err != nil {
			return nil, err
		}
		if trace != nil {
			trace(peer.Received, rawOf(reply))
		}
		out, q := outcomeOf(reply, nil)
		if q == nil {
			return out, nil
		}
		if answers[q.ID], err = ask(ctx, *q); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: it asked %d times in one call", peer.ErrTooMuch, rounds)
}

// round runs a command once. Nothing shows that it goes on, so its time is bounded as a whole.
func (c Call) round(ctx context.Context, l host.Local, answers map[string]jsontext.Value) (host.Reply, error) {
	timed, cancel := context.WithTimeout(ctx, c.Silence)
	defer cancel()
	reply, err := l.Round(timed, json.RawMessage(c.Arguments), messages(answers))
	if err != nil && ctx.Err() == nil && timed.Err() != nil {
		err = fmt.Errorf("%w within %v", peer.ErrSilent, c.Silence)
	}
	return reply, err
}

func quoted(text string) jsontext.Value {
	// The error reports bytes that are not UTF-8, which have become U+FFFD by then.
	v, _ := jsontext.AppendQuote(nil, text)
	return v
}
