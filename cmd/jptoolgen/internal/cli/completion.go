package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// scripts returns the completion scripts, keyed by shell name. The scripts ask this program for the possible next
// words of a command line, and fall back to file names.
func scripts() map[string]string {
	return map[string]string{
		"bash": `_jptoolgen() {
	local IFS=$'\n'
	COMPREPLY=($("${COMP_WORDS[0]/#\~\//$HOME/}" completion -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _jptoolgen jptoolgen
`,
		"zsh": `#compdef jptoolgen
_jptoolgen() {
	local -a replies
	replies=(${(f)"$("${words[1]/#\~\//$HOME/}" completion -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	if (( $#replies )); then compadd -a replies; else _files; fi
}
if [ "$funcstack[1]" = "_jptoolgen" ]; then _jptoolgen; else compdef _jptoolgen jptoolgen; fi
`,
		"fish": `function __jptoolgen
	set -l words (commandline -opc) (commandline -ct)
	set words[1] (string replace -r '^~/' "$HOME/" -- $words[1])
	$words[1] completion -- $words[2..-1] 2>/dev/null
end
complete -c jptoolgen -n '__jptoolgen | string length -q' -f -a '(__jptoolgen)'
`,
	}
}

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
			script, ok := scripts()[flags.Arg(0)]
			if !ok || flags.NArg() != 1 {
				return fmt.Errorf("completion requires one shell (known: %s)", strings.Join(shells(), ", "))
			}
			_, err := fmt.Fprint(env.Stdout, script)
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
