// Package fault provides errors with codes.
//
// A tool fails with an [Error]: a [Code] from a closed set, a message for the model, and whether
// trying again can help. [From] converts errors without a code, so that callers always receive one.
package fault

import (
	"fmt"
	"slices"
	"strings"
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
	InputDeclined    Code = "input_declined"    // the user declined or canceled a question
	NotFound         Code = "not_found"         // what the arguments refer to does not exist
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
