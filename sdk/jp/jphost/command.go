package jphost

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/jptool/jptool/internal/peer"
)

// maxOutput is the maximum output of a command on each stream, in bytes. JP has no limit.
const maxOutput = 64 << 20

// run runs the command with the given documents.
func (l Local) run(ctx context.Context, tool, from string) (Reply, error) {
	if len(l.Command) == 0 {
		return Reply{}, errors.New("the command is empty")
	}
	words := make([]string, len(l.Command))
	for i, word := range l.Command {
		var err error
		if words[i], err = expand(word, tool, from); err != nil {
			return Reply{}, err
		}
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env, cmd.Dir = l.Env, l.Options.Root
	cmd.Stderr = l.Options.Stderr
	stdout, stderr, err := peer.Output(cmd, maxOutput)
	_, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return Reply{}, ctx.Err()
	case err != nil && !failed:
		return Reply{}, fmt.Errorf("running the command: %w", err)
	}
	if l.Options.Trace != nil {
		l.Options.Trace(peer.Received, stdout)
	}
	return ReadLocal(l.Name, stdout, stderr, !failed, l.Options.Version), nil
}

// expand replaces the templates in a word of a command. It returns an error for templates that only JP supports.
func expand(word, tool, from string) (string, error) {
	var b strings.Builder
	for rest := word; ; {
		before, template, found := strings.Cut(rest, "{{")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(template, "}}")
		switch name = strings.TrimSpace(name); {
		case closed && name == "tool":
			b.WriteString(tool)
		case closed && name == "context":
			b.WriteString(from)
		default:
			return "", fmt.Errorf("command word %q: unknown template; use {{tool}} or {{context}}", word)
		}
		rest = after
	}
}
