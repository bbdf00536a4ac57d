// caught by: vet JP719

// Package word05 compares an argument with a string that is not a constant of its type.
package word05

import "context"

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// Size of the thing.
	Size Size `json:"size"`
}

// Size is the size of a thing.
type Size string

const (
	Small Size = "small" // A small thing.
	Large Size = "large" // A large thing.
)

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput) (string, error) {
	if in.Size == "medium" {
		return "m", nil
	}
	return "s", nil
}
