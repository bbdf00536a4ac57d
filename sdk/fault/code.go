package fault

import (
	"fmt"
	"slices"
	"strings"
)

// A Code identifies a kind of failure. The base codes below are available to every server. A
// server declares further codes as documented constants of this type, and //jp:fails lists
// those that a tool uses.
//
// Codes are in lower-case snake case and have at most 40 characters. They are part of a
// server's contract: a published code keeps its name and meaning.
type Code string

// Base codes, in the order in which they can occur during a call.
const (
	// InvalidInput means that the arguments or options do not match the tool's schema.
	InvalidInput Code = "invalid_input"
	// InvalidAnswer means that an answer does not match its question.
	InvalidAnswer Code = "invalid_answer"
	// InputUnavailable means that there was no user to ask.
	InputUnavailable Code = "input_unavailable"
	// InputDeclined means that the user declined or canceled a question.
	InputDeclined Code = "input_declined"
	// NotFound means that something that the arguments refer to does not exist.
	NotFound Code = "not_found"
	// PermissionDenied means that the call is not permitted.
	PermissionDenied Code = "permission_denied"
	// Conflict means that the call conflicts with existing data.
	Conflict Code = "conflict"
	// State means that the call is not possible in the current state.
	State Code = "state"
	// Unavailable means that the tool cannot currently reach something that it needs.
	Unavailable Code = "unavailable"
	// Timeout means that the call took too long.
	Timeout Code = "timeout"
	// Canceled means that the caller canceled the call.
	Canceled Code = "canceled"
	// Internal means that the tool has a bug.
	Internal Code = "internal"
)

// recoverable are the base codes after which the model may usually correct its call and try again.
var recoverable = []Code{InvalidInput, InvalidAnswer, InputUnavailable, NotFound, Conflict, State}

// Base returns the base codes in the order of declaration.
func Base() []Code {
	return []Code{
		InvalidInput, InvalidAnswer, InputUnavailable, InputDeclined, NotFound, PermissionDenied,
		Conflict, State, Unavailable, Timeout, Canceled, Internal,
	}
}

// Common returns the codes with which every tool may fail without declaring them: the codes of
// the runtime, and the codes that [From] gives to errors without a code.
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
