// caught by: run internal

// Package w31 asks for a choice without offering values.
package w31

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
	return ask.Pick.Ask(ctx, "Which?")
}
