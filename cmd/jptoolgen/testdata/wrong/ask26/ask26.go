// caught by: vet JP711

// Package ask26 treats an error as a yes in an expression.
package ask26

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
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	if !sure(ctx, ask) {
		return "not saved", nil
	}
	return "saved", nil
}

func sure(ctx context.Context, ask kit.Sure) bool {
	ok, err := ask.Sure.Ask(ctx, "Sure?")
	return ok || err != nil
}
