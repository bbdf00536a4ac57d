// caught by: vet JP719

// Package late16 returns a list with a value that is not a constant of its type.
package late16

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
func (s *Store) Save(ctx context.Context, in kit.Thing) ([]Size, error) {
	return []Size{"small", Size(in.Name)}, nil
}
