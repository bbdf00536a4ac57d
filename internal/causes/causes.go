// Package causes inspects the errors that an error wraps, as package errors does, but only the first [Max] of
// them. Handlers return errors of any type, and the method Unwrap of such a type may never come to an end.
package causes

import (
	"iter"
	"reflect"
	"slices"
)

// Max is the maximum number of errors that a function of this package inspects.
const Max = 10_000

// All returns err and the errors that it wraps, in the order of [errors.Is].
func All(err error) iter.Seq[error] {
	return func(yield func(error) bool) { walk(err, yield) }
}

// Endless reports whether [All] does not return all errors that err wraps.
func Endless(err error) bool { return !walk(err, func(error) bool { return true }) }

// walk calls yield for each error. It returns false if it stopped early.
func walk(err error, yield func(error) bool) (all bool) {
	waiting := []error{err}
	for n := 0; len(waiting) > 0; {
		last := len(waiting) - 1
		err, waiting = waiting[last], waiting[:last]
		if err == nil {
			continue
		}
		if n++; n > Max || !yield(err) {
			return false
		}
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			waiting = append(waiting, e.Unwrap())
		case interface{ Unwrap() []error }:
			inner := e.Unwrap()
			for _, err := range slices.Backward(inner[:min(len(inner), Max)]) {
				waiting = append(waiting, err)
			}
		}
	}
	return true
}

// Is is like [errors.Is]. The target must not be nil.
func Is(err, target error) bool {
	comparable := reflect.TypeOf(target).Comparable()
	for e := range All(err) {
		own, ok := e.(interface{ Is(error) bool })
		if comparable && e == target || ok && own.Is(target) {
			return true
		}
	}
	return false
}

// AsType is like [errors.AsType], but skips nil pointers: a method As may report success without setting its target.
func AsType[E error](err error) (found E, ok bool) {
	for e := range All(err) {
		found, ok = e.(E)
		if own, has := e.(interface{ As(any) bool }); !ok && has {
			ok = own.As(&found)
		}
		if ok && !isNil(found) {
			return found, true
		}
	}
	var none E
	return none, false
}

func isNil(err error) bool {
	v := reflect.ValueOf(err)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}
