package decode

import (
	"bytes"
	"encoding/json"

	"github.com/jptool/jptool/sdk/fault"
)

// Exactly returns a strict variant of [Into] for values that come from a person or a host
// instead of a model: strings are not converted, and undeclared names are problems. Empty
// input and null are not objects.
//
// The returned function returns a T, or the zero T and a *[fault.Error] of code
// [fault.InvalidInput] that lists all problems.
func Exactly[T any](fields func(*Object, *T)) func(json.RawMessage) (T, error) {
	return func(data json.RawMessage) (T, error) {
		var value, none T
		if text := bytes.TrimSpace(data); len(text) == 0 || string(text) == "null" {
			return none, fault.New(fault.InvalidInput, "expected an object, got nothing")
		}
		report := Into(data, &value, fields, Options{Unknown: Reject, Strict: true, What: "field"})
		if err := report.Err(); err != nil {
			return none, err
		}
		return value, nil
	}
}
