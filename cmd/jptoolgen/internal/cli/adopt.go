package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/adopt"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/scaffold"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

func adoptCommand() command {
	var t targetFlags
	var dir string
	return command{
		name:  "adopt",
		usage: "jptoolgen adopt [flags] TARGET [-- ARGUMENTS]",
		help: `Write an annotated Go package for a server built with any SDK. Its tools have the same
names, schemas, descriptions and annotations; their methods fail until you write them.
Inside a module, the package becomes part of that module. Elsewhere, it becomes a new
module. Existing files are never overwritten.

The command then lists the parts that could not be adopted and what to do about each, and
compares the contract of the package with that of the server. The exit status is 0 if the
package was written without breaking changes, 1 if the comparison found breaking changes,
and 2 for errors. If an error occurs, nothing is written.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVarP(&dir, "output", "o", "", "`DIR` for the package (default: the server's name)")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			before, err := t.oneSide(ctx, env)
			if err != nil {
				return err
			}
			if !before.whole {
				before.contract = adoptable(before.contract)
			}
			made, err := adopt.New(before.contract, before.whole)
			if err != nil {
				return err
			}
			report, err := breaking.Compare(common(env.Stderr, before, side{contract: made.Contract, whole: true, source: true}))
			if err != nil {
				return err
			}
			dir = cmp.Or(dir, made.Name)
			if err := writeAdopted(env, made, env.path(dir)); err != nil {
				return err
			}
			fmt.Fprint(env.Stdout, "\n", notesText(slices.Concat(adopt.Unsupported(before.listed), made.Notes), len(report.Changes) > 0))
			if err := breaking.Print(env.Stdout, report, nil, breaking.Text, breaking.Source{}); err != nil {
				return fmt.Errorf("printing: %w", err)
			}
			return findingsIf(report.Unallowed())
		},
	}
}

// adoptable returns a contract without the members of a list that cannot be adopted. [adopt.Unsupported] names them.
func adoptable(c *manifest.Server) *manifest.Server {
	left := *c
	left.Title, left.Other, left.Tools = "", nil, slices.Clone(c.Tools)
	for i := range left.Tools {
		t := &left.Tools[i]
		t.Icon, t.Meta, t.Other = "", nil, nil
	}
	return &left
}

func notesText(notes []string, differs bool) string {
	if len(notes) == 0 && differs {
		return "All tools were adopted, with differences between the contract of the server and the contract of the package:\n\n"
	}
	if len(notes) == 0 {
		return "Everything was adopted. The contract of the server and the contract of the package are compared:\n\n"
	}
	var b strings.Builder
	b.WriteString("Not adopted, or adopted with changes:\n")
	for _, n := range notes {
		b.WriteString("- " + terminal.Message(n) + "\n")
	}
	return b.String() + "\nDifferences between the contract of the server and the contract of the package:\n\n"
}

// writeAdopted writes an adopted package, with a go.mod if dir is outside of any module, and prints the files
// and the next steps.
func writeAdopted(env Env, made *adopt.Package, dir string) error {
	if hasGoFiles(dir) {
		return fmt.Errorf("nothing was written: %s already has Go files; choose another directory with --output", dir)
	}
	list, next := made.Files, []string{"cd " + filepath.ToSlash(diag.Rel(env.Dir, dir))}
	if root, _, err := load.Module(dir); err == nil {
		mod, err := moduleOf(root, dir)
		if err != nil {
			return err
		}
		next = append(next, getGenerator(mod)...)
	} else {
		mod, err := scaffold.Project{Name: made.Name, Version: releasedVersion()}.GoMod()
		if err != nil {
			return err
		}
		list, next = append(list, mod), append(next, useModule(env)...)
	}
	return create(env, dir, list, append(next, "go mod tidy", "go generate .", "go build")...)
}
