// caught by: run internal

// Package w71 asks for a choice from an empty list of values.
package w71

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
func (s *Store) Save(ctx context.Context, ask kit.Picks) (string, error) {
	return ask.Pick.Among().Ask(ctx, "Which?")
}
