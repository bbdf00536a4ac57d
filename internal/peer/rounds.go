package peer

import (
	"encoding/json"
	"fmt"
	"maps"
)

// MaxRounds is the maximum number of questions in one call.
const MaxRounds = 100

// errRounds means that a tool does not stop asking.
var errRounds = fmt.Errorf("%w: it asked %d times in one call", ErrTooMuch, MaxRounds)

// Ask repeats a call until it has no more questions. Each call has all answers so far, starting with given. The
// function once makes one call, gets the answer to its question, and returns the id and the answer, or no answer
// if the call is done. A question that is asked again gets a new answer.
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
