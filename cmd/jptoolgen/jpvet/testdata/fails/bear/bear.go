// Package bear creates faults for another package.
package bear

import (
	"context"
	"errors"
	"fmt"

	"github.com/jptool/jptool/sdk/fault"
)

// ErrGone is an error in a variable.
var ErrGone = fault.New(fault.NotFound, "gone") // want ErrGone:"fails with not_found$"

// Find returns an error if it finds nothing.
func Find(name string) (string, error) { // want Find:"fails with not_found$"
	if name == "" {
		return "", fmt.Errorf("finding: %w", ErrGone)
	}
	return name, nil
}

// Lock returns a conflict, or the error of f.
func Lock(ctx context.Context, f func(context.Context) error) error { // want Lock:"fails with conflict and codes of its arguments$"
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := f(ctx); err != nil {
		return err
	}
	return taken("x")
}

func taken(name string) *fault.Error { // want taken:"fails with conflict$"
	f := &fault.Error{Code: fault.Conflict, Message: name}
	f.Transient = true
	return f
}

// Any creates a fault with a code.
func Any(code fault.Code) error { return fault.New(code, "any") } // want Any:"and codes of its arguments$"

// Plain does not use faults.
func Plain() error { return errors.New("plain") } // want Plain:"fails with $"

// Foreign is a code that no server declares.
func Foreign() error { return fault.New("bear_trap", "caught") } // want Foreign:"fails with bear_trap$"
