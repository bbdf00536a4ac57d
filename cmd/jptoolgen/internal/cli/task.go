package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
)

// A taskRun is one run of the command "task get" or "task cancel".
type taskRun struct {
	targetFlags
	answerFlags
	format string
	follow bool

	env     Env
	answers caller.Answers
}

func taskCommand() command {
	return command{
		name:  "task",
		usage: "jptoolgen task get|cancel",
		help: `Use tasks: calls whose result the server keeps until it is fetched. "jptoolgen call" follows
the task that a call becomes; with --detach, it prints the id of the task instead.`,
		run: func(_ context.Context, _ Env, flags *pflag.FlagSet) error {
			const usage = "run jptoolgen task get or cancel"
			if flags.NArg() > 0 {
				return fmt.Errorf("unknown command \"task %s\"; %s", flags.Arg(0), usage)
			}
			return errors.New("missing command; " + usage)
		},
	}
}

func taskGetCommand() command {
	var r taskRun
	return command{
		name:  "task get",
		usage: "jptoolgen task get [flags] TARGET ID [-- ARGUMENTS]",
		help: `Print the state of a task, and its result if it has ended. With --follow, the command waits
for the end, asks the questions of the task in the terminal, and prints the result, as
"jptoolgen call" does. The exit status is that of "jptoolgen call"; it is 0 for a task that
has not ended.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&r.follow, "follow", false, "wait for the end of the task, and answer its questions")
			r.answerFlags.define(flags)
			formatVar(flags, &r.format, "output format: text, or json for the state as received")
			r.targetFlags.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			return r.with(ctx, env, func(s *peer.Session, id string) error {
				if r.follow {
					result, err := s.Follow(ctx, id)
					if err != nil {
						return err
					}
					return r.print(caller.Plain(result))
				}
				t, err := s.Task(ctx, id)
				if err != nil {
					return err
				}
				return r.show(t)
			})
		},
	}
}

func taskCancelCommand() command {
	var r taskRun
	return command{
		name:  "task cancel",
		usage: "jptoolgen task cancel [flags] TARGET ID [-- ARGUMENTS]",
		help: `Ask a server to cancel a task. A task that has ended does not change.

` + targetHelp,
		flags: r.targetFlags.define,
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			return r.with(ctx, env, func(s *peer.Session, id string) error { return s.CancelTask(ctx, id) })
		},
	}
}

// with connects to the target and calls do with the id on the command line.
func (r *taskRun) with(ctx context.Context, env Env, do func(*peer.Session, string) error) error {
	r.env = env
	t, words, err := r.parse(env, 0)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return errors.New("the command requires a target and the id of one task")
	}
	if t.Kind == target.Lock {
		return errors.New("a saved contract has no tasks; name a server")
	}
	if r.answers.Given, err = r.readAnswers(env.Dir); err != nil {
		return err
	}
	r.answers.Person = env.asker()
	o := r.opener(env)
	o.Peer = caller.Rounds.Options(o.Peer, r.answers.Ask)
	o.Peer.Progress = (&meter{to: env.Stderr}).show
	conn, err := o.Connect(ctx, t)
	if err != nil {
		return err
	}
	err = do(conn.Session, words[0])
	code, reported := errors.AsType[status](err)
	if reported {
		err = nil
	}
	return cmp.Or(reportUnanswered(env, errors.Join(conn.Explain(err), conn.Close())), exitStatus(int(code)))
}

// show prints the state of a task.
func (r *taskRun) show(t *peer.Task) error {
	if r.format == "json" {
		return printJSON(r.env.Stdout, t.Raw)
	}
	line := terminal.Line(t.Status, 100)
	if t.Message != "" {
		line += ": " + terminal.Line(t.Message, 500)
	}
	fmt.Fprintln(r.env.Stdout, line)
	if t.Status != "completed" {
		return nil
	}
	result, err := t.Outcome()
	if err != nil {
		return err
	}
	return r.print(caller.Plain(result))
}

// print prints a result to standard output, or an error to standard error.
func (r *taskRun) print(out *caller.Outcome) error {
	if r.format == "json" {
		return errors.Join(printJSON(r.env.Stdout, out.Raw), exitStatus(out.Status()))
	}
	to := r.env.Stdout
	if out.IsError {
		to = r.env.Stderr
	}
	return cmp.Or(printText(to, cmp.Or(out.Text, string(out.Structured))), exitStatus(out.Status()))
}
