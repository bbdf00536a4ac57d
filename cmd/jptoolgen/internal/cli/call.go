package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

const callHelp = `Call a tool as a host does, and print its result. Arguments have these forms:

  NAME=VALUE   a value of the type that the schema declares
  NAME:=JSON   a JSON value
  NAME=@FILE   the text of a file
  @FILE        a JSON object of arguments, in a file
  -            a JSON object of arguments, on standard input

Repeat NAME for each item of a list.

Questions are asked in the terminal, or answered with --answer. At the terminal, :decline
declines a question, and Ctrl-D cancels it; --answer can do neither.

With --each, each line of standard input is a JSON object of arguments, and each result is
printed as a line of JSON: the structured content, {"text":…}, or {"error":{…}}. The
command stops at a line that is not an object, and at a question without an answer.

The exit status is 0 on success, 1 if the tool fails, 2 for usage errors and other
errors, and 7 if a question needs an answer and no terminal is attached.

` + targetHelp

// A callRun is one run of the command "call". The fields before env hold the values of flags.
type callRun struct {
	targetFlags
	answerFlags
	saveFlag
	wireFlags
	optionFlags
	limit  limitFlag
	root   string
	format string
	each   bool
	loose  bool // do not check the arguments
	detach bool

	env     Env
	wire    caller.Wire
	answers caller.Answers
	tool    *manifest.Tool
	// one makes a single call.
	one func(context.Context, caller.Call) (*caller.Outcome, error)
}

func callCommand() command {
	var r callRun
	return command{
		name:  "call",
		usage: "jptoolgen call [flags] TARGET TOOL [NAME=VALUE…] [-- ARGUMENTS]",
		help:  callHelp,
		flags: func(flags *pflag.FlagSet) {
			r.answerFlags.define(flags)
			r.optionFlags.define(flags, "tool")
			flags.StringVar(&r.root, "root", "", "`directory` to send as the root, as a JP host does")
			r.wireFlags.define(flags, caller.Wires())
			formatVar(flags, &r.format, "output format: text, or json for the result as received")
			flags.BoolVar(&r.each, "each", false, "make one call per line of standard input, over one connection")
			flags.BoolVar(&r.detach, "detach", false, "if the call becomes a task, print the id of the task and do not wait for its end")
			r.limit.define(flags, "results with --each, and content blocks without it")
			flags.BoolVar(&r.loose, "ignore-schema", false, "send the arguments as given, and do not compare the server of a profile with its saved contract")
			r.saveFlag.define(flags)
			r.targetFlags.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			r.env = env
			return reportUnanswered(env, r.run(ctx))
		},
	}
}

// reportUnanswered prints err and returns the exit status if err means that a question was not answered. Otherwise, it
// returns err.
func reportUnanswered(env Env, err error) error {
	if _, ok := errors.AsType[*caller.WaitingError](err); ok {
		fmt.Fprintln(env.Stderr, "jptoolgen:", terminal.Message(err.Error()))
		return status(exitUnanswered)
	}
	if errors.Is(err, terminal.ErrCanceled) && !errors.Is(err, target.ErrRefused) {
		fmt.Fprintln(env.Stderr, "jptoolgen: canceled")
		return status(exitFindings)
	}
	return err
}

func (r *callRun) run(ctx context.Context) (err error) {
	if r.wire, err = caller.ParseWire(r.wireFlags.wire, caller.Wires()); err != nil {
		return err
	}
	if err := r.limit.check(); err != nil {
		return err
	}
	if r.root != "" {
		r.root = r.env.path(r.root)
	}
	t, rest, err := r.parse(r.env, 0)
	if err != nil {
		return err
	}
	name := t.Tool
	if t.Resource != "" || t.List != "" {
		return errors.New("the URI does not name a tool; use jptoolgen read for resource=, and jptoolgen list for list=")
	}
	if name == "" {
		if len(rest) == 0 {
			return errors.New("call requires a target and a tool; run jptoolgen list TARGET for the tools")
		}
		name, rest = rest[0], rest[1:]
	}
	given, err := readGiven(r, t, rest)
	if err != nil {
		return err
	}
	if r.answers.Given, err = r.readAnswers(r.env.Dir); err != nil {
		return err
	}
	if !given.stdin {
		r.answers.Person = r.env.asker()
	}
	r.saveFlag.prepare(r.env, name)
	contract, end, err := r.connect(ctx, t)
	if err != nil {
		return err
	}
	if t.Kind == target.URL && (len(r.options) > 0 || r.root != "") {
		r.env.note(ignoredOverHTTP)
	}
	code, err := r.calls(ctx, contract, t, name, given)
	if err == nil {
		noteUnused(r.env, r.answers.Unused())
	} else if _, waiting := errors.AsType[*caller.WaitingError](err); waiting {
		noteUnused(r.env, r.answers.Undeclared())
	}
	return cmp.Or(end(err), exitStatus(code))
}

const ignoredOverHTTP = "over HTTP, --option and --root apply only if the server was started with --http-trust-caller"

// noteUnused prints a note for each answer to a question that was not asked.
func noteUnused(env Env, ids []string) {
	for _, id := range ids {
		fmt.Fprintf(env.Stderr, "jptoolgen: note: unused answer %s\n", terminal.Line(id, 100))
	}
}

// connect sets r.one. It returns the contract of the server and a function that ends the connection. The function
// takes the error of the command and adds to it what the server reported.
func (r *callRun) connect(ctx context.Context, t *target.Target) (*manifest.Server, func(error) error, error) {
	o := r.opener(r.env)
	trace := r.tracer(r.env, &r.answers, t, o.Logins)
	local := r.wire.Runs()
	switch {
	case local && (t.Kind == target.URL || t.Kind == target.Lock):
		return nil, nil, fmt.Errorf("--wire %s requires a target that runs a program", r.wire)
	case !local:
		o.Peer.Progress, o.Peer.Trace = (&meter{to: r.env.Stderr}).show, trace
	}
	o.Arguments = r.wire.Flags()
	o.Peer = r.wire.Options(o.Peer, r.answers.Ask)
	c, err := o.Connect(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	end := func(err error) error { return errors.Join(c.Explain(err), c.Close()) }
	surface, err := c.Tools(ctx)
	if local {
		_ = c.Session.Close() // each call starts the program itself
	}
	if err == nil && !r.loose {
		err = r.checkProfile(r.env, surface)
	}
	if err != nil {
		return nil, nil, end(err)
	}
	if local {
		command := c.Command()
		command.Stderr = cmp.Or(o.Stderr, io.Discard)
		r.one = func(ctx context.Context, call caller.Call) (*caller.Outcome, error) {
			return call.Run(ctx, r.wire, command, r.answers.Ask, trace)
		}
		return surface.Contract, func(err error) error { return errors.Join(err, c.Close()) }, nil
	}
	ask := r.answers.Ask
	if r.wire == caller.Unattended {
		ask = func(_ context.Context, q caller.Question) (jsontext.Value, error) { return r.answers.Find(q) }
	}
	r.one = func(ctx context.Context, call caller.Call) (*caller.Outcome, error) {
		return call.On(ctx, c.Session, r.wire, ask)
	}
	return surface.Contract, end, nil
}

// A meter prints the progress of a call. It limits the total number of lines, and prints no faster than a person
// can read.
type meter struct {
	to    io.Writer
	last  time.Time
	lines int
}

func (m *meter) show(p peer.Progress) {
	const pause, limit = 100 * time.Millisecond, 1000
	now := time.Now()
	if now.Sub(m.last) < pause || m.lines == limit {
		return
	}
	m.last = now
	m.lines++
	text := terminal.Line(p.Message, 200)
	if p.Total > 0 {
		text = strings.TrimSpace(fmt.Sprintf("%v/%v %s", p.Done, p.Total, text))
	} else if text == "" {
		text = fmt.Sprint(p.Done)
	}
	fmt.Fprintln(m.to, "…", text)
}

// calls makes the call, or one call per input line with --each.
func (r *callRun) calls(ctx context.Context, contract *manifest.Server, t *target.Target, name string, given toolInput) (code int, err error) {
	if r.tool, err = oneTool(contract, name); err != nil {
		return exitError, t.AddStale(err)
	}
	r.answers.Server, r.answers.Tool = contract.Name, r.tool.Name
	r.answers.Declare(r.tool.Questions)
	call := caller.Call{Tool: name, Questions: r.tool.Questions, Root: r.root, Dir: r.env.Dir, Silence: r.silence(), Detach: r.detach}
	if call.Options, err = r.optionFlags.read(r.env.Dir, contract.Name, "tool", r.tool); err != nil {
		return exitError, err
	}
	if r.wire == caller.Unattended {
		if call.Answers, err = r.answers.Typed(); err != nil {
			return exitError, err
		}
	}
	input := r.tool.Input
	if r.wire == caller.Unattended {
		input = r.tool.InputForModels()
	}
	schema := shape.Read(input)
	if r.each {
		return r.lines(ctx, call, &schema, given)
	}
	if call.Arguments, err = r.arguments(name, &schema, given.words, given.base); err != nil {
		return exitError, t.AddStale(err)
	}
	out, err := r.one(ctx, call)
	if err == nil {
		err = r.saveResult(out)
	}
	if err != nil {
		return exitError, err
	}
	return r.print(out)
}

// arguments returns the arguments of a call to a tool. With --ignore-schema, the schema only helps to choose types.
func (r *callRun) arguments(name string, schema *shape.Schema, list []shape.Assignment, base map[string]jsontext.Value) (jsontext.Value, error) {
	if r.loose {
		return schema.Unchecked(list, base)
	}
	return schema.Arguments(name, list, base)
}

// print prints a result to standard output, or an error to standard error.
func (r *callRun) print(out *caller.Outcome) (int, error) {
	status := out.Status()
	if out.Warning != "" {
		fmt.Fprintln(r.env.Stderr, "jptoolgen: warning:", out.Warning)
	}
	switch misfit := ""; { // an error does not have to match
	case out.IsError || len(r.tool.Output) == 0 || out.Code != "" || out.Task != "":
	case out.Structured == nil && !r.wire.IsJP():
		r.env.note("the result has no structured content, although the tool has an output schema")
	case out.Structured != nil:
		if misfit = shape.Misfit(jsontext.Value(r.tool.Output), out.Structured); misfit != "" {
			r.env.note("the result does not match the output schema of the tool: " + terminal.Line(misfit, 300))
		}
	}
	if status == exitUnanswered && out.Unanswered != nil {
		hint := out.Unanswered.Hint()
		if given, err := r.answers.Find(*out.Unanswered); !out.Unanswered.Exclusive && (given != nil || err != nil) {
			hint = "the server did not use the given answer; use --wire mrtr or, over HTTP, start the server with " +
				strings.Join(append([]string{"--http-trust-caller"}, r.wire.Flags()...), " ")
		}
		defer fmt.Fprintln(r.env.Stderr, hint) // the hint follows the result
	}
	if r.format == "json" {
		return status, printJSON(r.env.Stdout, out.Raw)
	}
	text := out.Text
	if n := r.limit.most; n > 0 && len(out.Texts) > n {
		text = strings.Join(out.Texts[:n], "\n")
	}
	if text == "" && out.Structured != nil {
		text = string(out.Structured)
	}
	to := r.env.Stdout
	if out.IsError {
		to = r.env.Stderr
	}
	return status, printText(to, text)
}
