// Package store returns errors without codes.
package store

import (
	"errors"
	"fmt"
)

// ErrGone is an error in a variable.
var ErrGone = errors.New("gone")

// Find returns an error if it finds nothing.
func Find(name string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("finding: %w", ErrGone)
	}
	return name, nil
}
