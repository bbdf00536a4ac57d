// caught by: generator JP403

// Package w47 has two tools with the same name.
package w47

import "context"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool name=save
func (s *Store) Save(ctx context.Context) (string, error) {
	return "", nil
}

// Store stores a thing.
//
//jp:tool name=save
func (s *Store) Store(ctx context.Context) (string, error) {
	return "", nil
}
