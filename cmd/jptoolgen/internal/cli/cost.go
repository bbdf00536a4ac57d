package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/cost"
	"github.com/jptool/jptool/internal/face"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

func costCommand() command {
	var t targetFlags
	var against, format string
	var choice face.Choice
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
			faceVar(flags, &choice)
			formatVar(flags, &format, "output format: text or json")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			report, err := t.cost(ctx, env, against, choice)
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

// faceVar defines the flags that select a part of what a server offers, as servers have them.
func faceVar(flags *pflag.FlagSet, c *face.Choice) {
	flags.StringSliceVar(&c.Toolsets, "toolsets", nil, "only what a server with --toolsets=`TOOLSETS` offers")
	flags.StringSliceVar(&c.Tools, "tools", nil, "only what a server with --tools=`TOOLS` offers")
	flags.StringSliceVar(&c.Exclude, "exclude", nil, "only what a server with --exclude=`TOOLS` offers")
	flags.BoolVar(&c.ReadOnly, "read-only", false, "only what a server with --read-only offers")
	flags.BoolVar(&c.NoDestructive, "no-destructive", false, "only what a server with --no-destructive offers")
}

// narrow removes the tools that a server with a face does not offer.
func (s *side) narrow(c face.Choice) error {
	own := *s.contract
	selected, err := face.New(&own, c, false)
	if err != nil {
		return err
	}
	off, shown := face.Off(&own), []manifest.Tool{}
	for i := range own.Tools {
		if face.Shows(&own.Tools[i], off, selected, nil) {
			shown = append(shown, own.Tools[i])
		}
	}
	own.Tools = shown
	s.contract = &own
	s.listed = slices.DeleteFunc(slices.Clone(s.listed), func(text jsontext.Value) bool {
		_, ok := own.Tool(rawjson.Text(rawjson.Get(text, "name")))
		return !ok
	})
	return nil
}

// cost counts the tokens in the tool list of the target that the command line names, in a face of the server. If against
// is not "", it compares them with the tokens in the contract that against names.
func (f *targetFlags) cost(ctx context.Context, env Env, against string, c face.Choice) (*cost.Report, error) {
	if against == "" {
		s, err := f.oneSide(ctx, env)
		if err == nil {
			err = s.narrow(c)
		}
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
	if err := errors.Join(now.narrow(c), old.narrow(c)); err != nil {
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
