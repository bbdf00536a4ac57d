package jphost

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// Local is a local tool of JP: a command that is started for every round, with the call in its arguments. Its
// methods are safe for concurrent use, and end all processes that a command started.
type Local struct {
	// Name is the name of the tool in JP's configuration.
	Name string
	// Command is a program and its arguments. In each argument, a JSON document replaces {{tool}} and
	// {{context}}. The command then runs without a shell.
	Command []string
	// Env is the environment of the command; nil means the environment of this process.
	Env []string
	// Options are the options of a [Host]. A local tool receives all fields of the context in every version. It
	// runs in Root, or in the working directory of this process if Root is "". Trace receives the document of the
	// tool and the output of the command. Stderr must be safe for concurrent use.
	Options Options
}

// Call runs the tool until it ends, as [Host.Call] does. It returns an error if the command cannot be started.
func (l Local) Call(ctx context.Context, args json.RawMessage, answer Answerer) (Reply, error) {
	return l.Options.call(ctx, l.Name, answer, func(answers map[string]json.RawMessage) (Reply, error) {
		return l.Round(ctx, args, answers)
	})
}

// Round runs the command once with only the given answers. It returns the same errors as [Local.Call]. Unlike JP, it
// also returns an error if the tool asks for a secret.
func (l Local) Round(ctx context.Context, args json.RawMessage, answers map[string]json.RawMessage) (Reply, error) {
	arguments, err := objectOf(args)
	if err != nil {
		return Reply{}, fmt.Errorf("arguments: %w", err)
	}
	r := request{Options: l.Options, name: l.Name, arguments: arguments, answers: answers}
	tool, err := r.tool()
	if err != nil {
		return Reply{}, err
	}
	if l.Options.Trace != nil {
		l.Options.Trace(peer.Sent, tool)
	}
	reply, err := l.run(ctx, string(tool), string(r.context()))
	if err == nil && reply.Kind == NeedsInput && reply.Outcome.Question.AnswerType.Kind == jpdoc.Secret {
		err = fmt.Errorf("tool %q asks for a secret, but the answers for a local tool are in the arguments of its process, "+
			"where other programs can read them", l.Name)
	}
	return reply, err
}

// Format runs the command as JP does to render the arguments of a call, and returns the text that
// JP shows to the user who approves the call. If Format fails, JP does not run the tool.
func (l Local) Format(ctx context.Context, args json.RawMessage) (Reply, error) {
	arguments, err := objectOf(args)
	if err != nil {
		return Reply{}, fmt.Errorf("arguments: %w", err)
	}
	if arguments == nil {
		arguments = json.RawMessage("{}")
	}
	tool := append(quote([]byte(`{"name":`), l.Name), `,"arguments":`...)
	tool = append(append(tool, arguments...), '}')
	from := quote([]byte(`{"action":"`+string(wire.ActionFormatArguments)+`","root":`), l.Options.Root)
	from = quote(append(from, `,"workspace_id":`...), l.Options.WorkspaceID)
	from = quote(append(from, `,"conversation_id":`...), l.Options.ConversationID)
	reply, err := l.run(ctx, string(tool), string(append(from, '}')))
	switch {
	case err != nil:
		return reply, err
	case reply.Kind == NeedsInput:
		reply.Kind, reply.Text = Error, "the command that renders arguments asks a question"
	case reply.Kind == OK:
		reply.Text = strings.TrimSpace(reply.Text)
	}
	return reply, nil
}

// ReadLocal returns the reply that JP derives from the output of a local tool. If stdout is an
// outcome, JP uses the outcome, regardless of the exit status. A question that cannot be parsed is an error. Other
// output is a result or, if exitOK is false, an error that quotes both streams. ReadLocal first replaces bytes that
// are not UTF-8 with U+FFFD.
func ReadLocal(tool string, stdout, stderr []byte, exitOK bool, version Version) Reply {
	out := strings.ToValidUTF8(string(stdout), "\uFFFD")
	outcome, err := version.Codec().ReadOutcome([]byte(out))
	switch {
	case err == nil:
		return Reply{}.read(outcome, out)
	case version == Today && wire.ClaimsNeedsInput(out):
		text := fmt.Sprintf(textMalformed, "tool '"+tool+"'", err)
		return Reply{Kind: Error, Rule: ruleMalformed, Text: text}
	}
	if exitOK {
		return Reply{Kind: OK, Rule: ruleRawOK, Text: out}
	}
	text := quote([]byte(`{"message":`), "Tool '"+tool+"' execution failed.")
	text = quote(append(text, `,"stderr":`...), strings.ToValidUTF8(string(stderr), "\uFFFD"))
	text = quote(append(text, `,"stdout":`...), out)
	return Reply{Kind: Error, Rule: ruleRawFailed, Text: string(append(text, '}'))}
}
