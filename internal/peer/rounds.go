package peer

import (
	"encoding/json"
	"fmt"
	"maps"
)

// MaxRounds bounds how often one call may ask.
const MaxRounds = 100

// errRounds says that a tool asks without end.
var errRounds = fmt.Errorf("%w: it asked %d times in one call", ErrTooMuch, MaxRounds)

// Ask calls a tool again and again, each time with all answers so far, which begin with those that are given. Once makes
// one call, and has the question answered that it ends with; an id that is asked again gets its new answer. The call is
// done when once returns no answer.
func Ask(given map[string]json.RawMessage, once func(answers map[string]json.RawMessage) (id string, answer json.RawMessage, err error)) error {
	answers := make(map[string]json.RawMessage, len(given))
	maps.Copy(answers, given)
	for range MaxRounds {
		id, answer, err := once(answers)
		if err != nil || answer == nil {
			return err
		}
		answers[id] = answer
	}
	return errRounds
}
