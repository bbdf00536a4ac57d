package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/profile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/tty"
)

const targetHelp = `TARGET is one of these:

  DIRECTORY          a Go package, which is built and run
  ./PROGRAM          a program; its arguments follow --
  - -- PROGRAM       a program in PATH
  https://HOST/PATH  a server over HTTP
  FILE.json          a lock file
  @PROFILE           a server that "jptoolgen profile create" has saved
  mcp+npx://PACKAGE  a server that a launcher runs: also mcp+uvx://PACKAGE/COMMAND,
                     mcp+go://PACKAGE@VERSION, mcp+python://FILE, mcp+node://FILE and
                     mcp+exec://PROGRAM?command=ARGUMENT`

// targetFlags holds the flags of all commands that open a target.
type targetFlags struct {
	yes     bool
	timeout time.Duration
	headers []string
	env     []string
	log     bool
	flags   *pflag.FlagSet // the flags of the command
	profile string         // name of the target's profile, or ""
	// writesEnv is set if --env is written to a file and thus applies to every kind of target.
	writesEnv bool
	// toolsOnly is set if a command needs only the tools.
	toolsOnly bool
}

func (f *targetFlags) define(flags *pflag.FlagSet) {
	f.defineForProfile(flags)
	flags.StringArrayVar(&f.headers, "header", nil, "send an HTTP header, `'NAME: VALUE'`, to a URL; ${VARIABLE} is expanded from the environment")
	flags.StringArrayVar(&f.env, "env", nil, "set an environment variable of the program: `NAME=VALUE`; ${VARIABLE} is expanded from the current environment; NAME alone passes its current value")
}

// defineForProfile defines the flags of a command that takes the headers and the environment of its target from a
// profile.
func (f *targetFlags) defineForProfile(flags *pflag.FlagSet) {
	f.flags = flags
	limits := peer.DefaultLimits()
	flags.BoolVarP(&f.yes, "yes", "y", false, "run downloaded code, and servers from the project's configuration files, without asking")
	flags.DurationVar(&f.timeout, "timeout", limits.Silence, "maximum time to wait for a response")
	flags.Lookup("timeout").DefValue += ", 5m for tool calls" // --help shows DefValue as the default
	flags.BoolVar(&f.log, "server-log", false, "show the server's standard error")
}

// parse returns the target that a command line names, and the words after it. It skips the first skip words,
// which the command reads itself.
func (f *targetFlags) parse(env Env, skip int) (*target.Target, []string, error) {
	before, more := sideAndMore(f.flags)
	before = before[min(skip, len(before)):]
	word := ""
	if len(before) > 0 {
		word, before = before[0], before[1:]
	}
	t, err := f.namedTarget(env, word, more)
	if err == nil {
		err = f.fit(t.Kind)
	}
	return t, before, err
}

// fit returns an error for a flag that does not apply to any of the given kinds of target.
func (f *targetFlags) fit(kinds ...target.Kind) error {
	runs := func(k target.Kind) bool { return k != target.URL && k != target.Lock }
	switch {
	case len(f.headers) > 0 && !slices.Contains(kinds, target.URL):
		return errors.New("--header requires a URL target")
	case len(f.env) > 0 && !f.writesEnv && !slices.ContainsFunc(kinds, runs):
		if slices.Contains(kinds, target.URL) {
			return errors.New("--env cannot be used with a URL target")
		}
		return errors.New("--env requires a target that runs a program")
	}
	return nil
}

// namedTarget returns the target that a word names, with the values of the flags added.
func (f *targetFlags) namedTarget(env Env, word string, more []string) (*target.Target, error) {
	t, err := target.Parse(env.Dir, word, more, profilesIn(env))
	if err != nil {
		return nil, err
	}
	if f.profile, _, _, err = profile.Split(word); err != nil {
		return nil, err
	}
	headers, err := target.ParseHeaders(f.headers)
	if err != nil {
		return nil, err
	}
	t.Header = append(t.Header, headers...)
	for _, v := range f.env {
		name, value, err := parseEnv(v)
		if err != nil {
			return nil, err
		}
		t.Env = append(t.Env, name+"="+value)
	}
	return t, f.checkTimeout()
}

func (f *targetFlags) checkTimeout() error {
	if f.timeout <= 0 {
		return errors.New("--timeout must be positive, e.g. 30s")
	}
	return nil
}

// parseEnv parses the value of --env. NAME alone is short for NAME=${NAME}.
func parseEnv(word string) (name, value string, err error) {
	name, value, given := strings.Cut(word, "=")
	if name == "" {
		return "", "", errors.New("--env must be NAME=VALUE or NAME")
	}
	if !given {
		value = "${" + name + "}"
	}
	return name, value, nil
}

// toolTime is the default timeout for a tool call. It is longer than the timeout for other
// requests, because tools can take a long time.
const toolTime = 5 * time.Minute

// silence returns the timeout for a tool call.
func (f *targetFlags) silence() time.Duration {
	if f.flags.Changed("timeout") {
		return f.timeout
	}
	return toolTime
}

// collectAt is the heap size, in bytes, above which garbage is collected more often.
const collectAt = 256 << 20

// opener returns an Opener that is configured by the flags.
func (f *targetFlags) opener(env Env) target.Opener {
	debug.SetMemoryLimit(collectAt) // a server can send a lot of data
	limits := peer.DefaultLimits()
	limits.Silence = f.timeout
	o := target.Opener{Peer: peer.Options{Limits: limits, ClientVersion: programVersion(), Note: func(text string) { env.note(text) }}, TimeoutSet: f.flags.Changed("timeout"), Logins: logins(), ToolsOnly: f.toolsOnly}
	if f.log {
		o.Stderr = terminal.Cleaner{To: env.Stderr}
	}
	switch {
	case f.yes:
		o.Confirm = func(context.Context, string) (bool, error) { return true, nil }
	case tty.Is(env.Stdin):
		o.Confirm = func(ctx context.Context, happens string) (bool, error) {
			ask := env.asker()
			ask.Say("This " + happens)
			return ask.Confirm(ctx, "Continue?")
		}
	}
	return o
}

// wireFlags select the protocol of a request, and whether its messages are printed.
type wireFlags struct {
	wire  string
	trace bool
}

func (f *wireFlags) define(flags *pflag.FlagSet, wires []string) {
	flags.StringVar(&f.wire, "wire", "", "wire format: "+strings.Join(wires, ", ")+"; mrtr asks questions through MCP's multi round-trip requests, elicit through MCP elicitation, and \"none\" asks no questions (default: MCP, in the version that the server supports)")
	completeFlag(flags, "wire", wires)
	flags.BoolVar(&f.trace, "trace", false, "print every message to standard error; secrets, and values whose names suggest secrets, are redacted")
}

// tracer returns a function that prints a message, or nil if --trace is not set.
func (f *wireFlags) tracer(env Env, answers *caller.Answers, t *target.Target, logins target.Logins) func(peer.Direction, []byte) {
	if !f.trace {
		return nil
	}
	secrets := t.Secrets()
	return func(d peer.Direction, message []byte) {
		hidden := slices.Concat(secrets, logins.Secrets()) // a token may have been refreshed
		fmt.Fprintln(env.Stderr, d, terminal.Clean(answers.Redact(message, hidden)))
	}
}

// asker returns an Asker for the person at the terminal, or nil if no terminal is attached.
func (env Env) asker() *terminal.Asker {
	if !tty.Is(env.Stdin) {
		return nil
	}
	return terminal.NewAsker(env.Stdin, env.Stderr)
}

// note prints notes for the user. A note is not an error.
func (env Env) note(texts ...string) {
	for _, text := range texts {
		fmt.Fprintln(env.Stderr, "jptoolgen: note:", terminal.Line(text, 500))
	}
}

// printClean prints text without the control characters that a terminal could interpret.
func printClean(w io.Writer, text string) error {
	_, err := io.WriteString(w, terminal.Clean(text))
	return err
}
