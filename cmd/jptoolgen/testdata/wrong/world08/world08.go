// caught by: vet JP715

// Package world08 has its side effect in a function that a field holds.
package world08

import (
	"context"
	"os"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	remove func(string) error
}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	if err := s.remove("x"); err != nil {
		return "", err
	}
	return "done", nil
}

// New returns a store.
func New() *Store { return &Store{remove: os.RemoveAll} }
