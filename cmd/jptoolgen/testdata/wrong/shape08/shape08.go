// caught by: compiler

// Package shape08 asks a question without its format.
package shape08

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
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	_, err := ask.Sure.Ask(ctx)
	return "", err
}
