package peer

import (
	"encoding/json"
	"fmt"
	"maps"
)

// MaxRounds is the maximum number of times that one call may ask questions.
const MaxRounds = 100

// errRounds means that a tool keeps asking questions.
var errRounds = fmt.Errorf("%w: it asked questions %d times in one call", ErrTooMuch, MaxRounds)

// Ask repeats a call until it has no more questions. Each call has all answers so far, starting with given. The
// function once makes one call, gets the answers to its questions, and returns them keyed by id. It returns no
// answers if the call is done. A question that is asked again is answered again.
func Ask(given map[string]json.RawMessage, once func(answers map[string]json.RawMessage) (map[string]json.RawMessage, error)) error {
	answers := make(map[string]json.RawMessage, len(given))
	maps.Copy(answers, given)
	for range MaxRounds {
		more, err := once(answers)
		if err != nil || len(more) == 0 {
			return err
		}
		maps.Copy(answers, more)
	}
	return errRounds
}
