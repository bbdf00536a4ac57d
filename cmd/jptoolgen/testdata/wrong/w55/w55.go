// caught by: nothing (control)

// Package w55 reads its own contract.
package w55

import "context"

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	return contract.Description, nil
}
