package jptest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// serve serves one client over a pipe until stop is called.
func (k *Kit) serve(ctx context.Context, version string) (conn net.Conn, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- k.server.Serve(ctx, theirs, sdk.Options{JP: version, ToolOptions: k.environment()}) }()
	return ours, func() {
		ours.Close()
		cancel()
		if err := <-served; err != nil {
			k.t.Errorf("serving ended with %v", err)
		}
	}
}

// outcomes returns the caller for a JP host of a version and a server with a version of the protocol.
func outcomes(protocol string, version jphost.Version) func(*Kit) caller {
	return func(k *Kit) caller {
		conn, stop := k.serve(k.ctx, protocol)
		h, err := jphost.Connect(k.ctx, conn, jphost.Options{
			Root: k.options.Root, ToolOptions: k.toolOptions, Version: version, AlwaysMeta: true,
		})
		if err != nil {
			stop()
			k.t.Fatalf("connecting to the server: %v", err)
		}
		k.t.Cleanup(func() {
			h.Close()
			stop()
		})
		return func(ctx context.Context, c *call) error {
			given := c.unaskableAnswers
			if version == jphost.Untagged {
				given = c.configuredAnswers
			}
			return c.rounds(given(), func(answers map[string]json.RawMessage) ([]Question, error) {
				reply, err := h.Round(ctx, c.out.Tool, c.args, answers)
				return c.outcome(reply), err
			})
		}
	}
}

// local runs the server's command "call" for each round, as JP does with a local tool. A secret is sent on standard
// input instead, because the command does not accept it as an argument.
func local(k *Kit) caller {
	return func(ctx context.Context, c *call) error {
		where := jpdoc.AppendContext(nil, wire.Context{Root: k.options.Root, Action: wire.ActionRun})
		return c.rounds(c.unaskableAnswers(), func(answers map[string]json.RawMessage) ([]Question, error) {
			what, err := jpdoc.AppendTool(nil, wire.Tool{
				Name: c.out.Tool, Arguments: c.args, Answers: answers, Options: k.toolOptions[c.out.Tool],
			})
			if err != nil {
				return nil, err
			}
			words, input := []string{"call", c.out.Tool, string(what), string(where)}, ""
			for id := range answers {
				if k.traits(c.out.Tool, id).Needs == question.NeedsSecrecy {
					words, input = []string{"call", c.out.Tool, "-"}, fmt.Sprintf(`{"tool":%s,"context":%s}`, what, where)
				}
			}
			out, errs, status := k.run(ctx, input, words...)
			return c.outcome(jphost.ReadLocal(c.out.Tool, out, errs, status == sdk.ExitOK, jphost.Today)), nil
		})
	}
}

// commandPlugin runs the server's command "plugin" for each round, as JP does with a command plugin.
func commandPlugin(k *Kit) caller {
	return func(ctx context.Context, c *call) error {
		p := jphost.Plugin{Name: c.out.Tool, Options: jphost.Options{Root: k.options.Root, ToolOptions: k.toolOptions}}
		return c.rounds(c.unaskableAnswers(), func(answers map[string]json.RawMessage) ([]Question, error) {
			line, err := p.Line(wire.ActionRun, c.args, answers)
			if err != nil {
				return nil, err
			}
			out, _, _ := k.run(ctx, string(line)+"\n", "plugin")
			return c.outcome(jphost.ReadPlugin(k.server.Name(), out)), nil
		})
	}
}

// run runs a command of the server, and returns its outputs and its exit status.
func (k *Kit) run(ctx context.Context, input string, args ...string) (out, errs []byte, status int) {
	var stdout, stderr bytes.Buffer
	status = k.server.Run(ctx, args, &sdk.Streams{In: io.NopCloser(strings.NewReader(input)), Out: output{&stdout}, Err: &stderr})
	return stdout.Bytes(), stderr.Bytes(), status
}

type output struct{ io.Writer }

func (output) Close() error { return nil }

// rounds runs a tool with the given answers, and again with the answers to its questions. As in JP, the answer to a
// question may be configured, and the call ends if a question is declined.
func (c *call) rounds(
	given map[string]json.RawMessage, run func(answers map[string]json.RawMessage) ([]Question, error),
) error {
	return peer.Ask(given, func(answers map[string]json.RawMessage) (map[string]json.RawMessage, error) {
		asked, err := run(answers)
		if err != nil {
			return nil, err
		}
		more := make(map[string]json.RawMessage, len(asked))
		for _, q := range asked {
			if configured, ok := c.kit.answers[c.out.Tool][q.ID]; ok {
				more[q.ID] = configured
				continue
			}
			r, err := c.answer(q)
			c.out.Dismissed = err == nil && r.action != elicit.Accept
			if err != nil || c.out.Dismissed {
				return nil, err
			}
			if n := r.content; q.text && jsontext.Value(n).Kind() == '0' {
				r.content = json.RawMessage(`"` + string(n) + `"`)
			}
			more[q.ID] = r.content
		}
		return more, nil
	})
}

// outcome sets the outcome of a call from a reply, or returns the question in it.
func (c *call) outcome(r jphost.Reply) []Question {
	c.out.Runs++
	switch {
	case r.Outcome == nil:
		c.fail(fault.Internal, "the reply is not an Outcome: "+r.Text)
	case r.Outcome.Type == jpdoc.TypeSuccess:
		c.out.Text = r.Text
	case r.Outcome.Type == jpdoc.TypeNeedsInput:
		q := r.Outcome.Question
		return []Question{{
			ID: q.ID, Text: q.Text, Preamble: q.PreAmble, Options: q.AnswerType.Options, Default: q.Default,
			text: q.AnswerType.Kind == jpdoc.Text, field: true,
		}}
	default:
		c.out.Transient, c.out.Trace = r.Outcome.Transient, r.Outcome.Trace
		c.fail("", r.Outcome.Message)
	}
	return nil
}

// document sets the outcome of a call from a document of content blocks, or returns the questions in it.
func (c *call) document(d jpdoc.Document) (asked []Question) {
	var read content.Blocks
	for _, b := range d.Content {
		if b.Question == nil {
			read = append(read, b.Shown)
			continue
		}
		q := questionOf(b.Question.Schema)
		q.ID, q.Text, q.Preamble, q.Default = b.Question.ID, b.Question.Text, read.Flatten(), b.Question.Default
		asked, read = append(asked, q), nil
	}
	if asked != nil {
		return asked
	}
	if !d.IsError {
		c.out.Blocks, c.out.Text = read, read.Flatten()
		return nil
	}
	e := cmp.Or(d.Error, &jpdoc.ErrorMeta{})
	c.out.Transient, c.out.Trace = e.Transient, e.Trace
	c.fail(cmp.Or(fault.Code(e.Code), fault.Internal), read.Flatten())
	return nil
}
