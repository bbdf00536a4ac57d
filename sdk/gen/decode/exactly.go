package decode

import (
	"bytes"
	"encoding/json"

	"github.com/jptool/jptool/sdk/fault"
)

// Exactly returns the strict form of [Into], for values that a person or a host
// has given rather than a model: strings are not read as other values, and names
// that fields does not declare are problems. Nothing and null are no object.
//
// The function it returns gives a T and no error, or the zero T and a
// *[fault.Error] of code [fault.InvalidInput] that tells every problem.
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
