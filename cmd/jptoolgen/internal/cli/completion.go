package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/templates"
)

// shells returns the names of the shells that have a script. A script asks this program for the possible next words of
// a command line, and falls back to file names.
func shells() []string { return []string{"bash", "zsh", "fish"} }

func completionCommand() command {
	return command{
		name:  "completion",
		usage: "jptoolgen completion bash|zsh|fish\n       jptoolgen completion -- WORD...",
		help: `Print a script that completes the commands and flags of jptoolgen in a shell:

  bash  source <(jptoolgen completion bash)    in ~/.bashrc
  zsh   source <(jptoolgen completion zsh)     in ~/.zshrc, after compinit
  fish  jptoolgen completion fish | source     in ~/.config/fish/config.fish

The script runs jptoolgen completion -- WORD..., with the words of the command line, and reads the
candidates for the last word, one per line.`,
		words: shells,
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) error {
			if flags.ArgsLenAtDash() == 0 {
				for _, c := range candidates(flags.Args()) {
					fmt.Fprintln(env.Stdout, c)
				}
				return nil
			}
			if flags.NArg() != 1 || !slices.Contains(shells(), flags.Arg(0)) {
				return fmt.Errorf("completion requires one shell (known: %s)", strings.Join(shells(), ", "))
			}
			script, err := templates.Files.ReadFile("completion/" + flags.Arg(0))
			if err != nil {
				return fmt.Errorf("reading a template: %w", err)
			}
			_, err = env.Stdout.Write(script)
			return err
		},
	}
}

// valuesOf is the key of the annotation that holds a flag's possible values.
const valuesOf = "values"

// completeFlag sets the possible values of a flag, for completion.
func completeFlag(flags *pflag.FlagSet, name string, values []string) {
	flags.Lookup(name).Annotations = map[string][]string{valuesOf: values}
}

// candidates returns the possible values of the last word of a command line: commands, flags, the known values of a
// flag and the known arguments of the command. Words before or after a "=" may be separate, because bash splits there.
func candidates(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	if slices.Contains(before, "--") {
		return nil // the words after -- are arguments of another program
	}
	name, prefix := "", ""
	if flag, _, joined := strings.Cut(last, "="); joined && flag != "" {
		name, prefix = flag, flag+"="
	} else if joined {
		last = "" // bash has split the word, so the flag is the last word of before
	} else if n := len(before); n > 1 && before[n-1] == "=" {
		before = before[:n-1]
	}
	if n := len(before); name == "" && n > 0 {
		name = before[n-1]
	}
	cmd, args := pick(before)
	flags := cmd.flagSet()
	everyCommand(flags)
	flag := flags.Lookup(strings.TrimPrefix(name, "--"))
	var all []string
	switch {
	case strings.HasPrefix(name, "--") && flag != nil && (flag.NoOptDefVal == "" || prefix != ""):
		for _, value := range flag.Annotations[valuesOf] {
			all = append(all, prefix+value)
		}
	case strings.HasPrefix(last, "-"):
		flags.VisitAll(func(f *pflag.Flag) { all = append(all, "--"+f.Name) })
	case cmd.name == "help" && len(args) == 1:
		all = secondWords(args[0])
	case len(args) > 0:
	case cmd.name == "":
		all = commandWords()
	case cmd.words != nil:
		all = cmd.words()
	default:
		all = secondWords(cmd.name)
	}
	return slices.DeleteFunc(all, func(c string) bool { return !strings.HasPrefix(c, last) })
}

// secondWords returns the second words of the commands whose first word is first.
func secondWords(first string) (all []string) {
	for _, c := range commands() {
		if second, ok := strings.CutPrefix(c.name, first+" "); ok {
			all = append(all, second)
		}
	}
	return all
}
