// caught by: vet JP713

// Package loop11 jumps back to the question.
package loop11

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
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Name) (string, error) {
again:
	name, err := ask.Name.Ask(ctx, "Name?")
	if err != nil {
		return "", err
	}
	if name == in.Name {
		goto again
	}
	return name, nil
}
