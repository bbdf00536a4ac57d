// Package story drives a server as JP since 2026-08-24 does, and prints what happens.
package story

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// A Step is one call of a story.
type Step struct {
	Title, Tool, Arguments string
	// Answer answers the questions of the call. It is nil if the call asks none; otherwise, the call must ask.
	Answer jphost.Answerer
	// Expect is a part of the expected result.
	Expect string
}

// Tell starts a server and makes the calls. It returns an error at the first call that fails, asks no question
// although the step has answers, or returns a result without the text that the step expects. If DEMO_TRACE is set, it prints the messages of the calls.
func Tell(ctx context.Context, name string, cmd *exec.Cmd, steps []Step) error {
	h, err := jphost.Start(ctx, cmd, jphost.Options{Stderr: os.Stderr, Trace: trace})
	if err != nil {
		return err
	}
	defer h.Close()
	tools, err := h.Tools(ctx)
	if err != nil {
		return err
	}
	Say("This program acts as JP since 2026-08-24. It has started %s with --jp, an MCP server with %d tools:", name, len(tools))
	for _, t := range tools {
		Say("  %s", t)
	}
	for _, step := range steps {
		Say("\n== %s", step.Title)
		Say("the model calls %s %s", step.Tool, step.Arguments)
		asked := 0
		answer := step.Answer
		if answer != nil {
			answer = func(ctx context.Context, q jpdoc.Question) (json.RawMessage, error) {
				asked++
				return step.Answer(ctx, q)
			}
		}
		reply, err := h.Call(ctx, step.Tool, json.RawMessage(step.Arguments), answer)
		if err != nil {
			return err
		}
		if step.Answer != nil {
			if asked == 0 {
				return fmt.Errorf("%s did not ask a question", step.Tool)
			}
			Say("JP called the tool again after each answer; answered questions: %d", asked)
		}
		if reply.Kind != jphost.OK || !strings.Contains(reply.Text, step.Expect) {
			return fmt.Errorf("%s returned an unexpected result (%s): %s", step.Tool, reply.Kind, reply.Text)
		}
		Say("the model reads:\n%s", Indent(reply.Text))
	}
	return nil
}

func trace(d jphost.Direction, line []byte) {
	if os.Getenv("DEMO_TRACE") != "" {
		fmt.Fprintf(os.Stderr, "%v %s\n", d, line)
	}
}

// Say prints a line like [fmt.Printf].
func Say(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// Indent indents text.
func Indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
