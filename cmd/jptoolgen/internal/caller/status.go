package caller

import (
	"errors"

	"github.com/jptool/jptool/sdk/fault"
)

// Status returns the exit status for an outcome: 0 for success, 1 for failure, and 7 for an unanswered question.
func (o *Outcome) Status() int {
	switch {
	case !o.IsError:
		return 0
	case o.Code == string(fault.InputUnavailable):
		return 7
	}
	return 1
}

// StatusOf returns the exit status for the error of a call: 7 for an unanswered question, 1 if the person
// canceled the call, and 2 for other errors.
func StatusOf(err error) int {
	if _, waiting := errors.AsType[*WaitingError](err); waiting {
		return 7
	}
	if errors.Is(err, ErrCanceled) {
		return 1
	}
	return 2
}
