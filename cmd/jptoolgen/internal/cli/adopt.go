package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/adopt"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/registered"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/scaffold"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

func adoptCommand() command {
	var t targetFlags
	var dir string
	var source bool
	return command{
		name:  "adopt",
		usage: "jptoolgen adopt [flags] TARGET [-- ARGUMENTS]",
		help: `Write an annotated Go package for a server built with any SDK. Its tools have the same
names, schemas, descriptions and annotations; their methods fail until you write them.
Inside a module, the package becomes part of that module. Elsewhere, it becomes a new
module. Existing files are never overwritten.

With --source, TARGET is the directory of a Go package that registers tools with go-sdk or
mcp-go. The package is read, not run, and the new files are added to it. Methods call
the existing handlers where possible.

The command then lists the parts that could not be adopted and what to do about each, and
compares the contract of the package with that of the server. The exit status is 0 if the
package was written without breaking changes, 1 if the comparison found breaking changes,
and 2 for errors. If an error occurs, nothing is written.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVarP(&dir, "output", "o", "", "`DIR` for the package (default: the server's name)")
			flags.BoolVar(&source, "source", false, "read the source of a package that uses go-sdk or mcp-go")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			var before side
			var from *registered.Server
			var err error
			if source {
				before, from, dir, err = registeredSide(ctx, env, t.flags, dir)
			} else {
				before, err = t.oneSide(ctx, env)
			}
			if err != nil {
				return err
			}
			if !before.whole {
				before.contract = adoptable(before.contract)
			}
			made, err := adopt.New(before.contract, before.whole, from)
			if err != nil {
				return err
			}
			report, err := breaking.Compare(common(env.Stderr, before, side{contract: made.Contract, whole: true, source: true}))
			if err != nil {
				return err
			}
			dir = cmp.Or(dir, made.Name)
			if err := writeAdopted(env, made, env.path(dir), source); err != nil {
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

// registeredSide reads a package that registers its tools with another SDK, and returns its directory.
func registeredSide(ctx context.Context, env Env, flags *pflag.FlagSet, output string) (side, *registered.Server, string, error) {
	words, more := sideAndMore(flags)
	switch {
	case len(words) != 1 || len(more) > 0:
		return side{}, nil, "", errors.New("--source requires one directory, e.g. jptoolgen adopt --source ./cmd/notes")
	case output != "":
		return side{}, nil, "", errors.New("--output cannot be used with --source, which adds files to the package")
	}
	fset := token.NewFileSet()
	pkg, err := load.Source(ctx, env.path(words[0]), fset)
	if err != nil {
		return side{}, nil, "", err
	}
	place := func(pos token.Pos) string { return diag.Rel(env.Dir, fset.Position(pos).String()) }
	if taken := pkg.Types.Scope().Lookup(model.Constructor); taken != nil {
		return side{}, nil, "", fmt.Errorf("%s: %s is declared here and in the generated file; rename this declaration", place(taken.Pos()), taken.Name())
	}
	from, err := registered.Read(pkg, place)
	if err != nil {
		return side{}, nil, "", err
	}
	surface := target.Listed(peer.Server{Name: from.Name, Instructions: from.Instructions}, from.Tools)
	from.Notes = append(from.Notes, surface.Notes...)
	return side{contract: surface.Contract, listed: surface.Listed}, from, words[0], nil
}

func notesText(notes []string, differs bool) string {
	if len(notes) == 0 && differs {
		return "All tools were adopted. Differences between the contract of the server and the contract of the package:\n\n"
	}
	if len(notes) == 0 {
		return "Everything was adopted. Differences between the contract of the server and the contract of the package:\n\n"
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
func writeAdopted(env Env, made *adopt.Package, dir string, source bool) error {
	if found, err := filepath.Glob(filepath.Join(dir, "*.go")); !source && (err != nil || len(found) > 0) {
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
		list = append(list, scaffold.Project{Name: made.Name, Version: releasedVersion()}.GoMod())
		next = append(next, useModule(env)...)
	}
	if source { // the generated file imports the package of the server
		next = append(next, "go generate .", "go mod tidy")
	} else {
		next = append(next, "go mod tidy", "go generate .", "go build")
	}
	if err := create(env, dir, list, next...); err != nil {
		return err
	}
	if source && made.Instead != "" {
		fmt.Fprintf(env.Stdout, "\nThen replace the server at %s with:\n  %s\n", made.Instead, made.Serve)
	}
	return nil
}
