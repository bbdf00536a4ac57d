// caught by: run internal

// Package late03 offers an empty value.
package late03

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
	return ask.Pick.Among("a", "").Ask(ctx, "Which?")
}
