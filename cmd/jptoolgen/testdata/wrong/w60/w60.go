// caught by: vet JP711

// Package w60 acts on an answer before it checks the error.
package w60

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	skipped int
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if !ok {
		s.skipped++
		return "not saved", nil
	}
	if err != nil {
		return "", err
	}
	return "saved", nil
}
