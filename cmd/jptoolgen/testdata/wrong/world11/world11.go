// caught by: vet JP715

// Package world11 removes a directory in a deferred call.
package world11

import (
	"context"
	"os"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	defer os.RemoveAll("cache")
	return "done", nil
}
