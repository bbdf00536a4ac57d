package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
)

func diffCommand() command {
	var t targetFlags
	var allow string
	var rules bool
	format := breaking.Text
	return command{
		name:  "diff",
		usage: "jptoolgen diff [flags] OLD NEW [-- ARGUMENTS OF NEW]",
		help: `Compare two contracts and report breaking changes. Each change is a breaking change, a
compatible change or a change to the wording. The most severe one determines which part of
the version number the next release must increment. docs/breaking.md explains the rules, and --rules prints them.

OLD and NEW are lock files, git revisions, package directories or any TARGET. For a
profile, OLD is the saved contract, and NEW is the current one.

The exit status is 1 if a breaking change is not accepted or an allow-list entry has
expired, 2 for errors, and 0 otherwise.

` + targetHelp + "\n\n" + sourcesHelp,
		flags: func(flags *pflag.FlagSet) {
			chooseVar(flags, &format, "format", breaking.Formats(), "output format: text, json, markdown, github or sarif")
			flags.StringVar(&allow, "allow", "", "accept the changes listed in the JSON `FILE`, each with a reason and an expiry date")
			flags.BoolVar(&rules, "rules", false, "print the rules as Markdown instead of comparing contracts")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			if rules {
				return breaking.WriteRules(env.Stdout)
			}
			before, after, err := t.sides(ctx, env)
			if err != nil {
				return err
			}
			o, n := common(env.Stderr, before, after)
			report, err := breaking.Compare(o, n)
			if err != nil {
				return err
			}
			expired, err := accept(env, report, allow)
			if err != nil {
				return err
			}
			source := breaking.Source{Path: after.path, Text: after.text, Program: programVersion()}
			if err := breaking.Print(env.Stdout, report, expired, format, source); err != nil {
				return fmt.Errorf("printing: %w", err)
			}
			return findingsIf(report.Unallowed() || len(expired) > 0)
		},
	}
}

// sides returns the two contracts that a command line names.
func (f *targetFlags) sides(ctx context.Context, env Env) (before, after side, err error) {
	list, more := sideAndMore(f.flags)
	if len(list) == 1 && len(more) > 0 {
		list = append(list[:1:1], "") // NEW is a program in PATH
	}
	if len(list) != 2 {
		return before, after, errors.New("diff requires two contracts, OLD and NEW, e.g. HEAD:./jp.lock.json jp.lock.json")
	}
	return f.pair(ctx, env, list[0], list[1], more)
}

// pair returns the contracts that old and word name. more holds arguments for the program that word names.
func (f *targetFlags) pair(ctx context.Context, env Env, old, word string, more []string) (before, after side, err error) {
	// A flag may apply to only one of the two sides.
	var kinds []target.Kind
	collect := func(of ...target.Kind) error {
		kinds = append(kinds, of...)
		return nil
	}
	if before, err = f.oldSide(ctx, env, old, collect); err != nil {
		return before, after, fmt.Errorf("OLD: %w", err)
	}
	fits := func(of ...target.Kind) error { return f.fit(append(kinds, of...)...) }
	if after, err = f.sideOf(ctx, env, word, more, fits); err != nil {
		return before, after, fmt.Errorf("NEW: %w", err)
	}
	return before, after, nil
}

// oldSide returns the old contract. For a profile, this is the saved contract.
func (f *targetFlags) oldSide(ctx context.Context, env Env, word string, fits func(...target.Kind) error) (side, error) {
	name, ok := strings.CutPrefix(word, "@")
	if !ok {
		return f.sideOf(ctx, env, word, nil, fits)
	}
	p, _, err := profilesIn(env).Load("", name)
	if err != nil {
		return side{}, err
	}
	return savedSide(p), nil
}

// accept marks the changes that the allow-list accepts today.
func accept(env Env, report *breaking.Report, name string) ([]breaking.Allowance, error) {
	if name == "" {
		return nil, nil
	}
	data, err := shape.File(name, env.Dir)
	if err != nil {
		return nil, fmt.Errorf("--allow: %w", err)
	}
	list, err := breaking.ReadAllowances(data)
	if err != nil {
		return nil, fmt.Errorf("--allow %s: %w", name, err)
	}
	return report.Allow(list, time.Now()), nil
}
