package cli

import (
	"context"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/explain"
)

func helpCommand() command {
	var man bool
	return command{
		name:  "help",
		usage: "jptoolgen help [COMMAND]\n       jptoolgen help --man",
		help: `Print help for a command, or for jptoolgen itself. With --man, print the manual page of all
commands, for a file such as ~/.local/share/man/man1/jptoolgen.1.`,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&man, "man", false, "print the manual page, in the format of man(7)")
		},
		words: commandWords,
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) error {
			if man {
				if flags.NArg() > 0 {
					return fmt.Errorf("--man prints the manual page of all commands; remove %q or --man", strings.Join(flags.Args(), " "))
				}
				_, err := fmt.Fprint(env.Stdout, manual())
				return err
			}
			if err := removedCommand(flags.Arg(0)); err != nil {
				return err
			}
			cmd, rest := pick(flags.Args())
			if len(rest) > 0 {
				return fmt.Errorf("unknown command %q; run jptoolgen help for the list", strings.Join(flags.Args(), " "))
			}
			_, err := fmt.Fprint(env.Stdout, helpOf(cmd, cmd.flagSet()))
			return err
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
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n", cmd.usage, cmd.help)
	if flags.HasAvailableFlags() {
		b.WriteString("\nFlags:\n" + flags.FlagUsages())
	}
	if cmd.name == "" {
		b.WriteString("\nCommands (run jptoolgen COMMAND --help for the flags):\n")
		for _, c := range commands()[1:] {
			fmt.Fprintf(&b, "  %-17s %s\n", c.name, c.summary())
		}
		b.WriteString("\nDirectives:\n" + directive.Help())
	}
	return b.String()
}

// summary returns the first sentence of c's help.
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
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) error {
			if flags.NArg() > 0 {
				return fmt.Errorf("unexpected argument %q; version takes no arguments", flags.Arg(0))
			}
			printVersion(env)
			return nil
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

func explainCommand() command {
	return command{
		name:  "explain",
		usage: "jptoolgen explain [CODE]",
		help: `Explain the code of a finding, such as JP203: its meaning, an incorrect program and a
correct one. Without a code, list all codes.`,
		words: func() []string {
			var all []string
			for _, k := range diag.Kinds() {
				all = append(all, string(k.Code))
			}
			return all
		},
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) error {
			switch flags.NArg() {
			case 0:
				for _, k := range diag.Kinds() {
					fmt.Fprintf(env.Stdout, "%s  %s\n", k.Code, k.Title)
				}
				return nil
			case 1:
				page, err := explain.Of(diag.Code(strings.ToUpper(flags.Arg(0))))
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(env.Stdout, page)
				return err
			}
			return fmt.Errorf("unexpected argument %q; explain takes one code", flags.Arg(1))
		},
	}
}

// manual returns the manual page, in the format of man(7).
func manual() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH JPTOOLGEN 1 \"\" %q\n", roff("jptoolgen "+programVersion()))
	section := func(title, text string) { fmt.Fprintf(&b, ".SH %s\n%s\n", title, text) }
	section("NAME", roff("jptoolgen - generate, check and try MCP servers"))
	for i, c := range commands() {
		if i == 0 {
			section("SYNOPSIS", literal(c.usage+"\njptoolgen COMMAND [flags] [arguments]"))
			section("DESCRIPTION", prose(c.help)+"\n.PP\n"+literal(c.flagSet().FlagUsages()))
			section("COMMANDS", roff("Run jptoolgen COMMAND --help for help on one command."))
			continue
		}
		fmt.Fprintf(&b, ".SS %s\n%s\n.PP\n%s\n", roff(c.name), literal(c.usage), prose(c.help))
		if usages := c.flagSet().FlagUsages(); usages != "" {
			fmt.Fprintf(&b, ".PP\n%s\n", literal(usages))
		}
	}
	section("DIRECTIVES", literal(directive.Help()))
	section("EXIT STATUS", roff("0 on success, 1 for findings and failed tools, 2 for usage errors and other errors, 7 for a question that needs\nan answer when no terminal is attached."))
	return b.String()
}

// roff escapes text so that roff does not read a line as a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	return regexp.MustCompile(`(?m)^[.']`).ReplaceAllString(text, `\&$0`)
}

// literal formats lines that must be printed unchanged.
func literal(text string) string { return ".nf\n" + roff(strings.Trim(text, "\n")) + "\n.fi" }

// prose formats paragraphs. Only the lines of an indented paragraph, which is a list, are printed unchanged.
func prose(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, " ") {
			paragraphs[i] = literal(p)
		} else {
			paragraphs[i] = roff(p)
		}
	}
	return strings.Join(paragraphs, "\n.PP\n")
}
