// caught by: vet JP701

// Package w22 does not check the error of an answer.
package w22

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
	ok, _ := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if !ok {
		return "not saved", nil
	}
	return "saved", nil
}
