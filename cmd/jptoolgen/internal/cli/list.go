package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/internal/peer"
)

// A limitFlag is the --limit flag. most is the maximum number of records, or 0 for all.
type limitFlag struct {
	most  int
	flags *pflag.FlagSet
}

func (l *limitFlag) define(flags *pflag.FlagSet, what string) {
	l.flags = flags
	flags.IntVar(&l.most, "limit", 0, "print at most `N` "+what)
	flags.Lookup("limit").DefValue = ""
}

func (l *limitFlag) check() error {
	if l.flags.Changed("limit") && l.most < 1 {
		return errors.New("--limit must be positive, e.g. 10")
	}
	return nil
}

// limited returns the records that are printed.
func limited[T any](l limitFlag, records []T) []T {
	if l.most > 0 {
		return records[:min(l.most, len(records))]
	}
	return records
}

// listKinds are the lists of a server.
var listKinds = []string{"tools", "resources", "prompts"}

func listCommand() command {
	t := targetFlags{toolsOnly: true}
	var format string
	var limit limitFlag
	return command{
		name:  "list",
		usage: "jptoolgen list [flags] TARGET [tools|resources|prompts] [-- ARGUMENTS]",
		help: `List the tools of a server, one per line, or its resources and templates, or its prompts.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			formatVar(flags, &format, "output format: text, or json, which is stable between versions")
			limit.define(flags, "entries")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			at, rest, err := t.parse(env, 0)
			if err = errors.Join(err, limit.check()); err != nil {
				return err
			}
			what := cmp.Or(at.List, "tools")
			if len(rest) > 0 && at.List == "" {
				what, rest = rest[0], rest[1:]
			}
			if !slices.Contains(listKinds, what) {
				return fmt.Errorf("unknown list %q; use tools, resources or prompts", what)
			}
			if at.Tool != "" || at.Resource != "" {
				return errors.New("the URI names a tool or a resource; use jptoolgen call or jptoolgen read")
			}
			if err := unexpectedArgument(rest); err != nil {
				return err
			}
			if what == "tools" {
				return t.listTools(ctx, env, at, format, limit)
			}
			lists, err := t.opener(env).Lists(ctx, at)
			if err != nil {
				return err
			}
			if len(lists.Prompts) == 0 && what == "prompts" || len(lists.Resources)+len(lists.Templates) == 0 && what == "resources" {
				env.note("the server lists no " + what)
			}
			return printLists(env, lists, what, format, limit)
		},
	}
}

type listedTool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description"`
}

func (f *targetFlags) listTools(ctx context.Context, env Env, t *target.Target, format string, limit limitFlag) error {
	surface, err := f.look(ctx, env, t, nil)
	if err != nil {
		return err
	}
	list, names := []listedTool{}, []listEntry{}
	for _, t := range limited(limit, surface.Contract.Tools) {
		list = append(list, listedTool{t.Name, t.Title, t.Description})
		names = append(names, listEntry{t.Name, cmp.Or(t.Description, t.Title)})
	}
	return printList(env, list, names, format)
}

// printLists prints resources and templates, or prompts.
func printLists(env Env, lists target.Lists, what, format string, limit limitFlag) error {
	names := []listEntry{}
	if what == "prompts" {
		prompts := limited(limit, append([]peer.Prompt{}, lists.Prompts...))
		for _, p := range prompts {
			words := []string{p.Name}
			for _, a := range p.Arguments {
				word := a.Name
				if !a.Required {
					word = "[" + word + "]"
				}
				words = append(words, word)
			}
			names = append(names, listEntry{strings.Join(words, " "), cmp.Or(p.Description, p.Title)})
		}
		return printList(env, prompts, names, format)
	}
	resources := limited(limit, append(append([]peer.Resource{}, lists.Resources...), lists.Templates...))
	for _, r := range resources {
		names = append(names, listEntry{r.URI + r.URITemplate, cmp.Or(r.Description, r.Title, r.Name)})
	}
	return printList(env, resources, names, format)
}

func printList[T any](env Env, list []T, names []listEntry, format string) error {
	if format == "json" {
		return printJSON(env.Stdout, list)
	}
	return newPrinter(env.Stdout).names(names).write(env.Stdout)
}
