// Package bind creates the questions of a tool for generated code, and routes the questions of
// an in-process call to the functions that answer them.
//
// Handwritten code declares its questions with package elicit.
package bind

import (
	"encoding/json"
	"strconv"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Confirm adds the question that spec declares to the set.
func Confirm(set *question.Set, spec question.Spec) elicit.Confirm {
	spec.Kind = question.KindConfirm
	return elicit.Bound[elicit.Confirm](set.Declare(spec), isTrue)
}

// Choice adds the question that spec declares to the set. The answer is one of its options.
func Choice[T ~string](set *question.Set, spec question.Spec) elicit.Choice[T] {
	spec.Kind = question.KindChoice
	return elicit.Bound[elicit.Choice[T]](set.Declare(spec), text[T])
}

// Text adds the question that spec declares to the set.
func Text(set *question.Set, spec question.Spec) elicit.Text {
	spec.Kind = question.KindText
	return elicit.Bound[elicit.Text](set.Declare(spec), text[string])
}

// Number adds the question that spec declares to the set.
func Number(set *question.Set, spec question.Spec) elicit.Number {
	spec.Kind = question.KindNumber
	return elicit.Bound[elicit.Number](set.Declare(spec), func(answer json.RawMessage) (float64, error) {
		return strconv.ParseFloat(string(answer), 64)
	})
}

// Pick adds the question that spec declares to the set.
func Pick(set *question.Set, spec question.Spec) elicit.Pick {
	spec.Kind = question.KindPick
	return elicit.Bound[elicit.Pick](set.Declare(spec), text[string])
}

// Several adds the question that spec declares to the set. The answer contains some of its
// options.
func Several[T ~string](set *question.Set, spec question.Spec) elicit.Several[T] {
	spec.Kind = question.KindSeveral
	return elicit.Bound[elicit.Several[T]](set.Declare(spec), func(answer json.RawMessage) (values []T, err error) {
		err = json.Unmarshal(answer, &values)
		return values, err
	})
}

// Secret adds the question that spec declares to the set.
func Secret(set *question.Set, spec question.Spec) elicit.Secret {
	spec.Kind = question.KindSecret
	return elicit.Bound[elicit.Secret](set.Declare(spec), text[string])
}

// Visit adds the question that spec declares to the set.
func Visit(set *question.Set, spec question.Spec) elicit.Visit {
	spec.Kind = question.KindVisit
	return elicit.Bound[elicit.Visit](set.Declare(spec), isTrue)
}

// Form adds the question that spec declares to the set; read decodes a validated answer.
func Form[T any](set *question.Set, spec question.Spec, read func(json.RawMessage) (T, error)) elicit.Form[T] {
	spec.Kind = question.KindForm
	return elicit.Bound[elicit.Form[T]](set.Declare(spec), read)
}

func isTrue(answer json.RawMessage) (bool, error) { return string(answer) == "true", nil }

// text returns a validated answer as a string.
func text[T ~string](answer json.RawMessage) (T, error) {
	var s string
	err := json.Unmarshal(answer, &s)
	return T(s), err
}
