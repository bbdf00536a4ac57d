// caught by: run internal

// Package late11 returns a value that JSON cannot represent.
package late11

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	count int
}

// Ratio is the size of a part.
type Ratio struct {
	// Value of the thing.
	Value float64 `json:"value"`
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing) (Ratio, error) {
	return Ratio{Value: float64(len(in.Name)) / float64(s.count)}, nil
}
