// caught by: compiler

// Package w02 uses an answer as a value of another type.
package w02

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
	var name string
	name, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	return name, err
}
