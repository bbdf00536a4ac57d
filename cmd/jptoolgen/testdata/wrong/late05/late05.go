// caught by: run internal

// Package late05 returns a constant that its type does not have.
package late05

import (
	"context"

	"example.com/wrong/kit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Size is how large it is.
type Size string

const (
	Small Size = "small" // It is small.
	Large Size = "large" // It is large.
)

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (Size, error) {
	return Size(in.Name), nil
}
