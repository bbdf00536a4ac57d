// caught by: vet JP711 JP712

// Package w43 turns the error from a question into a yes.
package w43

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
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		ok = true
	}
	if !ok {
		return "not saved", nil
	}
	return "saved", nil
}
