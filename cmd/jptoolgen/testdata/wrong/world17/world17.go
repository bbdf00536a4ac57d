// caught by: vet JP715

// Package world17 has a side effect behind an interface.
package world17

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	backend interface{ Remove(string) error }
}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	return "", s.backend.Remove(in.Name)
}
