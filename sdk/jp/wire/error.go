package wire

import (
	"errors"
	"fmt"
	"strings"
)

// Error says why a document was refused, read or written. Errors of this package are *Error.
type Error struct {
	Key string // dotted path of the field, as "question.id"; empty for the whole document
	Err error  // what is wrong there; it never holds the document itself
}

// Error returns one line: the field, what was expected and what came.
func (e *Error) Error() string {
	if e.Key == "" {
		return e.Err.Error()
	}
	return e.Key + ": " + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// errTwice is a known field that is given twice.
var errTwice = errors.New("given twice")

func missing(want string) error { return errors.New("missing, expected " + want) }

// expected names what came by its JSON type, a count or by [shorten].
func expected(want, got string) error { return fmt.Errorf("expected %s, got %s", want, got) }

// shorten makes a name from a document fit into an error message.
func shorten[S ~string](s S) string {
	const limit = 40
	if runes := []rune(s); len(runes) > limit {
		s = S(runes[:limit]) + "…"
	}
	return `"` + strings.ToValidUTF8(string(s), "�") + `"`
}
