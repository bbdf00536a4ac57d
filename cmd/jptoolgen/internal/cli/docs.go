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
	return command{
		name:  "client",
		usage: "jptoolgen client [flags] TARGET [-- ARGUMENTS]",
		help: `Write a Go client for the tools of a server: a method per tool, structs for arguments
and results, and an interface with a method per question. A program that uses the client
compiles only if it implements all of these methods.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&pkg, "package", "", "`name` of the package (default: the server's name followed by \"client\")")
			out.define(flags)
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
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

// outFlags holds the output flags of commands that write one file.
type outFlags struct {
	file  string
	check bool
}

func (o *outFlags) define(flags *pflag.FlagSet) {
	flags.StringVarP(&o.file, "output", "o", "", "write to `FILE` instead of standard output, which is also -")
	flags.BoolVar(&o.check, "check", false, "do not write; fail if the file named by -o would change")
}

// write writes text to the destination that the flags select. It does not rewrite a file that already has this
// content.
func (o *outFlags) write(env Env, text []byte, by string) error {
	if o.file == "" || o.file == "-" {
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
