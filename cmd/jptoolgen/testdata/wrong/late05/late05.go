// caught by: vet JP719

// Package late05 returns a constant that its type does not have.
package late05

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Size is the size of a thing.
type Size string

const (
	Small Size = "small" // A small thing.
	Large Size = "large" // A large thing.
)

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (Size, error) {
	return Size(in.Name), nil
}
