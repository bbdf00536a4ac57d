// caught by: vet JP719

// Package word05 compares an argument with a word that is not a constant of its type.
package word05

import "context"

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput is what is saved.
type SaveInput struct {
	// Size of the thing.
	Size Size `json:"size"`
}

// Size is how large it is.
type Size string

const (
	Small Size = "small" // It is small.
	Large Size = "large" // It is large.
)

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput) (string, error) {
	if in.Size == "medium" {
		return "m", nil
	}
	return "s", nil
}
