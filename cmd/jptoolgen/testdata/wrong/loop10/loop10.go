// caught by: vet JP713

// Package loop10 creates the question before the loop.
package loop10

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
	about := ask.Sure.For(in.Name)
	for i := 0; i < 2; i++ {
		if ok, err := about.Ask(ctx, "Step %d?", i); err != nil || !ok {
			return "", err
		}
	}
	return "done", nil
}
