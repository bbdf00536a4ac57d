package cli

import (
	"cmp"
	"context"
	"go/token"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/fresh"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
)

func generateCommand() command {
	var check bool
	format := diag.Text
	return command{
		usage: "jptoolgen [flags] [packages]",
		help: `Generate ` + load.Generated + ` and ` + lock.File + ` in the directory of each package that has a
//jp:server line. Packages are directories or import paths of the module. The default
is the current directory; ./... matches all packages below it.

Compile errors in declarations are reported as findings. Compile errors in the body of a
function or in the value of a variable do not affect the generated code, so only the Go
compiler reports them.

A run that reports nothing and changes nothing is remembered in the directory jptool/generate
of the user's cache directory, and the same run on unchanged files is fast. Delete the
directory to clear it.

Findings in the text format are printed to standard error; findings in the json and
github formats, to standard output. Warnings do not stop the generator. The exit status is 0
on success, 1 if there are findings other than warnings or --check finds a difference, and 2
for usage errors and other errors.`,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&check, "check", false, "do not write; report generated files that are out of date")
			chooseVar(flags, &format, "format", diag.Formats(), "format of findings: text, json or github")
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) error {
			return generate(ctx, env, flags.Args(), check, format)
		},
	}
}

// generate loads packages, builds their models and writes the generated files. It writes nothing if there are
// findings other than warnings.
func generate(ctx context.Context, env Env, patterns []string, check bool, format diag.Format) error {
	fset := token.NewFileSet()
	list := diag.NewList(fset, env.Dir)
	roots, err := load.Find(env.Dir, patterns)
	if err != nil {
		return err
	}
	mode := "generate"
	if check {
		mode = "check"
	}
	state, current := fresh.Current(ctx, roots, mode)
	published := func() error { // the flags of a program may come from any package, so the state does not cover them
		if !check {
			return nil
		}
		return checkPublished(ctx, env, roots.Dirs())
	}
	if current && !roots.Misplaced() {
		// There are no findings, which the json format prints as an empty list.
		return cmp.Or(printFindings(env, list, format), published())
	}
	packages, err := roots.Load(ctx, fset, list)
	if err != nil {
		return err
	}
	var servers []*model.Server
	for _, p := range packages {
		if s := model.Build(p, list); s != nil {
			servers = append(servers, s)
		}
	}
	model.Check(servers, list)
	var made []output.File
	if list.Len() == 0 {
		if made, err = output.Files(servers...); err != nil {
			return err
		}
	}
	if check && list.Len() == 0 {
		for _, s := range servers {
			if err := output.Stale(s, made, list); err != nil {
				return err
			}
		}
	}
	if err := printFindings(env, list, format); err != nil || list.Len() > 0 {
		return cmp.Or(err, findingsIf(list.Len() > 0))
	}
	if !check {
		if err := write(made); err != nil {
			return err
		}
	}
	if len(list.All()) == 0 {
		state.Save(ctx)
	}
	return published()
}

// printFindings prints findings to standard error or, if a program reads the output, to standard output.
func printFindings(env Env, list *diag.List, format diag.Format) error {
	out := env.Stderr
	if format != diag.Text {
		out = env.Stdout
	}
	return diag.Print(out, list.All(), format, env.Dir)
}

// write writes only the files that have changed.
func write(made []output.File) error {
	changes, err := output.Changed(made)
	if err != nil {
		return err
	}
	for _, f := range changes {
		if _, err := files.Write(f.Path, f.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
