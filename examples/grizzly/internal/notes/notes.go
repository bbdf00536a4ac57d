// Package notes serves Bear's notes to language models.
package notes

import (
	"errors"
	"log/slog"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/opener"
	"github.com/jptool/jptool/sdk/fault"
)

//go:generate go tool jptoolgen

// Unknown arguments are rejected: a search whose filter was misspelt would find
// notes that nobody asked for.

// Search, read and create Bear notes.
//
//jp:server name=grizzly unknown=reject
type Notes struct {
	// Library is where notes are read. When it is nil, calls fail as they do when
	// there is no file.
	Library *bear.DB
	// Opener hands new notes to Bear.
	Opener opener.Opener
}

// library returns where notes are read, or the fault that there is no such place.
func (n *Notes) library() (*bear.DB, error) {
	if n.Library == nil {
		return nil, failed(bear.ErrNoLibrary)
	}
	return n.Library, nil
}

// failed returns err of the library or of the opener as a fault. What lies beneath
// may name files of the user, so only the log is told.
func failed(err error) error {
	var (
		badLines *bear.BadLinesError
		badQuery *bear.BadQueryError
		invalid  *opener.InvalidError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &badLines), errors.As(err, &badQuery), errors.As(err, &invalid):
		return fault.New(fault.InvalidInput, "%s", err)
	}
	code, reason, transient := fault.Unavailable, error(nil), false
	if f, ok := errors.AsType[bear.Failure](err); ok {
		reason, transient = f, f.Transient()
		if f == bear.ErrForbidden {
			code = fault.PermissionDenied
		}
	} else if f, ok := errors.AsType[opener.Failure](err); ok {
		reason, transient = f, f.Transient()
	} else {
		return err
	}
	var causes interface{ Unwrap() []error }
	if errors.As(err, &causes) {
		slog.Warn("Bear's notes are out of reach", "error", errors.Join(causes.Unwrap()...))
	}
	f := fault.New(code, "%s", reason)
	f.Transient = transient // a missing library stays missing
	return f
}
