// caught by: nothing (control)

// Package w55 reads its own contract.
package w55

import "context"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	return contract.Description, nil
}
