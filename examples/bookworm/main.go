// Bookworm is an MCP server for Rust crate documentation.
//
// It searches crates.io, downloads documentation from docs.rs to a cache, and searches items and sources in it.
// See its README.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/sdk"
)

func main() {
	sdk.MainFunc(func(ctx context.Context) int {
		return run(ctx, os.Args[1:], console{os.Stdin, os.Stdout, os.Stderr})
	})
}

// A console holds the standard streams.
type console struct {
	in       *os.File
	out, err io.Writer
}

const usage = `Bookworm serves documentation for Rust crates.

Usage:
  bookworm mcp [flags]             serve MCP over stdio
  bookworm download CRATE [flags]  download the documentation for a crate
  bookworm index SOURCE [flags]    index documentation on disk
  bookworm clean [CRATE…] [flags]  remove downloaded documentation

  bookworm COMMAND --help          print the flags of a command
  bookworm --version               print the version
`

// run runs the command that args name and returns its exit status: 0 for success, 1 for failure, 2 for
// incorrect usage.
func run(ctx context.Context, args []string, c console) int {
	commands := map[string]func(context.Context, []string, console) error{"download": download, "index": buildIndex, "clean": clean}
	word := ""
	if len(args) > 0 {
		word, args = args[0], args[1:]
	}
	switch word {
	case "-h", "--help", "help":
		fmt.Fprint(c.out, usage)
		return sdk.ExitOK
	case "--version":
		fmt.Fprintln(c.out, "bookworm", version())
		return sdk.ExitOK
	case "mcp":
		return serve(ctx, args, c)
	case "":
		fmt.Fprint(c.err, usage)
		return sdk.ExitUsage
	}
	command := commands[word]
	if command == nil {
		fmt.Fprintf(c.err, "error: unknown command %q (known: mcp, download, index, clean)\nRun bookworm --help for more.\n", word)
		return sdk.ExitUsage
	}
	err := command(ctx, args, c)
	var wrong *usageError
	switch {
	case err == nil || errors.Is(err, pflag.ErrHelp):
		return sdk.ExitOK
	case errors.As(err, &wrong):
		fmt.Fprintf(c.err, "error: %s\nRun bookworm %s --help for the flags.\n", err, word)
		return sdk.ExitUsage
	case ctx.Err() != nil:
		fmt.Fprintln(c.err, "error: interrupted")
	default:
		fmt.Fprintln(c.err, "error:", err)
	}
	return sdk.ExitError
}

// A usageError reports invalid arguments.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// parse parses the flags of a command and returns its arguments. define defines the flags. For --help, parse
// prints the help and returns pflag.ErrHelp.
func parse(c console, args []string, name, words, text string, define func(*pflag.FlagSet)) ([]string, error) {
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {}
	define(f)
	help := f.BoolP("help", "h", false, "print this help and exit")
	if err := f.Parse(args); err != nil {
		return nil, &usageError{err.Error()}
	}
	if *help {
		fmt.Fprintf(c.out, "%s\n\nUsage:\n  bookworm %s\n\nFlags:\n%s", text, strings.TrimSpace(name+" "+words+" [flags]"), f.FlagUsages())
		return nil, pflag.ErrHelp
	}
	return f.Args(), nil
}

// version returns the version of the program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
