package elicit

import "errors"

// Acknowledge reports whether err says that a question was declined or canceled. A
// handler that goes on without the answer on purpose calls it.
func Acknowledge(err error) bool {
	return errors.Is(err, ErrDeclined) || errors.Is(err, ErrCanceled)
}
