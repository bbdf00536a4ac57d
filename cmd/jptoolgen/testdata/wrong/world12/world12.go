// caught by: vet JP716

// Package world12 writes when its input is formatted.
package world12

import (
	"context"
	"os"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// Name of the thing.
	Name string `json:"name"`
}

// Format counts how often it is called.
func (in SaveInput) Format() string {
	_ = os.WriteFile("shown", nil, 0o600)
	return in.Name
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput) (string, error) {
	return "done", nil
}
