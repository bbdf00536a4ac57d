// caught by: vet JP711

// Package w65 turns the error from a question into a success.
package w65

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
	if ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name); err != nil || !ok {
		return "skipped", nil
	}
	return "saved", nil
}
