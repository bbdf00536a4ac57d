// Package cli is the command line, one file a command.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/sdk/gen/decode"
)

// Exit statuses.
const (
	well     = 0 // done, nothing to say
	findings = 1 // findings, or something would change; a tool that failed
	trouble  = 2 // wrong usage, or the work could not be done
	unasked  = 7 // a question waits for an answer, and nobody can be asked
)

// An Env is the surroundings of a command.
type Env struct {
	Dir            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// path returns where a file lies that the command line names.
func (e Env) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// A command is a thing jptoolgen does.
type command struct {
	name  string // "" for what it does without one
	usage string
	help  string
	run   func(ctx context.Context, env Env, flags *pflag.FlagSet) (status int, err error)
	flags func(*pflag.FlagSet)
	// words are those that its first argument may be, for completion; nil where it may be any.
	words func() []string
}

// flagSet returns the flags of c, without those of every command.
func (c command) flagSet() *pflag.FlagSet {
	flags := pflag.NewFlagSet("jptoolgen", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.SortFlags = false
	if c.flags != nil {
		c.flags(flags)
	}
	return flags
}

// commands are all there are. The first word of the command line picks one.
func commands() []command {
	return []command{
		generateCommand(),
		initCommand(),
		vetCommand(),
		devCommand(),
		docsCommand(),
		clientCommand(),
		configCommand(),
		bundleCommand(),
		inspectCommand(),
		listCommand(),
		lockCommand(),
		hashCommand(),
		diffCommand(),
		callCommand(),
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
		return trouble
	}
	return Run(ctx, Env{dir, os.Stdin, os.Stdout, os.Stderr}, args)
}

// Run runs a command line, without the name of the program, and returns an exit
// status: 0 for well, 1 for findings and failed tools, 2 for trouble, 7 for a question that
// nobody could be asked.
func Run(ctx context.Context, env Env, args []string) int {
	cmd, args := pick(args)
	flags := cmd.flagSet()
	help, version := everyCommand(flags)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp) || err == nil && *help:
		fmt.Fprint(env.Stdout, helpOf(cmd, flags))
		return well
	case err == nil && *version:
		printVersion(env)
		return well
	case err != nil:
		fmt.Fprintf(env.Stderr, "jptoolgen: %v; %s --help lists the flags\n", err, strings.TrimSpace("jptoolgen "+cmd.name))
		return trouble
	}
	if cmd.name == "" && flags.NArg() > 0 {
		err = mistyped(env.Dir, flags.Arg(0))
	}
	status := trouble
	if err == nil {
		status, err = cmd.run(ctx, env, flags)
	}
	if err != nil && ctx.Err() != nil {
		fmt.Fprintln(env.Stderr, "jptoolgen: interrupted")
		return trouble
	}
	if err != nil {
		// A server may have had a hand in the message.
		fmt.Fprintln(env.Stderr, "jptoolgen:", terminal.Message(err.Error()))
		return trouble
	}
	return status
}

// everyCommand adds the flags that every command has.
func everyCommand(flags *pflag.FlagSet) (help, version *bool) {
	return flags.BoolP("help", "h", false, "print this help"), flags.Bool("version", false, "print the version")
}

// pick returns the command that the first word names, or the first two, and the words
// after it.
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
	return all[0], args
}

// mistyped returns an error if a word is no command and no directory, and looks like
// a command: "diff" would be a package, if there were one.
func mistyped(dir, word string) error {
	if _, err := os.Stat(filepath.Join(dir, word)); err == nil || strings.ContainsAny(word, `./\`) {
		return nil
	}
	if near, ok := decode.Nearest(word, commandWords()); ok {
		return fmt.Errorf("%s is no command; did you mean jptoolgen %s?", word, near)
	}
	return nil
}
