package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/jptool/jptool/internal/peer"
)

// maxOutput bounds what a command may write to either stream. JP has no bound.
const maxOutput = 64 << 20

var errOutputTooLong = errors.New("the command wrote more than 64 MiB")

// run runs the command with these documents.
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
	out, errs := &bounded{}, &bounded{also: l.Options.Stderr}
	cmd.Stdout, cmd.Stderr = out, errs
	err := peer.Run(cmd)
	_, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return Reply{}, ctx.Err()
	case out.full || errs.full:
		return Reply{}, errOutputTooLong
	case err != nil && !failed:
		return Reply{}, fmt.Errorf("running the command: %w", err)
	}
	if l.Options.Trace != nil {
		l.Options.Trace(peer.Received, out.data)
	}
	return ReadLocal(l.Name, out.data, errs.data, !failed, l.Options.Codec), nil
}

// expand puts documents into a word of a command. JP's templates can do more, which is refused
// here.
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
			return "", fmt.Errorf("command word %q: the templates known are {{tool}} and {{context}}", word)
		}
		rest = after
	}
}

// bounded keeps what is written, up to maxOutput.
type bounded struct {
	data []byte
	full bool
	also io.Writer
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(b.data)+len(p) > maxOutput {
		b.full = true
		return 0, errOutputTooLong
	}
	b.data = append(b.data, p...)
	if b.also != nil {
		return b.also.Write(p)
	}
	return len(p), nil
}
