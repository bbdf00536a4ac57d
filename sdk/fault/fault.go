// Package fault provides errors with codes.
//
// A tool fails with an [Error]: a [Code] from a closed set, a message for the model, and whether
// trying again can help. [From] converts errors without a code, so that callers always receive one.
package fault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/causes"
)

// A Code identifies a kind of failure. Codes are in lower-case snake case and have at most 40
// characters. A server declares codes in addition to the base codes as documented constants of this
// type, and //jp:fails lists those that a tool uses. Codes are part of a server's contract: a
// published code keeps its name and meaning.
type Code string

// Base codes, in the order in which they can occur during a call.
const (
	InvalidInput     Code = "invalid_input"     // the arguments or options do not match the schema
	InvalidAnswer    Code = "invalid_answer"    // an answer does not match its question
	InputUnavailable Code = "input_unavailable" // there was no user to ask
	InputDeclined    Code = "input_declined"    // a question was declined or canceled
	NotFound         Code = "not_found"         // the arguments refer to something that does not exist
	PermissionDenied Code = "permission_denied" // the call is not permitted
	Conflict         Code = "conflict"          // the call conflicts with existing data
	State            Code = "state"             // the call is not possible in the current state
	Unavailable      Code = "unavailable"       // the tool cannot reach something that it needs
	Timeout          Code = "timeout"           // the call took too long
	Canceled         Code = "canceled"          // the caller canceled the call
	Internal         Code = "internal"          // the tool has a bug
)

// recoverable are the base codes after which the model may correct its call and try again.
var recoverable = []Code{InvalidInput, InvalidAnswer, InputUnavailable, NotFound, Conflict, State}

// Base returns the base codes in the order of declaration.
func Base() []Code {
	return []Code{
		InvalidInput, InvalidAnswer, InputUnavailable, InputDeclined, NotFound, PermissionDenied,
		Conflict, State, Unavailable, Timeout, Canceled, Internal,
	}
}

// Common returns the codes with which every tool may fail without declaring them: those of the
// runtime, and those that [From] gives to errors without a code.
func Common() []Code {
	return slices.DeleteFunc(Base(), func(c Code) bool { return c == State })
}

// IsBase reports whether c is one of the base codes.
func (c Code) IsBase() bool { return slices.Contains(Base(), c) }

// Valid reports whether c is well-formed.
func (c Code) Valid() bool {
	odd := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' }
	return c != "" && len(c) <= 40 && 'a' <= c[0] && c[0] <= 'z' && !strings.ContainsFunc(string(c), odd)
}

// UnmarshalText sets c. It returns an error unless the text is a valid code.
func (c *Code) UnmarshalText(text []byte) error {
	if code := Code(text); code.Valid() {
		*c = code
		return nil
	}
	return fmt.Errorf("invalid fault code %.60q", text)
}

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
// outermost one. For context errors, fs.ErrNotExist and fs.ErrPermission, it returns an error with
// a suitable code and a generic message. Any other error becomes an [Internal] error with its text.
// From(nil) is nil.
//
// From inspects at most 10 000 errors that err wraps. If there are more, for example because an
// error wraps itself, the Cause of the result only has the text of the cause, and wraps nothing.
func From(err error) *Error {
	e := convert(err)
	if e != nil && causes.Endless(e.Cause) {
		cut := *e
		cut.Cause = errors.New(e.Cause.Error())
		return &cut
	}
	return e
}

func convert(err error) *Error {
	if err == nil {
		return nil
	}
	e, _ := causes.AsType[*Error](err)
	switch {
	case e != nil && e.Code.Valid():
		return e
	case e != nil:
		return Wrap(err, Internal, "%s", e.Message)
	case causes.Is(err, context.Canceled):
		return Wrap(err, Canceled, "the call was canceled")
	case causes.Is(err, context.DeadlineExceeded):
		return Wrap(err, Timeout, "the call took too long")
	case causes.Is(err, fs.ErrNotExist):
		return Wrap(err, NotFound, "a file or directory that the tool needs does not exist")
	case causes.Is(err, fs.ErrPermission):
		return Wrap(err, PermissionDenied, "the tool is not allowed to use a file or directory that it needs")
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

const (
	maxTrace = 20   // the maximum number of texts in a trace
	maxText  = 2000 // the maximum size of such a text in bytes
)

// Trace returns the messages of the errors that e wraps, outermost first, without repetitions: at
// most 20 of at most 2000 bytes each, and "…" for what is left out. It is never nil, because JP
// rejects an Outcome whose trace is null.
func (e *Error) Trace() []string {
	trace, last := []string{}, e.Message
	for err, n := e.Cause, 0; err != nil && n < causes.Max; err, n = errors.Unwrap(err), n+1 {
		text := err.Error()
		switch {
		case text == last:
			continue
		case len(trace) == maxTrace:
			return append(trace, "…")
		}
		if last = text; len(text) > maxText {
			text = strings.ToValidUTF8(text[:maxText], "") + "…"
		}
		trace = append(trace, text)
	}
	return trace
}
