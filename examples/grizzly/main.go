// Grizzly is an MCP server for Bear notes.
//
// It searches and reads Bear's database and never writes to it. If it is started with --note-create, it can ask
// Bear to create notes. See its README.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/notes"
	"github.com/jptool/jptool/examples/grizzly/internal/opener"
	"github.com/jptool/jptool/examples/internal/loglevel"
	"github.com/jptool/jptool/sdk"
)

func main() {
	level, err := loglevel.FromEnv("RUST_LOG")
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(sdk.ExitUsage)
	}
	n := new(notes.Notes)
	server := notes.NewServer(n)
	server.SetDefault("log-level", level)
	server.Variable("RUST_LOG", "The default of --log-level.", false)
	server.Variable("GRIZZLY_DB", "The default of --db.", false)
	flags := server.Flags()
	path := flags.String("db", "", "`path` of Bear's database (default $GRIZZLY_DB, or the path that Bear uses)")
	create := flags.Bool("note-create", false, "enable the tool note_create")
	program := flags.String("opener", "", "`program` to run with the URL of a new note as its only argument (default open on macOS)")
	server.OnStart(func(context.Context) error {
		if !*create {
			server.Without("note_create")
		}
		n.Opener = opener.Opener{Program: *program}
		n.Library, err = library(*path)
		return err
	})
	sdk.Main(server)
}

// library returns the database at path, or else at the path in the environment variable, or else Bear's own
// database. Without a home directory, it returns nil. If the library is missing, the program starts, and calls
// fail until the file exists.
func library(path string) (*bear.DB, error) {
	path = cmp.Or(path, os.Getenv("GRIZZLY_DB"))
	if path == "" {
		var err error
		if path, err = bear.DefaultPath(); err != nil {
			slog.Warn("Bear's database not found: the user has no home directory; set its path with --db or GRIZZLY_DB")
			return nil, nil
		}
	}
	if _, err := os.Stat(path); err != nil {
		slog.Warn("Bear's database not found; set another path with --db or GRIZZLY_DB", "error", err)
	}
	return bear.Open(path, bear.Options{})
}
