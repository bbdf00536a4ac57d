package causes_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/jptool/jptool/internal/causes"
)

// wrapping wraps whatever inner returns.
type wrapping func() error

func (wrapping) Error() string   { return "wrapping" }
func (w wrapping) Unwrap() error { return w() }

// joined wraps all that inner returns.
type joined func() []error

func (joined) Error() string     { return "joined" }
func (j joined) Unwrap() []error { return j() }

func endlessErrors() map[string]error {
	var self, other, list wrapping
	self = func() error { return self }
	other = func() error { return list }
	list = func() error { return errors.Join(fs.ErrClosed, other) }
	var fresh func() error
	fresh = func() error { return wrapping(fresh) }
	var double joined
	double = func() []error { return []error{double, nil, double} }
	return map[string]error{
		"itself": self, "a cycle": other, "ever new ones": fresh(), "itself twice": double,
		"many":     joined(func() []error { return make([]error, 10*causes.Max) }),
		"too many": joined(func() []error { return slices.Repeat([]error{fs.ErrClosed}, 10*causes.Max) }),
	}
}

func TestEndless(t *testing.T) {
	for name, err := range endlessErrors() {
		if causes.Is(err, fs.ErrExist) {
			t.Errorf("%s: it is another error", name)
		}
		if _, ok := causes.AsType[*fs.PathError](err); ok {
			t.Errorf("%s: it has another type", name)
		}
		if got, want := causes.Endless(err), name != "many"; got != want {
			t.Errorf("%s: endless %t", name, got)
		}
		if n := len(slices.Collect(causes.All(err))); n > causes.Max {
			t.Errorf("%s: %d errors", name, n)
		}
	}
	if err := endlessErrors()["a cycle"]; !causes.Is(err, fs.ErrClosed) {
		t.Error("an error in a cycle is not found")
	}
}

// matching is another error according to its methods.
type matching struct{ path *fs.PathError }

func (matching) Error() string        { return "matching" }
func (matching) Is(target error) bool { return target == fs.ErrInvalid }
func (m matching) As(target any) bool {
	p, ok := target.(**fs.PathError)
	if ok {
		*p = m.path
	}
	return ok
}

type incomparable []string

func (incomparable) Error() string { return "incomparable" }

// For errors that end, the functions agree with package errors.
func TestLikePackageErrors(t *testing.T) {
	first, second := &fs.PathError{Op: "first", Err: fs.ErrExist}, &fs.PathError{Op: "second", Err: fs.ErrClosed}
	for _, err := range []error{
		nil, fs.ErrExist, first, incomparable{"x"}, fmt.Errorf("x: %w", second), matching{first}, errors.Join(nil, fs.ErrPermission, first, second),
		fmt.Errorf("%w, %w", errors.Join(errors.New("x"), second), first), errors.Join(matching{second}, first), wrapping(func() error { return nil }),
	} {
		for _, target := range []error{fs.ErrExist, fs.ErrClosed, fs.ErrInvalid, fs.ErrPermission, first, incomparable{"x"}} {
			if got, want := causes.Is(err, target), errors.Is(err, target); got != want {
				t.Errorf("Is(%v, %v) = %t, want %t", err, target, got, want)
			}
		}
		got, ok := causes.AsType[*fs.PathError](err)
		if want, found := errors.AsType[*fs.PathError](err); got != want || ok != found {
			t.Errorf("AsType(%v) = %v, %t, want %v, %t", err, got, ok, want, found)
		}
		if causes.Endless(err) {
			t.Errorf("%v is endless", err)
		}
	}
}

// liar reports that it is an error of any type.
type liar struct{}

func (liar) Error() string { return "liar" }
func (liar) As(any) bool   { return true }

type null struct{}

func (*null) Error() string { return "null" }

func TestNilPointersAreSkipped(t *testing.T) {
	real := &fs.PathError{Op: "open", Err: fs.ErrExist}
	for _, err := range []error{liar{}, (*null)(nil), errors.Join(liar{}, (*null)(nil))} {
		if got, ok := causes.AsType[*null](err); ok || got != nil {
			t.Errorf("AsType(%T) = %v, %t", err, got, ok)
		}
		if got, ok := causes.AsType[*fs.PathError](errors.Join(err, real)); !ok || got != real {
			t.Errorf("AsType(%T and a path error) = %v, %t", err, got, ok)
		}
	}
}
