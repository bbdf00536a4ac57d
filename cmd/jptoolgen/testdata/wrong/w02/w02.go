// caught by: compiler

// Package w02 uses an answer as a value of another type.
package w02

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	var name string
	name, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	return name, err
}
