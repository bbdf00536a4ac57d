package bear

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/jptool/jptool/examples/grizzly/internal/snapshot"
)

// Failure is the reason why the library could not be read. The constants are all possible values; errors from
// this package match them with [errors.Is]. The text is written for users and models. It does not contain the
// cause, except the path of a missing library; use [errors.As] to get the cause.
type Failure string

const (
	// ErrNoLibrary means that there is no file at the path.
	ErrNoLibrary Failure = "no Bear library found; install Bear, or set the path of its library with --db or GRIZZLY_DB"
	// ErrForbidden means that the operating system denied access.
	ErrForbidden Failure = "access to the Bear library was denied; on macOS, grant this program access to files in the privacy settings"
	// ErrNotBear means that the file is not a Bear library, or has no table of notes.
	ErrNotBear Failure = "the file is not a Bear library; set the path of Bear's library with --db or GRIZZLY_DB"
	// ErrDamaged means that the file is inconsistent, or that a change was interrupted.
	ErrDamaged Failure = "the Bear library is damaged, or a change was interrupted; open Bear once, then try again"
	// ErrBusy means that Bear held the library for longer than [Options.Wait], or kept changing it.
	ErrBusy Failure = "Bear is busy writing to its library; try again in a few seconds"
	// ErrUnreadable means that reading failed for any other reason.
	ErrUnreadable Failure = "the Bear library could not be read"
)

// Error returns the text.
func (f Failure) Error() string { return string(f) }

// Transient reports whether the same call may succeed later.
func (f Failure) Transient() bool { return f == ErrBusy }

// A causedFailure is a failure together with its cause.
type causedFailure struct {
	Failure
	cause error
}

// Error returns the text of the failure, with the path of a missing library.
func (c *causedFailure) Error() string {
	at, ok := errors.AsType[*fs.PathError](c.cause)
	if c.Failure != ErrNoLibrary || !ok {
		return c.Failure.Error()
	}
	path := at.Path
	if home, err := os.UserHomeDir(); err == nil {
		if below, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok {
			path = filepath.Join("~", below)
		}
	}
	return strings.Replace(c.Failure.Error(), "found;", fmt.Sprintf("found at %q;", path), 1)
}

func (c *causedFailure) Unwrap() []error { return []error{c.Failure, c.cause} }

// withCause combines f with its cause, which may be nil.
func (f Failure) withCause(cause error) error {
	if cause == nil {
		return f
	}
	return &causedFailure{f, cause}
}

// classify converts any error from reading the library to a Failure. It returns errors that already have a
// Failure, and the error from ctx, unchanged.
func classify(ctx context.Context, err error) error {
	var known Failure
	var coded *sqlite.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known):
		return err
	case errors.As(err, &coded):
		return failureOf(coded.Code()).withCause(err)
	case errors.Is(err, snapshot.ErrDamaged):
		return ErrNotBear.withCause(err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return ErrNoLibrary.withCause(err)
	case errors.Is(err, fs.ErrPermission):
		return ErrForbidden.withCause(err)
	}
	return ErrUnreadable.withCause(err)
}

func failureOf(code int) Failure {
	switch code {
	case sqlite3.SQLITE_READONLY_ROLLBACK:
		return ErrDamaged
	case sqlite3.SQLITE_READONLY_RECOVERY, sqlite3.SQLITE_READONLY_CANTINIT, sqlite3.SQLITE_READONLY_CANTLOCK:
		return ErrBusy
	}
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return ErrBusy
	case sqlite3.SQLITE_CORRUPT:
		return ErrDamaged
	case sqlite3.SQLITE_NOTADB:
		return ErrNotBear
	case sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return ErrForbidden
	}
	return ErrUnreadable
}

// BadLinesError reports invalid line specs.
type BadLinesError struct {
	Specs []LineSpec // the invalid specs, in the given order
}

// Error lists the invalid specs.
func (e *BadLinesError) Error() string {
	quoted := make([]string, len(e.Specs))
	for i, s := range e.Specs {
		quoted[i] = fmt.Sprintf("%q", clip(string(s), 40))
	}
	return fmt.Sprintf(`invalid lines %s: write a line as 7, or a range as "3-9"`, strings.Join(quoted, ", "))
}

// LongQueryError reports a query that is too long.
type LongQueryError struct{ Bytes int }

// Error mentions the limit.
func (e *LongQueryError) Error() string {
	return fmt.Sprintf("queries: an entry has %d bytes, more than the limit of %d; search for a part of it", e.Bytes, maxQueryBytes)
}
