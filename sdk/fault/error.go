package fault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// An Error is a failure as the caller of a tool sees it. It is sent as a tool result, not as a
// protocol error, so that the model can read it.
type Error struct {
	Code        Code           // the kind of failure
	Message     string         // what went wrong and what to do, for the model, without secrets
	Details     map[string]any // structured information, encoded as a JSON object, or nil
	Recoverable bool           // whether the model may correct its call and try again
	Transient   bool           // whether the same call may succeed later
	// Cause is the underlying error, for logs and errors.Is. Callers receive it only as the trace
	// of a JP Outcome.
	Cause error
}

// New returns an error with the given code. Recoverable and Transient are set to what is usual
// for a base code; both are false for codes that the server declares.
func New(code Code, format string, args ...any) *Error {
	return &Error{
		Code: code, Message: fmt.Sprintf(format, args...),
		Recoverable: slices.Contains(recoverable, code), Transient: code == Unavailable || code == Timeout,
	}
}

// Wrap is like [New], but also sets the cause.
func Wrap(cause error, code Code, format string, args ...any) *Error {
	e := New(code, format, args...)
	e.Cause = cause
	return e
}

// Error returns the code and the message.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	return string(e.Code) + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Cause
}

// Is reports whether target is an *Error with the same code and no message, so that
// errors.Is(err, &fault.Error{Code: fault.NotFound}) tests for a code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && e != nil && t != nil && t.Message == "" && t.Code == e.Code
}

// From converts err to an *Error. If the chain of err contains an *Error, From returns the
// outermost one. For context errors, fs.ErrNotExist and fs.ErrPermission it returns an error with a
// suitable code and a generic message. Any other error becomes an [Internal] error with its text.
// From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	e, _ := errors.AsType[*Error](err)
	switch {
	case e != nil && e.Code.Valid():
		return e
	case e != nil:
		return Wrap(err, Internal, "%s", e.Message)
	case errors.Is(err, context.Canceled):
		return Wrap(err, Canceled, "the call was canceled")
	case errors.Is(err, context.DeadlineExceeded):
		return Wrap(err, Timeout, "the call took too long")
	case errors.Is(err, fs.ErrNotExist):
		return Wrap(err, NotFound, "a file or directory that the tool needs does not exist")
	case errors.Is(err, fs.ErrPermission):
		return Wrap(err, PermissionDenied, "the tool may not use a file or directory that it needs")
	}
	return Wrap(err, Internal, "%s", err)
}

// CodeOf returns the code of From(err), or "" if err is nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return From(err).Code
}

// Trace returns the messages of the errors that e wraps, outermost first, without repetitions.
// It is never nil, because JP rejects an Outcome whose trace is null.
func (e *Error) Trace() []string {
	trace, last := []string{}, e.Message
	for err := e.Cause; err != nil; err = errors.Unwrap(err) {
		if text := err.Error(); text != last {
			trace, last = append(trace, text), text
		}
	}
	return trace
}
