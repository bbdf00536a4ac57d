// caught by: generator JP410

// Package w49 gives two tools the same former name.
package w49

import "context"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
//jp:alias old until=2031-01-01
func (s *Store) Save(ctx context.Context) (string, error) {
	return "", nil
}

// Store stores a thing.
//
//jp:tool
//jp:alias old until=2031-01-01
func (s *Store) Store(ctx context.Context) (string, error) {
	return "", nil
}
