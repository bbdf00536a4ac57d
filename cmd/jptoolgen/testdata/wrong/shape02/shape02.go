// caught by: generator JP404

// Package shape02 takes arguments one by one.
package shape02

import "context"

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, name string) (string, error) {
	return name, nil
}
