package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/clientgen"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/docgen"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
)

func docsCommand() command {
	var t targetFlags
	var out outFlags
	return command{
		name:  "docs",
		usage: "jptoolgen docs [flags] TARGET [-- ARGUMENTS]",
		help: `Write reference documentation for a server in Markdown: every tool, parameter,
question, option and error code, with an example call to each tool, and the resources
and prompts of a running server.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			out.define(flags)
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			surface, err := t.surface(ctx, env)
			if err != nil {
				return err
			}
			text, err := docgen.Markdown(surface.Contract)
			if err != nil {
				return err
			}
			return out.write(env, text, "jptoolgen docs")
		},
	}
}

func clientCommand() command {
	var t targetFlags
	var out outFlags
	var pkg string
	var tool bool
	return command{
		name:  "client",
		usage: "jptoolgen client [flags] TARGET [-- ARGUMENTS]",
		help: `Write a Go client for the tools of a server: a method per tool, structs for arguments
and results, and an interface with a method per question. A program that uses the client
compiles only if it implements all of these methods.

With --cli, write a command-line tool instead: a program with a command for each tool of
the server, and a flag for each parameter. It asks questions in the terminal. The URL of
the server, or the command that starts it, is part of the program.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&tool, "cli", false, "write a command-line tool, as package main")
			flags.StringVar(&pkg, "package", "", "`name` of the package (default: the server's name followed by \"client\")")
			out.define(flags)
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			if tool {
				return t.commandLine(ctx, env, pkg, &out)
			}
			surface, err := t.surface(ctx, env)
			if err != nil {
				return err
			}
			if pkg == "" {
				pkg = clientgen.PackageName(surface.Contract.Name)
			}
			code, err := clientgen.Source(surface.Contract, pkg)
			if err != nil {
				return err
			}
			return out.write(env, code, "jptoolgen client")
		},
	}
}

// commandLine writes a command-line program for the tools of a server.
func (f *targetFlags) commandLine(ctx context.Context, env Env, pkg string, out *outFlags) error {
	if pkg != "" && pkg != "main" {
		return errors.New("--package cannot be used with --cli, which writes package main")
	}
	at, rest, err := f.parse(env, 0)
	if err == nil {
		err = checkSecrets(append([]string{at.URL}, at.Argv...), at.Hidden)
	}
	if err != nil {
		return err
	}
	surface, err := f.look(ctx, env, at, rest)
	if err != nil {
		return err
	}
	argv := at.Argv
	if at.Kind == target.Package {
		if argv, err = (&hostFlags{}).argv(env, at); err != nil {
			return err
		}
	}
	if len(at.Header)+len(at.Env) > 0 {
		env.note("the generated program does not contain the headers and environment variables of the target; pass --header to it, and set the variables in its environment")
	}
	code, err := clientgen.Program(surface.Contract, argv, at.URL)
	if err != nil {
		return err
	}
	return out.write(env, code, "jptoolgen client --cli")
}

// outFlags holds the output flags of commands that write one file.
type outFlags struct {
	file  string
	check bool
}

func (o *outFlags) define(flags *pflag.FlagSet) {
	flags.StringVarP(&o.file, "output", "o", "", "write to `FILE` instead of standard output")
	flags.BoolVar(&o.check, "check", false, "do not write; fail if the file named by -o would change")
}

// write writes text to the destination that the flags select. It does not rewrite a file that already has this
// content.
func (o *outFlags) write(env Env, text []byte, by string) error {
	if o.file == "" {
		if o.check {
			return errors.New("--check requires -o FILE")
		}
		_, err := env.Stdout.Write(text)
		return err
	}
	path := env.path(o.file)
	old, err := files.Read(path, output.MaxFileSize)
	switch {
	case err == nil && bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), text): // git may change line endings
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case o.check:
		fmt.Fprintf(env.Stderr, "%s would change; run %q without --check\n", o.file, by)
		return status(exitFindings)
	}
	_, err = files.Write(path, text, 0o666)
	return err
}
