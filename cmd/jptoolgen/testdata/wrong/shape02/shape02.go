// caught by: generator JP404

// Package shape02 takes arguments one by one.
package shape02

import "context"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, name string) (string, error) {
	return name, nil
}
