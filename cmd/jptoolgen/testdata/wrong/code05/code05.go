// caught by: vet JP720

// Package code05 has an error of its own type.
package code05

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

type nameError struct{ name string }

func (e *nameError) Error() string { return "bad name " + e.name }

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if in.Name == "" {
		return "", &nameError{}
	}
	return "done", nil
}
