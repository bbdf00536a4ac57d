// Package bind makes the questions of a tool, and takes them to who answers them in
// this process.
//
// Generated code uses it. Handwritten code declares its questions with package elicit.
package bind

import (
	"encoding/json"
	"strconv"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Confirm returns the question that spec declares as one of the set.
func Confirm(set *question.Set, spec question.Spec) elicit.Confirm {
	spec.Kind = question.KindConfirm
	return elicit.Bound[elicit.Confirm](set.Declare(spec), func(answer json.RawMessage) (bool, error) {
		return string(answer) == "true", nil
	})
}

// Choice returns the question that spec declares as one of the set, answered by one of
// its options.
func Choice[T ~string](set *question.Set, spec question.Spec) elicit.Choice[T] {
	spec.Kind = question.KindChoice
	return elicit.Bound[elicit.Choice[T]](set.Declare(spec), text[T])
}

// Text returns the question that spec declares as one of the set.
func Text(set *question.Set, spec question.Spec) elicit.Text {
	spec.Kind = question.KindText
	return elicit.Bound[elicit.Text](set.Declare(spec), text[string])
}

// Number returns the question that spec declares as one of the set.
func Number(set *question.Set, spec question.Spec) elicit.Number {
	spec.Kind = question.KindNumber
	return elicit.Bound[elicit.Number](set.Declare(spec), func(answer json.RawMessage) (float64, error) {
		if s, err := text[string](answer); err == nil {
			answer = json.RawMessage(s) // a host that can only ask for text
		}
		return strconv.ParseFloat(string(answer), 64)
	})
}

// Pick returns the question that spec declares as one of the set.
func Pick(set *question.Set, spec question.Spec) elicit.Pick {
	spec.Kind = question.KindPick
	return elicit.Bound[elicit.Pick](set.Declare(spec), text[string])
}

// Form returns the question that spec declares as one of the set; read makes a T of an
// answer that has been checked.
func Form[T any](set *question.Set, spec question.Spec, read func(json.RawMessage) (T, error)) elicit.Form[T] {
	spec.Kind = question.KindForm
	return elicit.Bound[elicit.Form[T]](set.Declare(spec), read)
}

// text returns an answer that has been checked to be a string.
func text[T ~string](answer json.RawMessage) (T, error) {
	var s string
	err := json.Unmarshal(answer, &s)
	return T(s), err
}
