// Package cli implements the command line. Each command has its own file.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/phrase"
)

// The exit statuses of jptoolgen.
const (
	exitOK         = 0 // success, nothing to report
	exitFindings   = 1 // findings, pending changes with --check, or a tool that failed
	exitError      = 2 // wrong usage, or an error that prevented the work
	exitUnanswered = 7 // a question needs an answer and no terminal is attached
)

// A status is an exit status other than 0. A command returns it as an error after printing the reason.
type status int

// Error implements error.
func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// exitStatus returns a status as an error, or nil for success.
func exitStatus(code int) error {
	if code == exitOK {
		return nil
	}
	return status(code)
}

// findingsIf returns the exit status for findings if found is set, and nil otherwise.
func findingsIf(found bool) error {
	if found {
		return status(exitFindings)
	}
	return nil
}

// An Env is the environment that a command runs in.
type Env struct {
	Dir            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// path returns the absolute path of a file named on the command line.
func (e Env) path(name string) string { return files.Join(e.Dir, name) }

type command struct {
	name  string // "" for the default command
	usage string
	help  string
	run   func(ctx context.Context, env Env, flags *pflag.FlagSet) error
	flags func(*pflag.FlagSet)
	// words returns the possible values of the first argument, for completion. If words is nil, any value is
	// possible.
	words func() []string
}

// flagSet returns the flags of c, without the flags that every command has.
func (c command) flagSet() *pflag.FlagSet {
	flags := pflag.NewFlagSet("jptoolgen", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.SortFlags = false
	if c.flags != nil {
		c.flags(flags)
	}
	return flags
}

// commands returns all commands. The first words of the command line select one.
func commands() []command {
	return []command{
		generateCommand(),
		initCommand(),
		adoptCommand(),
		vetCommand(),
		devCommand(),
		docsCommand(),
		clientCommand(),
		configCommand(),
		bundleCommand(),
		publishCommand(),
		inspectCommand(),
		listCommand(),
		lockCommand(),
		hashCommand(),
		diffCommand(),
		costCommand(),
		callCommand(),
		readCommand(),
		promptCommand(),
		taskCommand(),
		taskGetCommand(),
		taskCancelCommand(),
		loginCommand(),
		logoutCommand(),
		profileCommand(),
		profileCreateCommand(),
		profileListCommand(),
		profileShowCommand(),
		profileValidateCommand(),
		profileUpdateCommand(),
		profileRemoveCommand(),
		explainCommand(),
		helpCommand(),
		versionCommand(),
		completionCommand(),
	}
}

// Main runs the command line and returns the exit status of the process.
func Main(ctx context.Context, args []string) int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "jptoolgen:", err)
		return exitError
	}
	return Run(ctx, Env{dir, os.Stdin, os.Stdout, os.Stderr}, args)
}

// Run runs a command line, passed without the program name, and returns the exit status: 0 for success, 1 for
// findings and failed tools, 2 for errors, and 7 for a question that could not be asked.
func Run(ctx context.Context, env Env, args []string) int {
	if len(args) > 0 {
		if err := removedCommand(args[0]); err != nil {
			fmt.Fprintln(env.Stderr, "jptoolgen:", err)
			return exitError
		}
	}
	cmd, args := pick(args)
	flags := cmd.flagSet()
	help, version := everyCommand(flags)
	err := flags.Parse(args)
	gone := removedFlag(cmd, err)
	switch {
	case gone != nil:
		fmt.Fprintln(env.Stderr, "jptoolgen:", gone)
		return exitError
	case errors.Is(err, pflag.ErrHelp) || err == nil && *help:
		fmt.Fprint(env.Stdout, helpOf(cmd, flags))
		return exitOK
	case err == nil && *version:
		printVersion(env)
		return exitOK
	case err != nil:
		wanted := map[string]string{"bool": "true or false", "int": "an integer", "duration": "a duration, e.g. 30s"}
		if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok && wanted[e.GetFlag().Value.Type()] != "" {
			err = fmt.Errorf("invalid argument %q for \"--%s\" flag: must be %s", e.GetValue(), e.GetFlag().Name, wanted[e.GetFlag().Value.Type()])
		}
		fmt.Fprintf(env.Stderr, "jptoolgen: %v; run %s --help for the flags\n", err, strings.TrimSpace("jptoolgen "+cmd.name))
		return exitError
	}
	if cmd.name == "" && flags.NArg() > 0 {
		err = checkCommandWord(env.Dir, flags.Arg(0))
	}
	if err == nil {
		err = cmd.run(ctx, env, flags)
	}
	if code, reported := err.(status); reported { //nolint:errorlint // a status that is part of another error does not count
		return int(code)
	}
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		fmt.Fprintln(env.Stderr, "jptoolgen: interrupted")
	case errors.Is(err, exec.ErrNotFound):
		fmt.Fprintf(env.Stderr, "jptoolgen: %s; install it, or add its directory to PATH\n", terminal.Message(err.Error()))
	default: // the message may contain text from a server
		fmt.Fprintln(env.Stderr, "jptoolgen:", strings.TrimRight(terminal.Message(err.Error()), "\n"))
	}
	return exitError
}

// everyCommand adds the flags that every command has.
func everyCommand(flags *pflag.FlagSet) (help, version *bool) {
	return flags.BoolP("help", "h", false, "print this help"), flags.Bool("version", false, "print the version")
}

// pick returns the command that the first one or two words name, and the remaining words.
func pick(args []string) (command, []string) {
	all := commands()
	for words := min(2, len(args)); words > 0; words-- {
		name := strings.Join(args[:words], " ")
		for _, c := range all {
			if c.name != "" && c.name == name {
				return c, args[words:]
			}
		}
	}
	if len(args) > 0 && strings.HasPrefix(args[0], "mcp+") { // a URI that names its operation
		name, word := target.Operation(args[0])
		i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
		if word != "" {
			args = slices.Insert(slices.Clone(args), 1, word)
		}
		return all[i], args
	}
	return all[0], args
}

// checkCommandWord returns an error if word looks like a misspelled command and is neither a command nor a directory. A
// word such as "diff" could also be the directory of a package.
func checkCommandWord(dir, word string) error {
	if _, err := os.Stat(filepath.Join(dir, word)); err == nil || strings.ContainsAny(word, `./\`) {
		return nil
	}
	if near, ok := phrase.Nearest(word, commandWords()); ok {
		return fmt.Errorf("unknown command %q; did you mean jptoolgen %s?", word, near)
	}
	return nil
}

// A choice is a flag whose value is one of several words. The default is the initial value of the variable.
type choice[T ~string] struct {
	value *T
	words []string
}

// chooseVar defines a flag that accepts the known values of a type.
func chooseVar[T ~string](flags *pflag.FlagSet, value *T, name string, known []T, usage string) {
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	flags.Var(choice[T]{value, words}, name, usage)
	completeFlag(flags, name, words)
}

// formatVar defines the --format flag of commands that print text for people or JSON for programs.
func formatVar(flags *pflag.FlagSet, format *string, usage string) {
	*format = "text"
	chooseVar(flags, format, "format", []string{"text", "json"}, usage)
}

// String returns the current value.
func (c choice[T]) String() string {
	if c.value == nil { // pflag calls String on a zero value
		return ""
	}
	return string(*c.value)
}

// Type implements [pflag.Value].
func (c choice[T]) Type() string { return "string" }

// Set sets the value.
func (c choice[T]) Set(word string) error {
	if last := len(c.words) - 1; !slices.Contains(c.words, word) {
		return errors.New("must be " + strings.Join(c.words[:last], ", ") + " or " + c.words[last])
	}
	*c.value = T(word)
	return nil
}
