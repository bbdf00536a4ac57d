// caught by: vet JP711

// Package ask08 has a helper that drops the error.
package ask08

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if !sure(ctx, ask, in.Name) {
		return "not saved", nil
	}
	return "saved", nil
}

func sure(ctx context.Context, ask kit.Sure, name string) bool {
	ok, err := ask.Sure.Ask(ctx, "Save %s?", name)
	if err != nil {
		return false
	}
	return ok
}
