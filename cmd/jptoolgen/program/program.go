// Package program runs the command-line tools that "jptoolgen client --cli" writes.
//
// Such a program has a command for each tool of a server, with a flag for each parameter. It asks the questions
// of tools at the terminal. Like jptoolgen call, it treats the server as untrusted. Only generated code uses
// this package.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/login"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/tty"
)

// A Server is a server and its tools.
type Server struct {
	// Name is the name of the server and of the program. Description describes the server.
	Name, Description string
	// Command starts the server, and URL is its URL. If both are empty, the user names the server.
	Command []string
	URL     string
	Tools   []Tool
}

// A Tool is a tool of the server.
type Tool struct {
	Name, Description string
	// Input is the schema of the arguments, as JSON.
	Input string
}

// exitError is the exit status for wrong usage and other errors.
const exitError = 2

// Main runs the command line of the process and exits.
func Main(s Server) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	endOrphans := peer.AdoptOrphans()
	r := run{server: s, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	status, err := r.main(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %s\n", terminal.Line(s.Name, 80), terminal.Message(err.Error()))
	}
	endOrphans()
	stop()
	os.Exit(status)
}

// A run is one run of a program. The fields from url to timeout hold the values of flags.
type run struct {
	server         Server
	stdin          io.Reader
	stdout, stderr io.Writer

	url              string
	headers, answers []string
	json             bool
	timeout          time.Duration

	tool    Tool
	input   shape.Schema
	given   []shape.Assignment
	command []string // the words after --
}

// main runs the command line. It returns the exit status: 0 for success, 1 if the tool fails, 2 for
// errors, and 7 for an unanswered question.
func (r *run) main(ctx context.Context, args []string) (int, error) {
	flags := r.flags()
	switch err := flags.Parse(args); {
	case errors.Is(err, pflag.ErrHelp) || err == nil && flags.NArg() == 0 && flags.ArgsLenAtDash() < 0:
		return 0, r.help(flags)
	case err != nil:
		return exitError, fmt.Errorf("%w; run %s --help for the flags", err, r.server.Name)
	case r.timeout <= 0:
		return exitError, errors.New("--timeout must be positive, e.g. 30s")
	case flags.ArgsLenAtDash() == 0:
		return exitError, fmt.Errorf("missing tool before --; run %s --help for the tools", r.server.Name)
	}
	i := slices.IndexFunc(r.server.Tools, func(t Tool) bool { return t.Name == flags.Arg(0) })
	if i < 0 {
		return exitError, r.unknown(flags.Arg(0))
	}
	r.tool = r.server.Tools[i]
	r.input = shape.Read(jsontext.Value(r.tool.Input))
	own := r.parameters()
	switch err := own.Parse(flags.Args()[1:]); {
	case errors.Is(err, pflag.ErrHelp):
		return 0, r.print(r.tool.Description + "\n\nFlags:\n" + own.FlagUsages())
	case err != nil:
		if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && flags.Lookup(unknown.GetSpecifiedName()) != nil {
			return exitError, fmt.Errorf("--%s must precede %s", unknown.GetSpecifiedName(), r.tool.Name)
		}
		return exitError, fmt.Errorf("%w; run %s %s --help for the flags", err, r.server.Name, r.tool.Name)
	}
	words := own.Args()
	if n := own.ArgsLenAtDash(); n >= 0 {
		words, r.command = words[:n], words[n:]
	}
	for _, word := range words {
		a, err := shape.Assign(word, ".")
		if err != nil {
			return exitError, err
		}
		r.given = append(r.given, a)
	}
	return r.call(ctx)
}

// flags returns the flags that precede the name of the tool.
func (r *run) flags() *pflag.FlagSet {
	flags := pflag.NewFlagSet(r.server.Name, pflag.ContinueOnError)
	flags.SetInterspersed(false)
	flags.Usage = func() {}
	flags.StringVar(&r.url, "url", r.server.URL, "`URL` of the server")
	flags.StringArrayVar(&r.headers, "header", nil, "send an HTTP header, `'NAME: VALUE'`, to the URL; ${VARIABLE} is expanded from the environment")
	flags.StringArrayVar(&r.answers, "answer", nil, "answer a question: `ID=VALUE` or ID:=JSON; ID.FIELD=VALUE for a field of a form; to decline a question, type :decline at the terminal")
	flags.BoolVar(&r.json, "json", false, "print the result as received, as JSON")
	flags.DurationVar(&r.timeout, "timeout", 5*time.Minute, "maximum time to wait for a response")
	return flags
}

// parameters returns the flags of the tool. A parameter whose name cannot be a flag name is passed as
// NAME=VALUE. This includes "help", because --help must not call the tool.
func (r *run) parameters() *pflag.FlagSet {
	flags := pflag.NewFlagSet(r.tool.Name, pflag.ContinueOnError)
	flags.Usage = func() {}
	for _, p := range r.input.Properties {
		if p.Name == "" || p.Name == "help" || strings.HasPrefix(p.Name, "-") || strings.ContainsAny(p.Name, "= \t\n") || flags.Lookup(p.Name) != nil {
			continue
		}
		usage := phrase.OneLine(p.Description)
		if p.Default != nil {
			usage += " (default " + string(p.Default) + ")"
		}
		if p.Required {
			usage += " (required)"
		}
		// pflag uses a word between backquotes as the type.
		f := flags.VarPF(&parameter{r, p}, p.Name, "", strings.TrimSpace(strings.ReplaceAll(usage, "`", "'")))
		if slices.Equal(p.Kinds(), []string{"boolean"}) {
			f.NoOptDefVal = "true"
		}
	}
	return flags
}

// A parameter is the flag for a parameter of the tool. Set only records a value, because all values are
// converted together.
type parameter struct {
	run *run
	shape.Property
}

// String returns "", because the help shows the default.
func (p *parameter) String() string { return "" }

// Type describes the values for the help text.
func (p *parameter) Type() string { return p.Schema.Type() }

// Set records a value. The items of a list may be passed one by one.
func (p *parameter) Set(word string) error {
	p.run.given = append(p.run.given, shape.Assignment{Name: p.Name, Word: word})
	return nil
}

func (r *run) unknown(name string) error {
	var names []string
	for _, t := range r.server.Tools {
		names = append(names, t.Name)
	}
	if near, ok := phrase.Nearest(name, names); ok {
		return fmt.Errorf("unknown tool %q; did you mean %s?", name, near)
	}
	return fmt.Errorf("unknown tool %q; run %s --help for the tools", name, r.server.Name)
}

func (r *run) help(flags *pflag.FlagSet) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s [flags] TOOL [tool flags] [NAME=VALUE…] [-- SERVER ARGUMENTS]\n\n", r.server.Name)
	if r.server.Description != "" {
		fmt.Fprintf(&b, "%s\n\n", r.server.Description)
	}
	b.WriteString("Tools (run TOOL --help for the flags of a tool):\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, t := range r.server.Tools {
		summary, _ := phrase.SplitSentence(t.Description)
		fmt.Fprintf(w, "  %s\t%s\n", terminal.Line(t.Name, 64), terminal.Line(summary, 100))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	b.WriteString("\nFlags:\n" + flags.FlagUsages())
	return r.print(b.String())
}

func (r *run) print(text string) error {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(r.stdout, terminal.Clean(text))
	return err
}

// target returns the server to call: the program after --, the URL in --url, or the server in the
// generated code.
func (r *run) target() (t *target.Target, err error) {
	t = &target.Target{Kind: target.Command, Argv: r.server.Command}
	switch {
	case len(r.command) > 0:
		t.Argv = r.command
	case r.url != "":
		if t, err = target.ParseURL(r.url); err != nil {
			return nil, err
		}
	case len(t.Argv) == 0:
		return nil, errors.New("missing server; add --url URL before the tool, or -- PROGRAM ARGUMENTS at the end")
	}
	t.Header, err = target.ParseHeaders(r.headers)
	return t, err
}

func (r *run) call(ctx context.Context) (int, error) {
	t, err := r.target()
	if err != nil {
		return exitError, err
	}
	call := caller.Call{Tool: r.tool.Name, Silence: r.timeout}
	if call.Arguments, err = r.input.Arguments(r.tool.Name, r.given, nil); err != nil {
		return exitError, err
	}
	answers := caller.Answers{Given: map[string]shape.Assignment{}, Server: r.server.Name, Tool: r.tool.Name}
	for _, word := range r.answers {
		a, err := shape.Assign(word, ".")
		if err != nil {
			return exitError, fmt.Errorf("--answer: %w", err)
		}
		answers.Given[a.Name] = a
	}
	if tty.Is(r.stdin) {
		answers.Person = terminal.NewAsker(r.stdin, r.stderr)
	}
	config, _ := os.UserConfigDir() // on error, config is "", and the store has no logins
	limits := peer.DefaultLimits()
	limits.Silence = min(limits.Silence, r.timeout)
	o := target.Opener{Peer: caller.Auto.Options(peer.Options{Limits: limits}, answers.Ask), Logins: login.Open(config)}
	c, err := o.Connect(ctx, t)
	if err != nil {
		return exitError, err
	}
	out, err := r.one(ctx, c, call, &answers)
	if err = errors.Join(c.Explain(err), c.Close()); err != nil {
		return caller.StatusOf(err), err
	}
	return out.Status(), r.result(out)
}

// one makes the call. The server's contract declares the questions of the tool.
func (r *run) one(ctx context.Context, c *target.Conn, call caller.Call, answers *caller.Answers) (*caller.Outcome, error) {
	surface, err := c.Tools(ctx)
	if err != nil {
		return nil, err
	}
	if now, ok := surface.Contract.Tool(call.Tool); ok {
		answers.Declare(now.Questions)
		call.Questions = now.Questions
	}
	return call.On(ctx, c.Session, caller.Auto, answers.Ask)
}

func (r *run) result(out *caller.Outcome) error {
	switch {
	case r.json:
		return r.print(terminal.Escape(string(out.Raw)))
	case out.IsError:
		text := out.Text
		if out.Unanswered != nil {
			text += "\n" + out.Unanswered.Hint()
		}
		return errors.New(text)
	case out.Text == "" && out.Structured != nil:
		return r.print(string(out.Structured))
	}
	return r.print(out.Text)
}
