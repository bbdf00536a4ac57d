package cli

import (
	"context"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/cost"
)

func costCommand() command {
	var t targetFlags
	var against, format string
	return command{
		name:  "cost",
		usage: "jptoolgen cost [flags] TARGET [-- ARGUMENTS]",
		help: `Count the tokens of a server's list of tools: the part that clients send to the model
(names, descriptions and input schemas), the whole list, and the list with output schemas.
The command also counts each tool and its parts. The count is exact for the o200k_base
encoding, and an estimate for models with another tokenizer. docs/clients.md explains the rows.

` + targetHelp + "\n\n" + sourcesHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&against, "against", "", "compare with `OLD`: a lock file, REVISION:PATH, the directory of a package or any TARGET")
			formatVar(flags, &format, "output format: text or json")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			report, err := t.cost(ctx, env, against)
			if err != nil {
				return err
			}
			if format == "json" {
				return printJSON(env.Stdout, report)
			}
			return printClean(env.Stdout, report.Text())
		},
	}
}

// cost counts the tokens in the tool list of the target that the command line names. If against is not "", it
// compares them with the tokens in the contract that against names.
func (f *targetFlags) cost(ctx context.Context, env Env, against string) (*cost.Report, error) {
	if against == "" {
		s, err := f.oneSide(ctx, env)
		if err != nil {
			return nil, err
		}
		return s.cost()
	}
	words, more := sideAndMore(f.flags)
	if len(words) > 1 {
		return nil, unexpectedArgument(words[1:])
	}
	old, now, err := f.pair(ctx, env, against, strings.Join(words, ""), more)
	if err != nil {
		return nil, err
	}
	report, err := now.cost()
	if err != nil {
		return nil, err
	}
	report.Before, err = old.cost()
	return report, err
}

// cost counts the tokens of the tool list.
func (s side) cost() (*cost.Report, error) {
	var listed []cost.Entry
	for _, text := range s.listed {
		e, err := cost.Listed(text)
		if err != nil {
			return nil, err
		}
		listed = append(listed, e)
	}
	return cost.Of(s.contract, listed)
}
