// caught by: compiler

// Package w05 answers all questions except one.
package w05

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Both) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Sure?"); err != nil || !ok {
		return "", err
	}
	return ask.Name.Ask(ctx, "Name?")
}
