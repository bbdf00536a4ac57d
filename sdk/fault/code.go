package fault

import "fmt"

// A Code names a kind of failure. The base codes below belong to every server;
// a server adds its own as documented constants of this type, and declares which
// of them a tool uses with //jp:fails.
//
// A code is lower-case snake case, at most 40 characters. Codes are part of a
// server's contract: once published they keep their name and meaning.
type Code string

// The base codes, in the order a call meets them.
const (
	// InvalidInput says that the arguments or options do not fit the tool.
	InvalidInput Code = "invalid_input"
	// InvalidAnswer says that the answer to a question does not fit the question.
	InvalidAnswer Code = "invalid_answer"
	// InputUnavailable says that a question could not be put to anybody.
	InputUnavailable Code = "input_unavailable"
	// InputDeclined says that a question was declined or canceled.
	InputDeclined Code = "input_declined"
	// NotFound says that what the arguments name does not exist.
	NotFound Code = "not_found"
	// PermissionDenied says that the call is not allowed.
	PermissionDenied Code = "permission_denied"
	// Conflict says that the call contradicts what already exists.
	Conflict Code = "conflict"
	// State says that the call does not fit the present state.
	State Code = "state"
	// Unavailable says that something the tool needs cannot be reached now.
	Unavailable Code = "unavailable"
	// Timeout says that the call took too long.
	Timeout Code = "timeout"
	// Canceled says that the caller gave the call up.
	Canceled Code = "canceled"
	// Internal says that the tool itself is at fault.
	Internal Code = "internal"
)

const maxCode = 40

// Base returns the base codes in the order of their declaration.
func Base() []Code {
	return []Code{
		InvalidInput, InvalidAnswer, InputUnavailable, InputDeclined, NotFound, PermissionDenied,
		Conflict, State, Unavailable, Timeout, Canceled, Internal,
	}
}

// Common returns the codes that belong to every tool without being declared: those
// that the runtime itself fails with, and those it gives to errors without a code.
func Common() []Code {
	return []Code{
		InvalidInput, InvalidAnswer, InputUnavailable, InputDeclined, NotFound, PermissionDenied,
		Conflict, Unavailable, Timeout, Canceled, Internal,
	}
}

// IsBase reports whether c is one of the base codes.
func (c Code) IsBase() bool {
	_, ok := traits[c]
	return ok
}

// Valid reports whether c is spelled as a code must be.
func (c Code) Valid() bool {
	if c == "" || len(c) > maxCode || c[0] < 'a' || c[0] > 'z' {
		return false
	}
	for _, r := range []byte(c) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' {
			return false
		}
	}
	return true
}

// UnmarshalText sets c from its text form. It refuses a text that is not [Code.Valid].
func (c *Code) UnmarshalText(text []byte) error {
	if code := Code(text); code.Valid() {
		*c = code
		return nil
	}
	return fmt.Errorf("invalid fault code %.60q", text)
}

type trait struct{ recoverable, transient bool }

// traits holds what a code promises unless an error says otherwise.
var traits = map[Code]trait{
	InvalidInput:     {recoverable: true},
	InvalidAnswer:    {recoverable: true},
	InputUnavailable: {recoverable: true},
	InputDeclined:    {},
	NotFound:         {recoverable: true},
	PermissionDenied: {},
	Conflict:         {recoverable: true},
	State:            {recoverable: true},
	Unavailable:      {transient: true},
	Timeout:          {transient: true},
	Canceled:         {},
	Internal:         {},
}
