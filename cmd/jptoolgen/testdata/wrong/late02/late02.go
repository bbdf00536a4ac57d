// caught by: run internal

// Package late02 offers a value twice.
package late02

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Picks) (string, error) {
	return ask.Pick.Among(in.Name, in.Name).Ask(ctx, "Which?")
}
