package jphost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// Plugin is a tool of a command plugin of JP (JP RFD 072): a command that is started for every round, with the call on
// its standard input. Its methods are safe for concurrent use, and end all processes that the command started.
type Plugin struct {
	// Name is the plugin's name for the tool.
	Name string
	// Command is a program and its arguments. JP itself starts plugins without arguments.
	Command []string
	// Env is the environment of the command; nil means the environment of this process.
	Env []string
	// Options are the options of a [Host], with the exceptions of [Local]. Trace receives the lines in both directions.
	Options Options
}

// Call runs the tool until it ends, as [Host.Call] does. It returns an error if the command cannot be started.
func (p Plugin) Call(ctx context.Context, args json.RawMessage, answer Answerer) (Reply, error) {
	return p.Options.call(ctx, p.Name, answer, func(answers map[string]json.RawMessage) (Reply, error) {
		return p.Round(ctx, args, answers)
	})
}

// Round runs the command once with only the given answers. It returns the same errors as [Plugin.Call].
func (p Plugin) Round(ctx context.Context, args json.RawMessage, answers map[string]json.RawMessage) (Reply, error) {
	return p.run(ctx, wire.ActionRun, args, answers)
}

// Format runs the command to render the arguments of a call for the user, as [Local.Format] does.
func (p Plugin) Format(ctx context.Context, args json.RawMessage) (Reply, error) {
	return p.run(ctx, wire.ActionFormatArguments, args, nil)
}

func (p Plugin) run(ctx context.Context, action wire.Action, args json.RawMessage, answers map[string]json.RawMessage) (Reply, error) {
	line, err := p.Line(action, args, answers)
	switch {
	case err != nil:
		return Reply{}, err
	case len(p.Command) == 0:
		return Reply{}, errors.New("the command is empty")
	}
	cmd := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	cmd.Env, cmd.Dir, cmd.Stderr = p.Env, p.Options.Root, p.Options.Stderr
	cmd.Stdin = bytes.NewReader(append(line, '\n'))
	p.trace(peer.Sent, line)
	stdout, _, err := peer.Output(cmd, maxOutput)
	_, failed := errors.AsType[*exec.ExitError](err) // JP ignores the exit status
	switch {
	case ctx.Err() != nil:
		return Reply{}, ctx.Err()
	case err != nil && !failed:
		return Reply{}, fmt.Errorf("running the command: %w", err)
	}
	for line := range bytes.Lines(stdout) {
		p.trace(peer.Received, bytes.TrimSuffix(line, []byte("\n")))
	}
	return ReadPlugin(strings.TrimPrefix(filepath.Base(p.Command[0]), "jp-"), stdout), nil
}

func (p Plugin) trace(d Direction, line []byte) {
	if p.Options.Trace != nil {
		p.Options.Trace(d, line)
	}
}

// Line returns the line that JP writes to the plugin, without a newline. As in JP, it omits answers, options, the
// access policy and the conversation if they are empty.
func (p Plugin) Line(action wire.Action, args json.RawMessage, answers map[string]json.RawMessage) ([]byte, error) {
	arguments, err := objectOf(args)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	document, err := request{Options: p.Options, name: p.Name, arguments: arguments, answers: answers}.tool()
	if err != nil {
		return nil, err
	}
	tool := []rawjson.Member{{Name: "action", Value: rawjson.Quote(string(action))}}
	for _, m := range rawjson.Parts(document) {
		if m.Name == "name" || m.Name == "arguments" || string(m.Value) != "{}" {
			tool = append(tool, m)
		}
	}
	if p.Options.Access != nil {
		where := jpdoc.AppendContext(nil, wire.Context{Access: p.Options.Access})
		tool = append(tool, rawjson.Member{Name: "access", Value: rawjson.Get(where, "access")})
	}
	if p.Options.ConversationID != "" {
		tool = append(tool, rawjson.Member{Name: "conversation", Value: rawjson.Quote(p.Options.ConversationID)})
	}
	if !p.Options.NoGrease {
		tool = append(tool, rawjson.Member{Name: "__grease__", Value: jsontext.Value("null")})
	}
	line := quote([]byte(`{"type":"init","version":12,"workspace":{"root":`), p.Options.Root)
	line = quote(append(line, `,"storage":`...), filepath.Join(p.Options.Root, ".jp"))
	line = quote(append(line, `,"id":`...), p.Options.WorkspaceID)
	line = append(line, `},"paths":{},"config":{},"args":[],"log_level":0,"output_format":"text","tool":`...)
	return append(append(line, rawjson.Object(tool)...), '}'), nil
}

// ReadPlugin returns the reply that JP derives from the standard output of a command plugin with the given name. The call
// fails if a line is not a message for a host, if a message says that the plugin failed, and without both an outcome
// and the message that ends the plugin after it.
func ReadPlugin(plugin string, stdout []byte) Reply {
	fail := func(format string, args ...any) Reply {
		return Reply{Kind: Error, Rule: rulePlugin, Text: fmt.Sprintf("Command plugin `%s` failed: "+format, append([]any{plugin}, args...)...)}
	}
	var outcome json.RawMessage
	for line := range strings.Lines(string(stdout)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var m struct {
			Type     string
			Protocol int
			Outcome  json.RawMessage
			Code     *int
			Reason   string
		}
		err := json.Unmarshal([]byte(line), &m)
		switch {
		case err == nil && m.Type == "ready" && m.Protocol > 12:
			return fail("it needs protocol %d", m.Protocol)
		case err == nil && (m.Type == "ready" || m.Type == "log"):
		case err == nil && m.Type == "tool_outcome" && m.Outcome != nil:
			outcome = m.Outcome
		case err == nil && m.Type == "exit" && m.Code != nil && *m.Code != 0:
			return fail("%s", m.Reason)
		case err == nil && m.Type == "exit" && m.Code != nil && outcome == nil:
			return fail("exited without answering the tool call")
		case err == nil && m.Type == "exit" && m.Code != nil:
			o, err := jpdoc.Tagged().ReadOutcome(outcome)
			if err != nil {
				return fail("the outcome: %v", err)
			}
			return Reply{}.read(o, string(outcome))
		default:
			return fail("sent a line that is not a protocol message: %s", line)
		}
	}
	return fail("ended without the message exit")
}
