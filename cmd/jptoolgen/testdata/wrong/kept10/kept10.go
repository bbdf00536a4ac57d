// caught by: vet JP724

// Package kept10 asks with a context of the server.
package kept10

import (
	"context"

	"example.com/wrong/kit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct {
	ctx context.Context
}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	if _, err := ask.Sure.Ask(s.ctx, "Save %s?", in.Name); err != nil {
		return "", err
	}
	return "saved", nil
}
