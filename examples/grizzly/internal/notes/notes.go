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

// Unknown arguments are rejected, because a search with a misspelled filter would return unwanted notes.

// Search, read and create Bear notes.
//
//jp:server name=grizzly unknown=reject list-budget=540
type Notes struct {
	// Library is the library of notes. If it is nil, calls fail as if the file did not exist.
	Library *bear.DB
	// Opener passes new notes to Bear.
	Opener opener.Opener
}

// library returns the library, or a fault if it cannot be opened.
func (n *Notes) library() (*bear.DB, error) {
	if n.Library == nil {
		return nil, faultOf(bear.ErrNoLibrary)
	}
	return n.Library, nil
}

// faultOf converts an error from the library or from the opener to a fault. The cause can contain the user's
// paths, so it is only logged. The path of a missing library is part of the reason.
func faultOf(err error) error {
	var (
		badLines *bear.BadLinesError
		long     *bear.LongQueryError
		invalid  *opener.InvalidError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &badLines), errors.As(err, &long), errors.As(err, &invalid):
		return fault.New(fault.InvalidInput, "%s", err)
	}
	reason, ok := errors.AsType[interface {
		error
		Transient() bool
	}](err) // the error is from the library or from the opener
	if !ok {
		return err
	}
	code := fault.Unavailable
	if errors.Is(err, bear.ErrForbidden) {
		code = fault.PermissionDenied
	}
	var causes interface{ Unwrap() []error }
	if errors.As(err, &causes) {
		slog.Warn("Bear unavailable", "error", errors.Join(causes.Unwrap()...))
	}
	f := fault.New(code, "%s", reason)
	f.Transient = reason.Transient() // a missing library is not transient: it stays missing
	return f
}
