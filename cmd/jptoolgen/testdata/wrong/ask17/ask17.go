// caught by: vet JP711

// Package ask17 asks in a deferred call.
package ask17

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
	defer ask.Sure.Ask(ctx, "Save %s?", in.Name)
	return "saved", nil
}
