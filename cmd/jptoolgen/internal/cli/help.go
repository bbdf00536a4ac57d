package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
)

func helpCommand() command {
	var man bool
	return command{
		name:  "help",
		usage: "jptoolgen help [COMMAND]\n       jptoolgen help --man",
		help: `Print the help of a command, or of jptoolgen. With --man, print the manual page of all
commands, for a file such as ~/.local/share/man/man1/jptoolgen.1.`,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&man, "man", false, "print the manual page, in the format of man(7)")
		},
		words: commandWords,
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) (int, error) {
			if man {
				fmt.Fprint(env.Stdout, manual())
				return exitOK, nil
			}
			cmd, rest := pick(flags.Args())
			if len(rest) > 0 {
				return exitError, fmt.Errorf("unknown command %q; run jptoolgen help for the list", strings.Join(flags.Args(), " "))
			}
			fmt.Fprint(env.Stdout, helpOf(cmd, cmd.flagSet()))
			return exitOK, nil
		},
	}
}

// commandWords returns the first words of all commands.
func commandWords() []string {
	var all []string
	for _, c := range commands()[1:] {
		first, _, _ := strings.Cut(c.name, " ")
		all = append(all, first)
	}
	return slices.Compact(all)
}

func helpOf(cmd command, flags *pflag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n\nFlags:\n%s", cmd.usage, cmd.help, flags.FlagUsages())
	if cmd.name == "" {
		b.WriteString("\nCommands (run jptoolgen COMMAND --help for the flags):\n")
		for _, c := range commands()[1:] {
			fmt.Fprintf(&b, "  %-17s %s\n", c.name, c.summary())
		}
		b.WriteString("\nDirectives:\n" + directive.Help())
	}
	return b.String()
}

// summary returns the first sentence of the help of c.
func (c command) summary() string {
	does, _, _ := strings.Cut(strings.Join(strings.Fields(c.help), " "), ". ")
	does, _, _ = strings.Cut(strings.TrimSuffix(does, "."), ": ")
	return does
}

func versionCommand() command {
	return command{
		name:  "version",
		usage: "jptoolgen version",
		help:  "Print the version.",
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) (int, error) {
			if flags.NArg() > 0 {
				return exitError, fmt.Errorf("unexpected argument %q; version takes no arguments", flags.Arg(0))
			}
			printVersion(env)
			return exitOK, nil
		},
	}
}

func printVersion(env Env) { fmt.Fprintln(env.Stdout, "jptoolgen", programVersion()) }

// programVersion returns the version of the module that the program was built from.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
}
