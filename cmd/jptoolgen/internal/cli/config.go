package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/mod/modfile"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/scaffold"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
)

func configCommand() command {
	var t targetFlags
	var c hostFlags
	var names []string
	for _, h := range hostconfig.Hosts() {
		names = append(names, h.Name)
	}
	return command{
		name:  "config",
		usage: "jptoolgen config HOST [flags] TARGET [-- ARGUMENTS]",
		help: `Prints what to paste into a host's configuration so that it starts a server. HOST is
` + strings.Join(names, ", ") + `.

With --write, the host's file gets it instead: what stands there stays, comments too,
and a copy of the file before is kept beside it.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			c.define(flags)
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) (int, error) {
			if flags.NArg() == 0 {
				return trouble, fmt.Errorf("config takes a host, one of %s, and a target", strings.Join(names, ", "))
			}
			host, ok := hostconfig.Find(flags.Arg(0))
			if !ok {
				return trouble, fmt.Errorf("there is no host %q; there are %s", flags.Arg(0), strings.Join(names, ", "))
			}
			return c.run(ctx, env, flags, host, &t)
		},
	}
}

// hostFlags say what a host is told.
type hostFlags struct {
	write, local  bool
	name, command string
	project       string
}

func (c *hostFlags) define(flags *pflag.FlagSet) {
	flags.BoolVar(&c.write, "write", false, "add the server to the host's file, and keep a copy of it")
	flags.StringVar(&c.name, "name", "", "what the host calls the server (default its own name)")
	flags.StringVar(&c.command, "command", "", "`program` that the host starts (default that of TARGET)")
	flags.StringVar(&c.project, "project", "", "`directory` of the project that is configured (default the current one)")
	flags.BoolVar(&c.local, "local", false, "for jp: tools that run as commands, which JP of today can ask questions for")
}

func (c *hostFlags) run(ctx context.Context, env Env, flags *pflag.FlagSet, host hostconfig.Host, t *targetFlags) (int, error) {
	if c.local && host.Name != "jp" {
		return trouble, errors.New("--local is for jp")
	}
	at, rest, err := t.parse(env, flags, 1)
	if err != nil {
		return trouble, err
	}
	surface, err := t.look(ctx, env, at, rest)
	if err != nil {
		return trouble, err
	}
	e := hostconfig.Entry{Name: c.name, Env: at.Env, Contract: surface.Contract, Local: c.local}
	if e.Name == "" {
		e.Name = surface.Contract.Name
	}
	if at.Kind == target.URL {
		e.URL = at.URL
	} else if e.Command, err = c.argv(env, at); err != nil {
		return trouble, err
	}
	if host.Name == "jp" && surface.Whole && !c.local && at.Kind != target.URL {
		e.Command = append(e.Command, "--jp")
	}
	if !c.write {
		text, err := host.Snippet(e)
		if err != nil {
			return trouble, err
		}
		fmt.Fprintf(env.Stderr, "%s reads %s; --write puts this there\n", host.Title, c.path(env, host))
		return well, printClean(env.Stdout, string(text))
	}
	return c.merge(ctx, env, host, e)
}

// argv is what the host runs.
func (c *hostFlags) argv(env Env, t *target.Target) ([]string, error) {
	switch {
	case c.command != "":
		return append([]string{c.command}, behindProgram(t)...), nil
	case t.Kind == target.Package:
		name, err := programName(t.Path)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(env.Stderr, "the host looks for %s in its PATH: go install puts it there, --command names another\n", name)
		return append([]string{name}, t.Argv...), nil
	case t.Kind == target.Lock:
		return nil, errors.New("a lock file does not say what to start: add --command PROGRAM")
	}
	return append([]string{}, t.Argv...), nil
}

// behindProgram are the arguments of a target's program.
func behindProgram(t *target.Target) []string {
	if t.Kind == target.Package || len(t.Argv) == 0 {
		return t.Argv
	}
	return t.Argv[1:]
}

// programName is what "go install" calls the program of a package.
func programName(dir string) (string, error) {
	root, err := moduleRoot(dir)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	path := modfile.ModulePath(data)
	if rel, err := filepath.Rel(root, dir); err == nil && rel != "." {
		return filepath.Base(dir), nil
	}
	if path == "" {
		return "", fmt.Errorf("%s names no module", filepath.Join(root, "go.mod"))
	}
	return scaffold.ProgramName(path), nil
}

func (c *hostFlags) path(env Env, host hostconfig.Host) string {
	places := hostconfig.Places{Project: env.path(c.project)}
	places.Home, _ = os.UserHomeDir()     // "" makes a path that is not there
	places.Config, _ = os.UserConfigDir() // likewise
	return host.Path(places)
}

// merge adds the entry to the host's file.
func (c *hostFlags) merge(ctx context.Context, env Env, host hostconfig.Host, e hostconfig.Entry) (int, error) {
	path := c.path(env, host)
	if !filepath.IsAbs(path) {
		return trouble, errors.New("there is no home directory to find the host's file in")
	}
	done, err := files.Update(ctx, path, mostOfAFile, func(old []byte) ([]byte, error) {
		text, err := host.Merge(old, e)
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return text, err
	})
	if err != nil {
		return trouble, err
	}
	at := path
	if done.At != path {
		at = fmt.Sprintf("%s, a link to %s", path, done.At)
	}
	if !done.Changed {
		fmt.Fprintf(env.Stderr, "%s has it already\n", at)
		return well, nil
	}
	if done.Backup != "" {
		fmt.Fprintf(env.Stderr, "the file before is %s\n", done.Backup)
	}
	fmt.Fprintf(env.Stderr, "%s starts %s by %s\n", host.Title, e.Name, at)
	return well, nil
}
