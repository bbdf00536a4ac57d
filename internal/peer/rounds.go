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

// Ask repeats a call until it asks nothing more. Each call has all answers so far, beginning with those that are given.
// The function once makes one call, has its question answered, and returns the id and the answer, or no answer if the
// call is done. An id that is asked again gets its new answer.
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
