// caught by: vet JP720

// Package code04 has an error in a variable.
package code04

import (
	"context"
	"errors"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

var errNoName = errors.New("no name")

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if in.Name == "" {
		return "", errNoName
	}
	return "done", nil
}
