// caught by: vet JP725

// Package w71 asks for a choice from an empty list of values.
package w71

import (
	"context"

	"example.com/wrong/kit"
)

// Store keeps things.
//
//jp:server clients=mcp
type Store struct{}

// Save saves a thing.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Picks) (string, error) {
	return ask.Pick.Among().Ask(ctx, "Which?")
}
