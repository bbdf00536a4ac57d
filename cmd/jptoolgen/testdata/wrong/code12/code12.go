// caught by: vet JP706

// Package code12 declares a code that it never fails with.
package code12

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
//jp:fails conflict
func (s *Store) Save(ctx context.Context, in kit.Thing) (string, error) {
	return "done", nil
}
