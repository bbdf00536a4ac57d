package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/explain"
)

func explainCommand() command {
	return command{
		name:  "explain",
		usage: "jptoolgen explain [CODE]",
		help: `Explain the code of a finding, such as JP203: its meaning, a program with the finding,
and one without. Without a code, list all codes.`,
		words: func() []string {
			var all []string
			for _, k := range diag.Kinds() {
				all = append(all, string(k.Code))
			}
			return all
		},
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) (int, error) {
			switch flags.NArg() {
			case 0:
				for _, k := range diag.Kinds() {
					fmt.Fprintf(env.Stdout, "%s  %s\n", k.Code, k.Title)
				}
				return exitOK, nil
			case 1:
				page, err := explain.Of(diag.Code(strings.ToUpper(flags.Arg(0))))
				if err != nil {
					return exitError, err
				}
				fmt.Fprint(env.Stdout, page)
				return exitOK, nil
			}
			return exitError, fmt.Errorf("unexpected argument %q; explain takes one code", flags.Arg(1))
		},
	}
}
