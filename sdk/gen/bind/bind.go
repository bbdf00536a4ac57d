// Package bind creates the questions of a tool for generated code, and routes the questions of
// an in-process call to the functions that answer them. Handwritten code uses package elicit.
package bind

import (
	"encoding/json"
	"strconv"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Confirm adds the question that spec declares to the set.
func Confirm(set *question.Set, spec question.Spec) elicit.Confirm {
	return elicit.Bound[elicit.Confirm](declare(set, question.KindConfirm, spec), isTrue)
}

// Choice adds the question that spec declares to the set. The answer is one of its options.
func Choice[T ~string](set *question.Set, spec question.Spec) elicit.Choice[T] {
	return elicit.Bound[elicit.Choice[T]](declare(set, question.KindChoice, spec), text[T])
}

// Text adds the question that spec declares to the set.
func Text(set *question.Set, spec question.Spec) elicit.Text {
	return elicit.Bound[elicit.Text](declare(set, question.KindText, spec), text[string])
}

// Number adds the question that spec declares to the set.
func Number(set *question.Set, spec question.Spec) elicit.Number {
	return elicit.Bound[elicit.Number](declare(set, question.KindNumber, spec), func(answer json.RawMessage) (float64, error) {
		return strconv.ParseFloat(string(answer), 64)
	})
}

// Pick adds the question that spec declares to the set.
func Pick(set *question.Set, spec question.Spec) elicit.Pick {
	return elicit.Bound[elicit.Pick](declare(set, question.KindPick, spec), text[string])
}

// Several adds the question that spec declares to the set. The answer contains some of its
// options.
func Several[T ~string](set *question.Set, spec question.Spec) elicit.Several[T] {
	return elicit.Bound[elicit.Several[T]](declare(set, question.KindSeveral, spec), func(answer json.RawMessage) (values []T, err error) {
		err = json.Unmarshal(answer, &values)
		return values, err
	})
}

// Secret adds the question that spec declares to the set.
func Secret(set *question.Set, spec question.Spec) elicit.Secret {
	return elicit.Bound[elicit.Secret](declare(set, question.KindSecret, spec), text[string])
}

// Visit adds the question that spec declares to the set.
func Visit(set *question.Set, spec question.Spec) elicit.Visit {
	return elicit.Bound[elicit.Visit](declare(set, question.KindVisit, spec), isTrue)
}

// Form adds the question that spec declares to the set; read decodes a validated answer.
func Form[T any](set *question.Set, spec question.Spec, read func(json.RawMessage) (T, error)) elicit.Form[T] {
	return elicit.Bound[elicit.Form[T]](declare(set, question.KindForm, spec), read)
}

func declare(set *question.Set, kind question.Kind, spec question.Spec) question.Question {
	spec.Kind = kind
	return set.Declare(spec)
}

func isTrue(answer json.RawMessage) (bool, error) { return string(answer) == "true", nil }

// text returns a validated answer as a string.
func text[T ~string](answer json.RawMessage) (T, error) {
	var s string
	err := json.Unmarshal(answer, &s)
	return T(s), err
}
