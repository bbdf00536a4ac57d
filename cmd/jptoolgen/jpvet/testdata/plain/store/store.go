// Package store fails without codes.
package store

import (
	"errors"
	"fmt"
)

// ErrGone is kept in a variable.
var ErrGone = errors.New("gone")

// Find may not find.
func Find(name string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("finding: %w", ErrGone)
	}
	return name, nil
}
