// Package notes serves Bear's notes to language models.
package notes

import (
	"errors"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/opener"
	"github.com/jptool/jptool/sdk/fault"
)

//go:generate go tool jptoolgen

// Search, read and create Bear notes.
//
//jp:server name=grizzly
type Notes struct {
	// Library is where notes are read.
	Library *bear.DB
	// Opener hands new notes to Bear.
	Opener opener.Opener
}

// failed returns err of the library or of the opener as a fault.
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
		return fault.Wrap(err, fault.InvalidInput, "%s", err)
	case errors.Is(err, bear.ErrForbidden):
		return fault.Wrap(err, fault.PermissionDenied, "%s", err)
	}
	if reason, ok := errors.AsType[bear.Failure](err); ok {
		return unavailable(err, reason, reason.Transient())
	}
	if reason, ok := errors.AsType[opener.Failure](err); ok {
		return unavailable(err, reason, reason.Transient())
	}
	return err
}

// unavailable tells of what keeps the library or Bear from being used. Only what
// passes by itself is transient: a missing library stays missing.
func unavailable(cause, reason error, transient bool) error {
	f := fault.Wrap(cause, fault.Unavailable, "%s", reason)
	f.Transient = transient
	return f
}
