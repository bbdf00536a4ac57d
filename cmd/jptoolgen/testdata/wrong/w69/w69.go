// caught by: run internal

// Package w69 panics.
package w69

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	if in.Name == "" {
		panic("no name")
	}
	return in.Name, nil
}
