package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/mod/semver"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/scaffold"
)

func initCommand() command {
	var module, tool string
	return command{
		name:  "init",
		usage: "jptoolgen init NAME [flags]\n       jptoolgen init --tool NAME",
		help: `Makes a server in a new directory NAME: a module with one tool, which asks a
question and has an option, its tests, a README, JP's configuration and a CI file.
With --tool, adds a tool and its test to the server in the current directory.

Nothing that is there is overwritten.`,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&module, "module", "", "`path` of the module (default example.com/NAME)")
			flags.StringVar(&tool, "tool", "", "`name` of a tool to add to the server in the current directory")
		},
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) (int, error) {
			switch {
			case tool != "" && (flags.NArg() > 0 || module != ""):
				return trouble, errors.New("init --tool NAME takes nothing else")
			case tool != "":
				return addTool(env, tool)
			case flags.NArg() != 1:
				return trouble, errors.New("init takes the name of the server: jptoolgen init NAME")
			}
			return newProject(env, flags.Arg(0), module)
		},
	}
}

func newProject(env Env, name, module string) (int, error) {
	version := programVersion()
	if !semver.IsValid(version) || strings.Contains(version, "+") { // built from a checkout, which no proxy has
		version = ""
	}
	files, err := scaffold.Project{Name: name, Module: module, Version: version}.Files()
	if err != nil {
		return trouble, err
	}
	if err := scaffold.Write(filepath.Join(env.Dir, name), files); err != nil {
		return trouble, inTheWay(err)
	}
	for _, f := range files {
		fmt.Fprintf(env.Stdout, "%s/%s\n", name, f.Path)
	}
	fmt.Fprintf(env.Stdout, "\nNow type:\n  cd %s\n  go mod tidy\n  go generate ./...\n  go test ./...\n", name)
	return well, nil
}

func addTool(env Env, name string) (int, error) {
	files, err := scaffold.Tool(env.Dir, name)
	if errors.Is(err, scaffold.ErrNoServer) {
		return trouble, fmt.Errorf("%w; init NAME makes a server", err)
	}
	if err != nil {
		return trouble, err
	}
	if err := scaffold.Write(env.Dir, files); err != nil {
		return trouble, inTheWay(err)
	}
	for _, f := range files {
		fmt.Fprintln(env.Stdout, f.Path)
	}
	fmt.Fprint(env.Stdout, "\nNow type:\n  go generate ./...\n  go test ./...\n")
	return well, nil
}

func inTheWay(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("nothing was written: %w", err)
	}
	return err
}
