// caught by: generator JP403

// Package w47 has two tools with the same name.
package w47

import "context"

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
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
