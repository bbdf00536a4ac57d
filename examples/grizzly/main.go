// Grizzly is an MCP server for the notes of Bear.
//
// It searches and reads Bear's database, which it never writes to, and, when
// started with --note-create, asks Bear to create notes. See its README.
package main

import (
	"context"
	"os"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/notes"
	"github.com/jptool/jptool/examples/grizzly/internal/opener"
	"github.com/jptool/jptool/sdk"
)

func main() {
	n := new(notes.Notes)
	server := notes.NewServer(n)
	flags := server.Flags()
	path := flags.String("db", "", "Bear's database (default $GRIZZLY_DB, else where Bear keeps it)")
	create := flags.Bool("note-create", false, "serve the tool note_create")
	program := flags.String("opener", "", "`program` that gets the address of a new note as its only argument (default open, on macOS)")
	server.OnStart(func(context.Context) error {
		if !*create {
			server.Without("note_create")
		}
		n.Opener = opener.Opener{Program: *program}
		var err error
		n.Library, err = library(*path)
		return err
	})
	sdk.Main(server)
}

// library returns the database at path, else the one the environment names, else
// Bear's own. A file that is not there is an error of the calls, since it may
// appear later.
func library(path string) (*bear.DB, error) {
	if path == "" {
		path = os.Getenv("GRIZZLY_DB")
	}
	if path == "" {
		var err error
		if path, err = bear.DefaultPath(); err != nil {
			return nil, err
		}
	}
	return bear.Open(path, bear.Options{})
}
