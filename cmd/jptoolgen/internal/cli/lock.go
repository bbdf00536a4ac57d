package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// sourcesHelp explains the sources of a contract.
const sourcesHelp = `A package with a //jp:server line is not run: its contract is generated from the source.
REVISION:PATH is a lock file in a git revision, such as HEAD~3:./jp.lock.json. If PATH
is a directory, its jp.lock.json is used.`

func lockCommand() command {
	var t targetFlags
	var out string
	return command{
		name:  "lock",
		usage: "jptoolgen lock [flags] TARGET [-- ARGUMENTS]",
		help: `Write the contract of a server as a lock file: tools, schemas and annotations,
resources and prompts, and for servers built with jptool also questions, options and
error codes. Later, "jptoolgen diff" reports what has changed.

` + targetHelp + "\n\n" + sourcesHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVarP(&out, "output", "o", "", "write to `FILE` instead of standard output")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			s, err := t.oneSide(ctx, env)
			if err != nil {
				return err
			}
			text, err := lock.Text(s.contract)
			if err != nil {
				return err
			}
			safe := terminal.Escape(string(text))
			if out == "" || out == "-" {
				_, err = io.WriteString(env.Stdout, safe)
				return err
			}
			_, err = files.Write(env.path(out), []byte(safe), 0o666)
			return err
		},
	}
}

func hashCommand() command {
	var t targetFlags
	var format string
	return command{
		name:  "hash",
		usage: "jptoolgen hash [flags] TARGET [-- ARGUMENTS]",
		help: `Print the two digests of a contract. "contract" covers every part whose change can
break a caller, and "full" also covers titles, descriptions and examples. Compare
"contract" to find out whether callers still work, and "full" if you review the text that
models read.

The exit status is 1 if a lock file, or the generated code next to it, contains different
digests, for example because the file was edited by hand.

` + targetHelp + "\n\n" + sourcesHelp,
		flags: func(flags *pflag.FlagSet) {
			formatVar(flags, &format, "output format: text or json")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			s, err := t.oneSide(ctx, env)
			if err != nil {
				return err
			}
			return printHash(env, s, format)
		},
	}
}

func printHash(env Env, s side, format string) error {
	sum, err := lock.Sum(s.contract)
	if err != nil {
		return err
	}
	if format == "json" {
		err = printJSON(env.Stdout, sum)
	} else {
		_, err = fmt.Fprintf(env.Stdout, "contract %s\nfull     %s\n", sum.Contract, sum.Full)
	}
	if err != nil {
		return err
	}
	recorded := s.contract.Hash
	if recorded != sum && recorded != (manifest.Hash{}) || filepath.Base(s.path) == declared.Contract && declared.Edited(filepath.Dir(env.path(s.path)), string(s.text)) {
		fmt.Fprintln(env.Stderr, "jptoolgen: the lock file, or the generated code next to it, contains different digests, so a file was edited; run go generate or jptoolgen lock")
		return status(exitFindings)
	}
	return nil
}
