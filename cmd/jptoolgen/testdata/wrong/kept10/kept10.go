// caught by: vet JP724

// Package kept10 asks with a context that the server stores.
package kept10

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	ctx context.Context
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if ok, err := ask.Sure.Ask(s.ctx, "Save %s?", in.Name); err != nil || !ok {
		return "", err
	}
	return "saved", nil
}
